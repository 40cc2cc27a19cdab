// Tasks of one actor that touch different parts of its state commute: what they
// share is the actor, which is no reason to try both orders.
// expect optimal: executions 1, blocked 0
// expect cs: executions 1
// expect output "1 2 3\n"
#include <heddle_actor.h>
#include <stdio.h>

struct cells {
  long at[3];
};

static const struct heddle_actor_type cells_type = {
    .name = "cells", .size = sizeof(struct cells)};

static void set(void *state, void *message) {
  struct cells *c = state;
  int i = *(int *)message;
  c->at[i] = i + 1;
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&cells_type, 0);
  for (int i = 0; i < 3; i++)
    heddle_send(a, set, HEDDLE_MESSAGE(int, i));
  heddle_run();
  const struct cells *c = heddle_state(a);
  printf("%ld %ld %ld\n", c->at[0], c->at[1], c->at[2]);
}
