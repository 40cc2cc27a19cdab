extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
#include <pthread.h>
#include <stdlib.h>
extern unsigned int __VERIFIER_nondet_uint(void);
void assume_abort_if_not(int cond) {
  if (!cond) { abort(); }
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned int sum;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  sum += 1;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main() {
  unsigned int n = __VERIFIER_nondet_uint();
  assume_abort_if_not(n <= 3);
  pthread_t *tids = malloc(n * sizeof(pthread_t));
  for (unsigned int i = 0; i < n; i++)
    pthread_create(&tids[i], NULL, &worker, NULL);
  for (unsigned int i = 0; i < n; i++)
    pthread_join(tids[i], NULL);
  if (sum != n) { reach_error(); }
  free(tids);
  return 0;
}
