// More threads than heddle has places for.
// expect refused more than 2048 threads
#include <pthread.h>

static void *nothing(void *unused) {
  return unused;
}

int main(void) {
  for (int i = 0; i < 2048; i++) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
  }
}
