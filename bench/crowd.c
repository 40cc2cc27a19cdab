/* T threads, each with its own variable, and one pair that races: 2 traces. */
#include <pthread.h>

#ifndef T
#define T 100
#endif
static int own[T], x;

static void *run(void *argument) {
  long id = (long)argument;
  for (int i = 0; i < 10; i++)
    own[id]++;
  if (id < 2)
    x = (int)id;
  return 0;
}

int main(void) {
  pthread_t t[T];
  for (long i = 0; i < T; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(t[i], 0);
}
