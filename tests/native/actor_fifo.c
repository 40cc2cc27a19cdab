// With HEDDLE_FIFO messages of one sender keep their order; those of two
// senders mix in C(4,2) ways.
// expect optimal: executions 6, blocked 0
// expect dc: executions 6
// expect output "1234\n"
// expect output "1324\n"
// expect output "1342\n"
// expect output "3124\n"
// expect output "3142\n"
// expect output "3412\n"
#include <heddle_actor.h>
#include <stdio.h>

static const struct heddle_actor_type log_type = {
    .name = "log", .size = sizeof(int), .flags = HEDDLE_FIFO};
static const struct heddle_actor_type writer_type = {
    .name = "writer", .size = sizeof(struct heddle_actor *)};

static void append(void *state, void *message) {
  int *n = state;
  *n = *n * 10 + *(int *)message;
}

static void write_two(void *state, void *message) {
  struct heddle_actor *log = *(struct heddle_actor **)state;
  int first = *(int *)message;
  heddle_send(log, append, HEDDLE_MESSAGE(int, first));
  heddle_send(log, append, HEDDLE_MESSAGE(int, first + 1));
}

int main(void) {
  struct heddle_actor *log = heddle_spawn(&log_type, 0);
  heddle_send(heddle_spawn(&writer_type, &log), write_two,
              HEDDLE_MESSAGE(int, 1));
  heddle_send(heddle_spawn(&writer_type, &log), write_two,
              HEDDLE_MESSAGE(int, 3));
  heddle_run();
  printf("%d\n", *(int *)heddle_state(log));
}
