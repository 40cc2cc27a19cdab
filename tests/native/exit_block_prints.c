// An atomic block that prints is there as a whole or not at all, also for
// threads that run on although the process has ended.
// expect output ""
// expect output "block\n"
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *print(void *unused) {
  heddle_atomic_begin();
  x = 1;
  puts("block");
  x = 2;
  heddle_atomic_end();
  return unused;
}

static void *look(void *unused) {
  assert(x != 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, print, 0);
  pthread_create(&b, 0, look, 0);
}
