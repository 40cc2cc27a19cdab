extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) {
  pthread_mutex_lock(&m);
  free(p);
  pthread_mutex_unlock(&m);
  return 0;
}
int main() {
  pthread_t t;
  p = malloc(sizeof(int));
  *p = 1;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m);
  int v = *p;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return v - 1;
}
