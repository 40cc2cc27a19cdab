// The loop ends only before both writes: no reversal of one race gets there.
// expect output "1 1\n"
// waits for several places
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b;

static void *thread0(void *unused) {
  a = 1;
  return unused;
}

static void *thread1(void *unused) {
  b = 1;
  return unused;
}

static void *thread2(void *unused) {
  while (!(a == 0 && b == 0))
    ;
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  pthread_create(&t[2], 0, thread2, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  printf("%d %d\n", a, b);
}
