// One before the start of a local array that no other thread knows.
// expect error memory
// expect message out of bounds: accesses 2 bytes, 2 bytes before a variable of 10 bytes
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *work(void *unused) {
  atomic_fetch_add(&count, 1);
  return unused;
}

static int sum(int from) {
  short array[5] = {1, 2, 3, 4, 5};
  return array[from] + array[from + 1]; // expect memory here
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int seen = sum(count - 1);
  pthread_join(thread, NULL);
  return seen - seen;
}
