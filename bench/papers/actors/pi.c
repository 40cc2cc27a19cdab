/* pi(N): a master has N workers compute parts of a sum, which they add by
 * messages: N! orders, which do not matter. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 5
#endif

static void add(void *, void *), compute(void *, void *);

static heddle_handler *const compute_sends[] = {add, 0};
static const struct heddle_handles sum_handles[] = {{add, 0}, {0, 0}};
static const struct heddle_handles worker_handles[] = {
    {compute, compute_sends}, {0, 0}};
static const struct heddle_actor_type sum_type = {
    "sum", sizeof(long), HEDDLE_PRIVATE, sum_handles};
static const struct heddle_actor_type worker_type = {
    "worker", sizeof(struct heddle_actor *), HEDDLE_PRIVATE, worker_handles};

static void add(void *state, void *message) {
  *(long *)state += *(long *)message;
}

static void compute(void *state, void *message) {
  struct heddle_actor *master = *(struct heddle_actor **)state;
  long i = *(int *)message;
  long part = (i % 2 ? -4000000 : 4000000) / (2 * i + 1);
  heddle_send(master, add, &part, sizeof part);
}

int main(void) {
  struct heddle_actor *master = heddle_spawn(&sum_type, 0);
  long sum = 0;
  for (int i = 0; i < N; i++) {
    heddle_send(heddle_spawn(&worker_type, &master), compute,
                HEDDLE_MESSAGE(int, i));
    sum += (i % 2 ? -4000000 : 4000000) / (2 * i + 1);
  }
  heddle_run();
  assert(*(long *)heddle_state(master) == sum);
}
