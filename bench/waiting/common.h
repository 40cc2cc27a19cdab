// Threads for the programs of this folder: each runs one function with its number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void run_threads(int count, void *(*f)(void *)) {
  pthread_t t[16];
  for (long i = 0; i < count; i++)
    pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < count; i++)
    pthread_join(t[i], 0);
}
