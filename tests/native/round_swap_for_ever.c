// A compare-and-swap that goes round for ever after another value was read.
// expect output "1 0\n"
// expect output "1 1\n"
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int a;

static void *thread0(void *unused) {
  a = x;
  if (a != 1)
    for (int e = 0; !atomic_compare_exchange_strong(&x, &e, 2); e = 0)
      ;
  return unused;
}

static void *thread1(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d\n", x, a);
}
