// A barrier that was never initialised.
// expect error misuse
// expect message use of a barrier that was never initialised
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void) {
  pthread_barrier_wait(&barrier); // expect misuse here
}
