// Messages of one sender to one actor arrive in any order: 3! here.
// expect optimal: executions 6, blocked 0
// expect output "123\n"
// expect output "132\n"
// expect output "213\n"
// expect output "231\n"
// expect output "312\n"
// expect output "321\n"
#include <heddle_actor.h>
#include <stdio.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static const struct heddle_actor_type log_type = {
    .name = "log", .size = sizeof(int), .flags = FLAGS};
static const struct heddle_actor_type writer_type = {
    .name = "writer", .size = sizeof(struct heddle_actor *)};

static void append(void *state, void *message) {
  int *n = state;
  *n = *n * 10 + *(int *)message;
}

static void write_all(void *state, void *message) {
  struct heddle_actor *log = *(struct heddle_actor **)state;
  (void)message;
  for (int i = 1; i <= 3; i++)
    heddle_send(log, append, HEDDLE_MESSAGE(int, i));
}

int main(void) {
  struct heddle_actor *log = heddle_spawn(&log_type, 0);
  struct heddle_actor *writer = heddle_spawn(&writer_type, &log);
  heddle_send(writer, write_all, HEDDLE_NOTHING);
  heddle_run();
  printf("%d\n", *(int *)heddle_state(log));
}
