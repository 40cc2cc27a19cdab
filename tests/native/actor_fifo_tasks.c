// The messages of two tasks of one actor are in one line, too: whichever task
// comes first sends first.  heddle_defaults() makes all actors FIFO, so that main
// sends in order; the second task may still come while the first awaits.
// expect output "12\n"
// expect output "21\n"
#include <heddle_actor.h>
#include <stdio.h>

static const struct heddle_actor_type log_type = {.name = "log",
                                                  .size = sizeof(int)};
static struct heddle_actor *log_actor, *other;

static void append(void *state, void *message) {
  int *n = state;
  *n = *n * 10 + *(int *)message;
}

static void nothing(void *state, void *message) {
  (void)state, (void)message;
}

static void write_one(void *state, void *message) {
  (void)state;
  int number = *(int *)message;
  if (number == 1)
    heddle_await(heddle_ask(other, nothing, HEDDLE_NOTHING));
  heddle_send(log_actor, append, HEDDLE_MESSAGE(int, number));
}

int main(void) {
  heddle_defaults(HEDDLE_FIFO);
  log_actor = heddle_spawn(&log_type, 0);
  other = heddle_spawn(&log_type, 0);
  struct heddle_actor *writer = heddle_spawn(&log_type, 0);
  heddle_send(writer, write_one, HEDDLE_MESSAGE(int, 1));
  heddle_send(writer, write_one, HEDDLE_MESSAGE(int, 2));
  heddle_run();
  printf("%d\n", *(int *)heddle_state(log_actor));
}
