// A value that is chosen in an atomic block, in the ways of the families for weak memory: the
// choices come before the block. What is read in the block is not known when they are made.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error() { __assert_fail("0", "choice_in_block.c", 5, "reach_error"); }
void __VERIFIER_assert(int c) { if (!c) { ERROR: { reach_error(); abort(); } } }
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

int x, y, delayed, memory, seen, chosen;
_Bool weak$$choice0, weak$$choice2;

void *P0(void *arg) {
  __VERIFIER_atomic_begin();
  weak$$choice0 = __VERIFIER_nondet_bool();
  weak$$choice2 = __VERIFIER_nondet_bool();
  delayed = weak$$choice2;
  memory = x;
  seen = weak$$choice0 ? x : x + !x;
  x = delayed ? memory : x;
  __VERIFIER_atomic_end();
  return 0;
}

void __VERIFIER_atomic_write(void) {
  int value = __VERIFIER_nondet_int();
  x = value;
  __VERIFIER_assert(x == value);
  chosen = value;
}

int main() {
  pthread_t t;
  pthread_create(&t, 0, P0, 0);
  __VERIFIER_atomic_write();
  pthread_join(t, 0);
  __VERIFIER_assert(x == chosen && seen >= 0 && seen <= 2);
}
