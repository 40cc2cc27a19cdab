// A thread copies a structure with a semaphore in it: the value in the copy
// tells whether main had taken from it.
// expect output "0\n"
// expect output "1\n"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static struct {
  sem_t turns;
} shared, copy;

static void *work(void *unused) {
  (void)unused;
  sem_wait(&shared.turns);
  sem_post(&shared.turns);
  copy = shared;
  return 0;
}

int main(void) {
  pthread_t t;
  int value;
  sem_init(&shared.turns, 0, 1);
  pthread_create(&t, 0, work, 0);
  sem_wait(&shared.turns);
  sem_post(&shared.turns);
  pthread_join(t, 0);
  sem_getvalue(&copy.turns, &value);
  printf("%d\n", value);
}
