// An index that depends on the schedule: one behind the end of a global array
// when both threads have counted.
// expect error memory
// expect message out of bounds: accesses 4 bytes, 8 bytes into a variable of 8 bytes
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int array[2];
static atomic_int count;

static void *work(void *unused) {
  atomic_fetch_add(&count, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  array[count] = 1; // expect memory here
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
