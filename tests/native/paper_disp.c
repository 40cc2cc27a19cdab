// DISP(5,2) of the quasi-optimal paper, table 1: 137 executions (the paper).
// expect optimal: executions 137, blocked 0
// expect unfold: executions 137, blocked 0
// expect source: executions 137
// algorithms source optimal unfold
#include <pthread.h>

#ifndef S
#define S 5
#define R 2
#endif

static pthread_mutex_t srv[S], k = PTHREAD_MUTEX_INITIALIZER;
static int in[S], out[S], sid;

static void *server(void *argument) {
  long i = (long)argument;
  pthread_mutex_lock(&srv[i]);
  if (in[i] > 0)
    out[i] = in[i];
  pthread_mutex_unlock(&srv[i]);
  return 0;
}

static void *picker(void *unused) {
  for (int x = 0; x < S; x++) {
    pthread_mutex_lock(&k);
    sid = x;
    pthread_mutex_unlock(&k);
  }
  return unused;
}

int main(void) {
  pthread_t t[S], p;
  for (int i = 0; i < S; i++)
    pthread_mutex_init(&srv[i], 0);
  for (long i = 0; i < S; i++)
    pthread_create(&t[i], 0, server, (void *)i);
  for (int r = 0; r < R; r++) {
    pthread_create(&p, 0, picker, 0);
    pthread_mutex_lock(&k);
    int idx = sid;
    pthread_mutex_unlock(&k);
    pthread_mutex_lock(&srv[idx]);
    in[idx]++;
    pthread_mutex_unlock(&srv[idx]);
    pthread_join(p, 0);
  }
}
