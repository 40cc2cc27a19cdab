// All waiting threads are woken; they take the mutex in any order.
// expect output "12\n"
// expect output "21\n"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static pthread_cond_t go;
static int started, count, order[2];

static void *waiter(void *number) {
  pthread_mutex_lock(&mutex);
  while (!started)
    pthread_cond_wait(&go, &mutex);
  order[count++] = *(int *)number;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  pthread_mutex_init(&mutex, 0);
  pthread_cond_init(&go, &attributes);
  pthread_create(&a, 0, waiter, &one);
  pthread_create(&b, 0, waiter, &two);
  pthread_mutex_lock(&mutex);
  started = 1;
  pthread_cond_broadcast(&go);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_cond_destroy(&go);
  pthread_mutex_destroy(&mutex);
  printf("%d%d\n", order[0], order[1]);
}
