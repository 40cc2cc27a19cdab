// Actors and tasks create more of them: Fibonacci.  Each asked task has an
// actor of its own, so that nothing needs to be tried twice.
// expect optimal: executions 1, blocked 0
// expect output "5\n"
// algorithms source optimal observers cs optimal-cs
#include <heddle_actor.h>
#include <stdio.h>

static const struct heddle_actor_type fib_type = {.name = "fib", .size = 0};

static void fib(void *state, void *message) {
  int n = *(int *)message;
  (void)state;
  if (n > 1) {
    struct heddle_future *f[2];
    for (int i = 0; i < 2; i++)
      f[i] = heddle_ask(heddle_spawn(&fib_type, 0), fib,
                        HEDDLE_MESSAGE(int, n - 1 - i));
    n = HEDDLE_AWAIT(int, f[0]);
    n += HEDDLE_AWAIT(int, f[1]);
  }
  heddle_reply(&n, sizeof n);
}

int main(void) {
  struct heddle_future *f =
      heddle_ask(heddle_spawn(&fib_type, 0), fib, HEDDLE_MESSAGE(int, 5));
  heddle_run();
  printf("%d\n", *(const int *)heddle_result(f));
}
