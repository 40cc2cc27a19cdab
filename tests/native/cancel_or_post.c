// A post and a cancellation come in both orders: the thread takes from the
// semaphore, or ends with its value left.
// expect output "taken 0\n"
// expect output "left 1\n"
// algorithms naive source optimal observers cs optimal-cs optimal-cs-ob unfold stateful
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t sem;

static void *waits(void *unused) {
  (void)unused;
  sem_wait(&sem);
  return NULL;
}

static void *posts(void *unused) {
  sem_post(&sem);
  return unused;
}

int main(void) {
  pthread_t t, u;
  void *result;
  int value;
  sem_init(&sem, 0, 0);
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&u, NULL, posts, NULL);
  pthread_cancel(t);
  pthread_join(t, &result);
  pthread_join(u, NULL);
  sem_getvalue(&sem, &value);
  printf("%s %d\n", result == PTHREAD_CANCELED ? "left" : "taken", value);
}
