/* More tasks that wait than the pool has threads, in two runs, and many small
 * ones: no task is lost, and no two tasks touch one actor's counter at once. */
#include <assert.h>
#include <heddle_actor.h>

enum { DEEP = 200, MANY = 5000 };

static const struct heddle_actor_type count_type = {.name = "count",
                                                    .size = sizeof(int)};
static struct heddle_actor *counter;

static void count(void *state, void *message) {
  *(int *)state += *(int *)message;
}

/* A chain of tasks, each of which awaits the next. */
static void dig(void *state, void *message) {
  int depth = *(int *)message;
  *(int *)state += 1;
  if (depth) {
    struct heddle_actor *next = heddle_spawn(&count_type, 0);
    struct heddle_future *f =
        heddle_ask(next, dig, HEDDLE_MESSAGE(int, depth - 1));
    assert(HEDDLE_AWAIT(int, f) == depth - 1);
    heddle_forget(f);
  }
  heddle_send(counter, count, HEDDLE_MESSAGE(int, 1));
  heddle_reply(&depth, sizeof depth);
}

static void spread(void *state, void *message) {
  int left = *(int *)message;
  *(int *)state += 1;
  heddle_send(counter, count, HEDDLE_MESSAGE(int, 1));
  if (left > 1)
    heddle_send(heddle_self(), spread, HEDDLE_MESSAGE(int, left - 1));
}

int main(void) {
  counter = heddle_spawn(&count_type, 0);
  for (int round = 1; round <= 2; round++) {
    for (int i = 0; i < 4; i++) {
      heddle_send(heddle_spawn(&count_type, 0), dig, HEDDLE_MESSAGE(int, DEEP));
      heddle_send(heddle_spawn(&count_type, 0), spread,
                  HEDDLE_MESSAGE(int, MANY));
    }
    heddle_run();
    assert(*(int *)heddle_state(counter) == round * 4 * (DEEP + 1 + MANY));
  }
}
