#include <pthread.h>
#include <stdio.h>
#include <assert.h>
extern int __VERIFIER_nondet_int();
int glob;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void __VERIFIER_assert(int cond) { if (!cond) { assert(0); } }
void *t_fun(void *arg) {
  int i = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  if (i) glob = 5; else glob = 5;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, t_fun, NULL);
  pthread_mutex_lock(&m);
  __VERIFIER_assert(glob == 0 || glob == 5);
  pthread_mutex_unlock(&m);
  pthread_join(id, NULL);
  return 0;
}
