// Local variables of main that other threads write, each where one was that is
// gone: a plain one, an array of variable length, memory from alloca, a
// parameter passed by value.  All threads are joined in time: 1 execution (theory).
// expect optimal: executions 1, blocked 0
// options --verify
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct large {
  int first;
  char rest[60];
};

static void *write_one(void *place) {
  *(int *)place = 1;
  return NULL;
}

static void let_write(int *place) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_one, place);
  pthread_join(thread, NULL);
  assert(*place == 1);
}

static void plain(void) {
  int local[16];
  let_write(&local[3]);
}

static void of_variable_length(int n) {
  int local[n];
  let_write(&local[n / 2]);
}

static void from_alloca(size_t size) {
  let_write(alloca(size));
}

static void by_value(struct large local) {
  let_write(&local.first);
}

int main(void) {
  struct large large = {0};
  plain();
  of_variable_length(16);
  from_alloca(64);
  by_value(large);
  plain();
}
