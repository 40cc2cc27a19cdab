// No thread posts: the loop never ends.
// expect error livelock
#include <pthread.h>
#include <semaphore.h>

static sem_t empty;

static void *looks(void *unused) {
  while (sem_trywait(&empty))
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&empty, 0, 0);
  pthread_create(&thread, NULL, looks, NULL);
  pthread_join(thread, NULL);
}
