// Of the threads that main joins one after the other, one never ends: the report
// says which.
// expect error deadlock
// expect message main waits for the end of T2 b
#include <pthread.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *a(void *unused) {
  return unused;
}

static void *b(void *unused) {
  pthread_mutex_lock(&held);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_mutex_lock(&held);
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, a, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
