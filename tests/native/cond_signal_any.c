// One signal, two waiting threads: it may wake either, whoever came first.
// expect output "12\n"
// expect output "21\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t both = PTHREAD_COND_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int waiting, woken, order[2];

static void *waiter(void *number) {
  pthread_mutex_lock(&mutex);
  if (++waiting == 2)
    pthread_cond_signal(&both);
  pthread_cond_wait(&go, &mutex);
  order[woken++] = *(int *)number;
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, 0, waiter, &one);
  pthread_create(&b, 0, waiter, &two);
  pthread_mutex_lock(&mutex);
  while (waiting < 2)
    pthread_cond_wait(&both, &mutex);
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%d%d\n", order[0], order[1]);
}
