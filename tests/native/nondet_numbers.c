// Input that is not fixed: --nondet says which values there are.  A type that
// does not have one of them goes without it.
// real no: it has other values
// options --nondet=-2..1,300
// expect output "-1 0\n"
// expect output "-1 1\n"
// expect output "-2 0\n"
// expect output "-2 1\n"
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "1 0\n"
// expect output "1 1\n"
// expect output "300 0\n"
// expect output "300 1\n"
// expect optimal: executions 10, blocked 0
#include <pthread.h>
#include <stdio.h>

extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static long a;

static void *run(void *unused) {
  a = __VERIFIER_nondet_long();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  printf("%ld %d\n", a, __VERIFIER_nondet_uchar());
}
