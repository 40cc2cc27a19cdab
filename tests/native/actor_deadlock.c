// Two tasks await each other's end.
// expect error deadlock
// expect message awaits the end of
// expect message main waits for the end of all tasks
// real no: without heddle a deadlock of actors aborts
#include <heddle_actor.h>

static const struct heddle_actor_type peer_type = {.name = "peer", .size = 0};

static struct heddle_future *first;

static void await_first(void *state, void *message) {
  (void)state, (void)message;
  heddle_await(first);
}

static void begin(void *state, void *message) {
  (void)state, (void)message;
  struct heddle_actor *other = heddle_spawn(&peer_type, 0);
  heddle_await(heddle_ask(other, await_first, HEDDLE_NOTHING));
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&peer_type, 0);
  first = heddle_ask(a, begin, HEDDLE_NOTHING);
  heddle_run();
}
