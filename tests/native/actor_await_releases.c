// While a task awaits, others of its actor run: the count it read before is old
// then.  Between two awaits no other task of the actor runs.
// expect output "2\n"
// expect output "1\n"
#include <heddle_actor.h>
#include <stdio.h>

static const struct heddle_actor_type counter_type = {.name = "counter",
                                                      .size = sizeof(int)};
static struct heddle_actor *other;

static void nothing(void *state, void *message) {
  (void)state, (void)message;
}

static void increment(void *state, void *message) {
  int *count = state;
  int old = *count;
  (void)message;
  heddle_await(heddle_ask(other, nothing, HEDDLE_NOTHING));
  *count = old + 1;
}

int main(void) {
  struct heddle_actor *counter = heddle_spawn(&counter_type, 0);
  other = heddle_spawn(&counter_type, 0);
  heddle_send(counter, increment, HEDDLE_NOTHING);
  heddle_send(counter, increment, HEDDLE_NOTHING);
  heddle_run();
  printf("%d\n", *(int *)heddle_state(counter));
}
