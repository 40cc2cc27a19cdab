// A normal mutex that is not locked is unlocked.
// expect error misuse
// expect message unlock of a mutex that is not locked
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_unlock(&mutex); // expect misuse here
}
