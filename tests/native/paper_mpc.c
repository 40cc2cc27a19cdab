// MPC(2,5) of the quasi-optimal paper, table 1: 60 executions (the paper).
// expect optimal: executions 60, blocked 0
// expect unfold: executions 60, blocked 0
// expect source: executions 60
// algorithms source optimal unfold
#include <pthread.h>

#ifndef P
#define P 2
#define W 5
#endif

static pthread_mutex_t mut[W], pm = PTHREAD_MUTEX_INITIALIZER;
static int req[W];
static unsigned buf;

static void *worker(void *argument) {
  long id = (long)argument;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mut[id]);
    if (req[id])
      req[id]--;
    pthread_mutex_unlock(&mut[id]);
  }
  return 0;
}

static void *producer(void *argument) {
  unsigned id = (unsigned)(long)argument, tmp = 0;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&pm);
    buf = buf * P + id;
    tmp = buf;
    pthread_mutex_unlock(&pm);
  }
  unsigned dst = tmp % W;
  pthread_mutex_lock(&mut[dst]);
  req[dst]++;
  pthread_mutex_unlock(&mut[dst]);
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < W; i++)
    pthread_mutex_init(&mut[i], 0);
  for (long i = 0; i < W; i++)
    pthread_create(&t, 0, worker, (void *)i);
  for (long i = 0; i < P; i++)
    pthread_create(&t, 0, producer, (void *)i);
}
