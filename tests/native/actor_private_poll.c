// expect error misuse
// expect message a task of an actor that is HEDDLE_PRIVATE asks whether another task has ended
// algorithms optimal
// modes undo
#include <heddle_actor.h>

static const struct heddle_actor_type any_type = {
    .name = "any", .size = 4, .flags = HEDDLE_PRIVATE};
static int variable;

static void nothing(void *state, void *message) {
  (void)state, (void)message;
}

static void task(void *state, void *message) {
  (void)state, (void)message;
  heddle_is_done(heddle_ask(heddle_self(), nothing, HEDDLE_NOTHING));
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&any_type, 0);
  int *inside = heddle_state(heddle_spawn(&any_type, &variable));
  heddle_send(a, task, &inside, sizeof inside);
  heddle_send(a, nothing, HEDDLE_NOTHING);
  heddle_run();
}
