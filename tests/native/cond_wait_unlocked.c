// A wait with a mutex that the thread does not hold.
// expect error misuse
// expect message does not hold
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_cond_wait(&cond, &mutex); // expect misuse here
}
