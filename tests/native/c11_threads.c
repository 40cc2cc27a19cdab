// C11 threads, mutexes, condition variables, call_once and tss together.  Main
// waits, or comes too late to wait: 2 executions.
// expect optimal: executions 2, blocked 0
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int ready, destroyed;

static void destroy(void *value) {
  *(int *)value += 1;
}

static void make(void) {
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
}

static int producer(void *argument) {
  assert(tss_set(key, &destroyed) == thrd_success);
  assert(tss_get(key) == &destroyed);
  assert(mtx_lock(&mutex) == thrd_success);
  ready = *(int *)argument;
  assert(cnd_signal(&changed) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  thrd_yield();
  thrd_exit(-7);
}

int main(void) {
  thrd_t t;
  int one = 1, result;
  call_once(&once, make);
  call_once(&once, make);
  assert(thrd_create(&t, producer, &one) == thrd_success);
  assert(!thrd_equal(t, thrd_current()));
  assert(mtx_lock(&mutex) == thrd_success);
  while (!ready)
    assert(cnd_wait(&changed, &mutex) == thrd_success);
  assert(mtx_unlock(&mutex) == thrd_success);
  assert(thrd_join(t, &result) == thrd_success && result == -7);
  assert(destroyed == 1);
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
}
