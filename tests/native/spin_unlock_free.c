// A spin lock that is not held is unlocked.
// expect error misuse
// expect message unlock of a spin lock that is not locked
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, 0);
  pthread_spin_unlock(&lock); // expect misuse here
}
