// A compare-and-swap of another thread meets a variable on the stack of main:
// before main's exchange it stores what is there, after it nothing.  Both orders
// lead to one state, and changes() must see that although only one of them
// wrote.  Dependent, hence 2 executions (theory).
// expect optimal: executions 2, blocked 0
// expect source: executions 2
// options --verify
#include <pthread.h>
#include <stdatomic.h>

static void *replace(void *argument) {
  int zero = 0;
  atomic_compare_exchange_strong((atomic_int *)argument, &zero, 0);
  zero = 0;
  return NULL;
}

int main(void) {
  atomic_int x = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, replace, &x);
  atomic_exchange(&x, 4);
  pthread_join(thread, NULL);
}
