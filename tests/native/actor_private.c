// What HEDDLE_PRIVATE allows: the own state, the message, own memory, what was
// awaited, and to read variables.
// expect optimal: executions 1, blocked 0
// expect output "15\n"
#include <heddle_actor.h>
#include <stdio.h>
#include <stdlib.h>

struct adder {
  int sum;
};

static const struct heddle_actor_type adder_type = {
    .name = "adder", .size = sizeof(struct adder), .flags = HEDDLE_PRIVATE};
static int factor = 2;
static struct heddle_actor *other;

static void twice(void *state, void *message) {
  int *number = message;
  ((struct adder *)state)->sum++;
  *number *= factor;
  heddle_reply(number, sizeof *number);
}

static void add(void *state, void *message) {
  struct adder *adder = state;
  int *own = malloc(sizeof *own), local = *(int *)message;
  *own = local;
  struct heddle_future *f = heddle_ask(other, twice, own, sizeof *own);
  adder->sum = *own + HEDDLE_AWAIT(int, f);
  heddle_forget(f);
  free(own);
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&adder_type, 0);
  other = heddle_spawn(&adder_type, 0);
  heddle_send(a, add, HEDDLE_MESSAGE(int, 5));
  heddle_run();
  printf("%d\n", ((struct adder *)heddle_state(a))->sum);
}
