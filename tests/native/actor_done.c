// A look at a future comes before or after the end of its task.
// expect optimal: executions 2, blocked 0
// expect output "0\n"
// expect output "7\n"
#include <heddle_actor.h>
#include <stdio.h>

static const struct heddle_actor_type any_type = {.name = "any",
                                                  .size = sizeof(int)};
static struct heddle_actor *looker;

static void answer(void *state, void *message) {
  (void)state, (void)message;
  heddle_reply(&(int){7}, sizeof(int));
}

static void look(void *state, void *message) {
  struct heddle_future *f = *(struct heddle_future **)message;
  if (heddle_is_done(f))
    *(int *)state = *(const int *)heddle_result(f);
}

static void ask(void *state, void *message) {
  (void)state, (void)message;
  struct heddle_actor *b = heddle_spawn(&any_type, 0);
  struct heddle_future *f = heddle_ask(b, answer, HEDDLE_NOTHING);
  heddle_send(looker, look, &f, sizeof f);
}

int main(void) {
  looker = heddle_spawn(&any_type, 0);
  heddle_send(heddle_spawn(&any_type, 0), ask, HEDDLE_NOTHING);
  heddle_run();
  printf("%d\n", *(int *)heddle_state(looker));
}
