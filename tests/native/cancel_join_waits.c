// A join that still waits when the process has ended is not possible before the cancelled
// join of the same thread.
// algorithms source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
// expect error misuse
#include <pthread.h>
#include <stdio.h>

pthread_t printer;

static void *print(void *unused) {
  puts("x");
  return unused;
}

static void *join(void *unused) {
  pthread_join(printer, 0); // expect misuse here
  return unused;
}

int main(void) {
  pthread_t cancelled, other;
  pthread_create(&printer, 0, print, 0);
  pthread_create(&cancelled, 0, join, 0);
  pthread_create(&other, 0, join, 0);
  pthread_cancel(cancelled);
}
