// A semaphore as a lock: who gives up waiting posts it all the same, and then two are
// inside.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static sem_t turn;
static atomic_int inside, tries[3];
static void *worker(void *argument) {
  int me = *(int *)argument;
  tries[me]++;
  if (me == 0) {
    int got = !sem_trywait(&turn);
    if (got) tries[2]++;
    sem_post(&turn);
    return 0;
  }
  sem_wait(&turn);
  assert(++inside == 1);
  tries[(me + 1) % 3]++;
  inside--;
  sem_post(&turn);
  return 0;
}
int main(void) {
  static int ids[3] = {0, 1, 2};
  pthread_t t[3];
  sem_init(&turn, 0, 1);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
