// The loop ends if both were seen: first one, then the other.
// expect output "0 1\n"
// waits for several places
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b;

static void *thread0(void *unused) {
  a = 1;
  a = 0;
  b = 1;
  return unused;
}

static void *thread1(void *unused) {
  while (!(a && b))
    ;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, thread0, 0);
  pthread_create(&t[1], 0, thread1, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  printf("%d %d\n", a, b);
}
