// The names of SV-COMP: a lock made of an atomic block and an assumption.
// expect error assertion
// expect message reach_error
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
#include <pthread.h>

static int held, inside;

static void *section(void *unused) {
  (void)unused;
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(!held);
  held = 1;
  __VERIFIER_atomic_end();
  inside++;
  inside--;
  __VERIFIER_atomic_begin();
  held = 0;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, section, 0);
  section(0);
  pthread_join(t, 0);
  if (__VERIFIER_nondet_bool() && __VERIFIER_nondet_uchar() == 200)
    reach_error();
}
