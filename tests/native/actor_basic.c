// Two messages to one actor that touch the same state: 2 orders.  A third actor
// has nothing to do with them.
// expect optimal: executions 2, blocked 0
// expect source: executions 2
// expect output "12 1\n"
// expect output "21 1\n"
#include <heddle_actor.h>
#include <stdio.h>

struct number {
  int value;
};

static const struct heddle_actor_type number_type = {.name = "number",
                                                     .size = sizeof(int)};

static void append(void *state, void *message) {
  struct number *n = state;
  n->value = n->value * 10 + *(int *)message;
}

static void mark(void *state, void *message) {
  struct number *n = state;
  if (message)
    n->value = -1;
  else
    n->value++;
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&number_type, 0);
  struct heddle_actor *b = heddle_spawn(&number_type, &(struct number){0});
  heddle_send(a, append, HEDDLE_MESSAGE(int, 1));
  heddle_send(b, mark, HEDDLE_NOTHING);
  heddle_send(a, append, HEDDLE_MESSAGE(int, 2));
  heddle_run();
  printf("%d %d\n", *(int *)heddle_state(a), *(int *)heddle_state(b));
}
