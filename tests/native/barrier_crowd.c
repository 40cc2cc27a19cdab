// More threads than the barrier waits for: it counts which two of four meet.  The
// arrivals come in 4! orders, and the locks of three threads in 3!, whatever the
// arrivals: 144.
// algorithms optimal source unfold dc
// expect all: executions 144, blocked 0
// expect output "123\n"
// expect output "132\n"
// expect output "213\n"
// expect output "231\n"
// expect output "312\n"
// expect output "321\n"
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int met;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *arrive(void *mine) {
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&lock);
  met = met * 10 + (int)(long)mine;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 1; i < 4; i++)
    pthread_create(&t[i - 1], 0, arrive, (void *)i);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  printf("%d\n", met);
}
