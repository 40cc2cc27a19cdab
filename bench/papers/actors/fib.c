/* fib(N): the actor for n > 1 has one for n-1 and one for n-2 compute, which
 * add their results to its sum by messages.
 *
 * Two additions meet in each actor with children, and nothing else does: 2^K
 * traces for K such actors, K = 7, 12, 20 for N = 5, 6, 7.  Adding commutes. */
#include <assert.h>
#include <heddle_actor.h>

#ifndef N
#define N 4
#endif

struct number {
  int sum;
  struct heddle_actor *parent;
};

static void add(void *, void *), fib(void *, void *);

static heddle_handler *const fib_sends[] = {fib, add, 0};
static const struct heddle_handles handles[] = {
    {fib, fib_sends}, {add, 0}, {0, 0}};
static const struct heddle_actor_type number_type = {
    "number", sizeof(struct number), HEDDLE_PRIVATE, handles};

static void add(void *state, void *message) {
  struct number *number = state;
  number->sum += *(int *)message;
}

static void fib(void *state, void *message) {
  struct number *number = state;
  int n = *(int *)message;
  if (n > 1) {
    struct heddle_future *f[2];
    for (int i = 0; i < 2; i++) {
      struct number child = {0, heddle_self()};
      f[i] = heddle_ask(heddle_spawn(&number_type, &child), fib,
                        HEDDLE_MESSAGE(int, n - 1 - i));
    }
    heddle_await(f[0]);
    heddle_await(f[1]);
  } else {
    number->sum = n;
  }
  if (number->parent)
    heddle_await(heddle_ask(number->parent, add, &number->sum, sizeof(int)));
}

int main(void) {
  struct heddle_actor *root = heddle_spawn(&number_type, 0);
  heddle_send(root, fib, HEDDLE_MESSAGE(int, N));
  heddle_run();
  int a = 0, b = 1;
  for (int i = 0; i < N; i++) {
    int next = a + b;
    a = b;
    b = next;
  }
  assert(((struct number *)heddle_state(root))->sum == a);
}
