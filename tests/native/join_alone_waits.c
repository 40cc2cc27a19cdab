// Main has joined all threads, and waits for a store that none of them makes if
// it reads in time.
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, flag;

static void *a(void *unused) {
  x = 1;
  return unused;
}

static void *b(void *unused) {
  if (x)
    flag = 1;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  while (!flag) // expect livelock here
    ;
}
