// A compare-and-swap that fails once is no loop.
// expect output "1 1\n"
// expect output "1 0\n"
// expect output "0 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x = 1;
static int a, c;

static void *thread0(void *unused) {
  int e = a = x;
  c = atomic_compare_exchange_strong(&x, &e, 2);
  return unused;
}

static void *thread1(void *unused) {
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d\n", a, c);
}
