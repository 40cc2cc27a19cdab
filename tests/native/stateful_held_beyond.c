// As stateful_held.c, but the threads have numbers from 65 on: they have no bits
// in sets of processes.
// options --outcomes --races=off
// algorithms naive optimal stateful
// modes undo
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int p;
static int of_second, of_third;

static int increment(void) {
  int old;
  do
    old = p;
  while (!atomic_compare_exchange_weak(&p, &old, old + 1));
  return old + 1;
}

static void *first(void *unused) {
  p = 11;
  return unused;
}

static void *second(void *unused) {
  of_second = increment();
  return unused;
}

static void *third(void *unused) {
  p = 1;
  of_third = increment();
  return unused;
}

static void *idle(void *unused) {
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  for (int i = 0; i < 64; i++) {
    pthread_create(&a, 0, idle, 0);
    pthread_join(a, 0);
  }
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  p = 31;
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  printf("%d\n", p == 11 && of_second == 2 && of_third == 32);
}
