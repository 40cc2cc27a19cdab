// Main chooses what it sends.
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
// expect optimal: executions 3, blocked 0
#include <heddle.h>
#include <heddle_actor.h>
#include <stdio.h>

static const struct heddle_actor_type any_type = {.name = "any",
                                                  .size = sizeof(int)};

static void set(void *state, void *message) {
  *(int *)state = *(int *)message;
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&any_type, 0);
  heddle_send(a, set, HEDDLE_MESSAGE(int, (int)heddle_choose(3)));
  heddle_run();
  printf("%d\n", *(int *)heddle_state(a));
}
