// A thread that tries a lock comes into the critical section of another, also
// where stateful only foresees the try: both second sections can be left out.
// expect output "0 0"
// expect output "0 1"
// expect output "1 0"
// expect output "1 1"
#include <pthread.h>
#include <stdio.h>

static int seen[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void try_to_set(int *place) {
  if (pthread_mutex_trylock(&mutex))
    return;
  if (place)
    *place = 1;
  pthread_mutex_unlock(&mutex);
}

static void *run(void *argument) {
  try_to_set(&seen[0]);
  try_to_set(NULL);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  try_to_set(NULL);
  try_to_set(&seen[1]);
  pthread_join(t, NULL);
  printf("%d %d", seen[0], seen[1]);
  return 0;
}
