// A schedule in which a thread waits or ends before another one is cancelled leads
// to the same error again: that there are cancellations makes both of these more
// steps, and is known from the beginning.
// expect error assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void cleanup(void *unused) {
  (void)unused;
  assert(0); // expect assertion here
}

static void *waits(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(cleanup, NULL);
  pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  return unused;
}

static void *cancels(void *waiting) {
  pthread_cancel((pthread_t)waiting);
  return NULL;
}

int main(void) {
  pthread_t waiting, other;
  pthread_create(&waiting, NULL, waits, NULL);
  pthread_create(&other, NULL, cancels, (void *)waiting);
  pthread_exit(NULL);
}
