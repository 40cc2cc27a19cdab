// A mutex is destroyed while it is locked.
// expect error misuse
// expect message destruction of a mutex that main holds
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex); // expect misuse here
}
