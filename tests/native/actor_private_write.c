// expect error misuse
// expect message which is HEDDLE_PRIVATE, writes variable, which is not its own
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
  variable = 1;
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&any_type, 0);
  int *inside = heddle_state(heddle_spawn(&any_type, &variable));
  heddle_send(a, task, &inside, sizeof inside);
  heddle_send(a, nothing, HEDDLE_NOTHING);
  heddle_run();
}
