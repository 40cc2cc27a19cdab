// expect error misuse
// expect message a task replies twice
// algorithms optimal
// modes undo
#include <heddle.h>
#include <heddle_actor.h>

static const struct heddle_actor_type any_type = {.name = "any", .size = 4};

static void task(void *state, void *message) {
  (void)state, (void)message;
  heddle_reply(HEDDLE_NOTHING), heddle_reply(HEDDLE_NOTHING);
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&any_type, 0);
  heddle_send(a, task, HEDDLE_NOTHING);
  
  heddle_run();
}
