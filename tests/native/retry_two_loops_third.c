// The inner loop waits for another value than the one that the exchange needs: where the
// exchange fails and the place never has that value again, the thread waits for ever,
// although another exchange would succeed.
// expect error livelock
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock = 1;

static void *run(void *unused) {
  while (atomic_exchange(&lock, 1) == 1)
    while (atomic_load(&lock) != 5)
      ;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  atomic_store(&lock, 5);
  atomic_store(&lock, 0);
  pthread_join(t, NULL);
  return 0;
}
