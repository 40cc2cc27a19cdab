// What is ordered by messages, by awaiting, by looking at a future, or by being
// the same actor's, is no race; nor is main before and after a run.
// options --races=error
// algorithms naive source optimal
#include <assert.h>
#include <heddle_actor.h>

static const struct heddle_actor_type any_type = {.name = "any", .size = 4};
static int sent, awaited, own, seen;
static struct heddle_actor *a, *b;

static void use(void *state, void *message) {
  (void)state, (void)message;
  sent++;
  awaited = sent;
  seen = 1;
}

static void ask(void *state, void *message) {
  (void)state, (void)message;
  own++;
  sent = 1;
  struct heddle_future *f = heddle_ask(b, use, HEDDLE_NOTHING);
  if (heddle_is_done(f))
    seen++;
  heddle_await(f);
  awaited++;
  seen++;
}

static void touch(void *state, void *message) {
  (void)state, (void)message;
  own++;
}

int main(void) {
  a = heddle_spawn(&any_type, 0);
  b = heddle_spawn(&any_type, 0);
  own = 1;
  heddle_send(a, ask, HEDDLE_NOTHING);
  heddle_send(a, touch, HEDDLE_NOTHING);
  heddle_run();
  assert(own == 3 && sent == 2 && awaited == 3 && seen >= 2);
  heddle_send(b, touch, HEDDLE_NOTHING);
  heddle_run();
  assert(own == 4);
}
