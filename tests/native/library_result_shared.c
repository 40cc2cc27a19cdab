// A library function stores its result in memory that another thread reads.
// expect output "3 4"
// expect output "3 3"
// expect output "4 4"
// options --races=off
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int value, got[2];

static void *look(void *arg) {
  long i = (long)arg;
  sem_t s;
  sem_init(&s, 0, (unsigned)(3 + i));
  sem_getvalue(&s, &value);
  got[i] = value;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, look, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  printf("%d %d", got[0], got[1]);
  return 0;
}
