// The lock of a stream does not order output with the end of the process: any of the two
// threads may have printed, in any order, before main does and after that (theory: the orders
// of all subsets of three letters with "m").
// expect output "m"
// expect output "fm"
// expect output "mf"
// expect output "0m"
// expect output "m0"
// expect output "f0m"
// expect output "fm0"
// expect output "0fm"
// expect output "0mf"
// expect output "mf0"
// expect output "m0f"
#include <pthread.h>
#include <stdio.h>

static void *locks(void *unused) {
  flockfile(stdout);
  putchar_unlocked('f');
  funlockfile(stdout);
  return unused;
}

static void *prints(void *unused) {
  putchar('0');
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, locks, 0);
  pthread_create(&b, 0, prints, 0);
  putchar('m');
}
