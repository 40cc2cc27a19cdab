// POL(7,3) of the quasi-optimal paper, table 1: 2440 executions (the paper).
// expect optimal: executions 2440, blocked 0
// expect unfold: executions 2440, blocked 0
// algorithms optimal unfold
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 7
#define K 3
#endif

static pthread_mutex_t ma[N], mi = PTHREAD_MUTEX_INITIALIZER;
static int a[N], i, d;

static void *setter(void *argument) {
  long id = (long)argument;
  pthread_mutex_lock(&ma[id]);
  a[id] = 1;
  pthread_mutex_unlock(&ma[id]);
  return 0;
}

static void *chooser(void *unused) {
  for (int x = 1; x < N; x++) {
    pthread_mutex_lock(&mi);
    i = x;
    pthread_mutex_unlock(&mi);
  }
  return unused;
}

static void *poker(void *unused) {
  pthread_mutex_lock(&mi);
  int idx = i;
  pthread_mutex_unlock(&mi);
  pthread_mutex_lock(&ma[idx]);
  if (a[idx] == 1) {
    d++;
    a[idx] = 0;
  }
  pthread_mutex_unlock(&ma[idx]);
  return unused;
}

int main(void) {
  pthread_t t[N], c, p;
  for (int x = 0; x < N; x++)
    pthread_mutex_init(&ma[x], 0);
  for (long x = 0; x < N; x++)
    pthread_create(&t[x], 0, setter, (void *)x);
  for (int k = 0; k < K; k++) {
    pthread_create(&c, 0, chooser, 0);
    pthread_create(&p, 0, poker, 0);
    pthread_join(c, 0);
    pthread_join(p, 0);
  }
  assert(0 <= d && d <= N);
  for (int x = 0; x < N; x++)
    pthread_join(t[x], 0);
  for (int x = 0; x < N; x++)
    if (a[x])
      d++;
  assert(d == N);
}
