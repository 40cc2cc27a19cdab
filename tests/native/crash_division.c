// Division by zero, in one of two orders.
// expect error crash
// expect message SIGFPE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor, quotient;

static void *set(void *unused) {
  (void)unused;
  atomic_store(&divisor, 2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int d = atomic_load(&divisor);
  atomic_store(&quotient, 4 / d); // expect crash here
  pthread_join(t, 0);
}
