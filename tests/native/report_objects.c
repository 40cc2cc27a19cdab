// Reports call memory on the heap, on a stack and of a thread what the source
// calls it, and global variables by the index that the address has.
// expect error assertion
// options --full
// expect message writes ring->slots[0] = 7
// expect message atomically updates ring->tail: 0 -> 1
// expect message reads *done = 0
// expect message writes own = 3
// expect message writes results[1] = 8
// expect message writes ring->last
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
  long words[4];
};

struct ring {
  atomic_int tail;
  int slots[4];
  struct item last;
};

static int results[2];
static _Thread_local int own;

static int *address_of(int *value) {
  return value;
}

static void *producer(void *argument) {
  struct ring *ring = argument;
  int i = atomic_fetch_add(&ring->tail, 1);
  ring->slots[i] = 7;
  *address_of(&own) = 0;
  own = 3;
  return NULL;
}

static void *finisher(void *done) {
  *(int *)done += 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  struct item item = {{0}}, *copy = &item;
  int done = 0, i = 1;
  struct ring *ring = calloc(1, sizeof *ring);
  pthread_create(&threads[0], NULL, producer, ring);
  pthread_create(&threads[1], NULL, finisher, &done);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  results[i] = 8;
  ring->last = *copy;
  assert(!done);
  return 0;
}
