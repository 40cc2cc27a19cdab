// A spin lock that was never initialised.
// expect error misuse
// expect message use of a spin lock that was never initialised
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_lock(&lock); // expect misuse here
}
