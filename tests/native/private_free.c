// To free a block that no other thread uses is no step; whether another one does
// shows only in the executions in which the reader comes early enough.
// expect error memory
// options --races=off
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;
static atomic_bool closed;

static void *owner(void *unused) {
  int *block = malloc(sizeof *block);
  *block = 1;
  atomic_store(&published, block);
  atomic_store(&closed, 1);
  atomic_store(&published, (int *)0);
  free(block);
  return unused;
}

static void *reader(void *unused) {
  if (atomic_load(&closed))
    return unused;
  int *block = atomic_load(&published);
  return block && *block ? unused : 0; // expect memory here
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, owner, 0);
  pthread_create(&t[1], 0, reader, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
