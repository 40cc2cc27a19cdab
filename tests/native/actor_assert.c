// A task fails; the others go on, and the run does not return.
// expect error assertion
#include <assert.h>
#include <heddle_actor.h>

static const struct heddle_actor_type any_type = {.name = "any",
                                                  .size = sizeof(int)};

static void set(void *state, void *message) {
  *(int *)state = *(int *)message;
}

static void test(void *state, void *message) {
  (void)message;
  assert(*(int *)state != 2); // expect assertion here
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&any_type, 0);
  heddle_send(a, set, HEDDLE_MESSAGE(int, 1));
  heddle_send(a, set, HEDDLE_MESSAGE(int, 2));
  heddle_send(a, test, HEDDLE_NOTHING);
  heddle_run();
}
