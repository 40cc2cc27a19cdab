// Tasks of two actors share a variable that belongs to neither: in the real
// program they run in parallel.  Tasks of one actor do not, and what is sent
// along is ordered by the message.
// options --races=error --exit-status=any
// expect error race
#include <heddle_actor.h>

static const struct heddle_actor_type any_type = {.name = "any", .size = 4};
static int shared, passed_on;

static void touch(void *state, void *message) { // expect race with line 11
  (void)state, (void)message;
  shared++;
}

static void use(void *state, void *message) {
  (void)state, (void)message;
  passed_on++;
}

static void pass_on(void *state, void *message) {
  (void)state;
  passed_on = 1;
  heddle_send(*(struct heddle_actor **)message, use, HEDDLE_NOTHING);
}

int main(void) {
  struct heddle_actor *a = heddle_spawn(&any_type, 0);
  struct heddle_actor *b = heddle_spawn(&any_type, 0);
  heddle_send(a, touch, HEDDLE_NOTHING);
  heddle_send(b, touch, HEDDLE_NOTHING);
  heddle_send(a, pass_on, &b, sizeof b);
  heddle_run();
  return passed_on;
}
