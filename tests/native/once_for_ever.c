// A loop around pthread_once whose flag is never set is a livelock, for a static
// pthread_once_t as for one on the heap.
// expect error livelock
// algorithms naive dpor source optimal observers cs optimal-cs optimal-cs-ob unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int go;
static pthread_once_t fixed = PTHREAD_ONCE_INIT;

static void routine(void) {}

static void *waits(void *once) {
  while (!go)
    pthread_once(once, routine);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_once_t *once = calloc(1, sizeof *once);
  pthread_create(&t[0], NULL, waits, &fixed);
  pthread_create(&t[1], NULL, waits, once);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
