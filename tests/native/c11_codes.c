// Return codes of C11's mutexes and timed waits, in one thread.
// expect optimal: executions 1, blocked 0
#include <assert.h>
#include <threads.h>

static int returns(void *argument) {
  return *(int *)argument;
}

int main(void) {
  mtx_t plain, recursive, odd;
  cnd_t cond;
  thrd_t t;
  static int number = 5; /* the detached thread may outlive main's frame */
  int result;
  struct timespec now = {0, 0};
  assert(mtx_init(&odd, 77) == thrd_success); /* plain, as in glibc */
  assert(mtx_lock(&odd) == thrd_success);
  assert(mtx_trylock(&odd) == thrd_busy);
  assert(mtx_init(&plain, mtx_timed) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&cond) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_trylock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_lock(&plain) == thrd_success);
  assert(mtx_trylock(&plain) == thrd_busy);
  assert(mtx_timedlock(&plain, &now) == thrd_timedout);
  assert(cnd_timedwait(&cond, &plain, &now) == thrd_timedout);
  assert(cnd_broadcast(&cond) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success);
  assert(thrd_sleep(&now, 0) == 0);
  assert(thrd_create(&t, returns, &number) == thrd_success);
  assert(thrd_join(t, &result) == thrd_success && result == 5);
  assert(thrd_create(&t, returns, &number) == thrd_success);
  assert(thrd_detach(t) == thrd_success);
}
