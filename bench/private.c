/* Two threads take S steps on memory of their own, then race: 2 traces.  The
 * second should cost little more than another run. */
#include <pthread.h>

#ifndef S
#define S 10000
#endif
static int own[2], x;

static void *run(void *argument) {
  long id = (long)argument;
  for (int i = 0; i < S / 2; i++)
    own[id]++; /* a read and a write */
  x = (int)id;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
