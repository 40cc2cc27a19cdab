// A task alone in its line waits for no other; dc can explore it.  Its step writes
// that it has begun, after reading that, and two variables blindly.
// algorithms optimal dc
// options --races=off
// modes undo
// expect all: executions 1
#include <heddle_actor.h>
#include <stdatomic.h>

static const struct heddle_actor_type type = {.name = "alone",
                                              .flags = HEDDLE_FIFO};
static _Atomic long x, y;

static void set(void *state, void *message) {
  (void)state, (void)message;
  atomic_store(&x, 1);
  atomic_store(&y, 2);
}

int main(void) {
  heddle_send(heddle_spawn(&type, 0), set, HEDDLE_NOTHING);
  heddle_run();
  return x + y != 3;
}
