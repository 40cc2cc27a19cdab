// Input that is not fixed: without --nondet a few values of a large type are
// tried, and the result is incomplete.
// expect incomplete
// expect output "-1 0\n"
// expect output "-1 1\n"
// expect output "-1 4294967295\n"
// expect output "-32768 0\n"
// expect output "-32768 1\n"
// expect output "-32768 4294967295\n"
// expect output "0 0\n"
// expect output "0 1\n"
// expect output "0 4294967295\n"
// expect output "1 0\n"
// expect output "1 1\n"
// expect output "1 4294967295\n"
// expect output "32767 0\n"
// expect output "32767 1\n"
// expect output "32767 4294967295\n"
// algorithms naive source optimal
#include <stdio.h>

extern short __VERIFIER_nondet_short(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a = __VERIFIER_nondet_short();
  printf("%d %u\n", a, __VERIFIER_nondet_uint());
}
