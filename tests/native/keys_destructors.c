// Each thread has its own value; destructors run at its end, again if one of
// them sets a value, but not for ever.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t counted, stubborn, plain;
static int destroyed, rounds;

static void count(void *value) {
  assert(value == &destroyed && pthread_getspecific(counted) == 0);
  destroyed++;
}

static void set_again(void *value) {
  rounds++;
  pthread_setspecific(stubborn, value);
}

static void *user(void *unused) {
  (void)unused;
  assert(pthread_getspecific(counted) == 0);
  assert(pthread_setspecific(counted, &destroyed) == 0);
  assert(pthread_setspecific(plain, &destroyed) == 0);
  assert(pthread_setspecific(stubborn, &rounds) == 0);
  pthread_exit(0);
}

int main(void) {
  pthread_t t;
  assert(pthread_key_create(&counted, count) == 0);
  assert(pthread_key_create(&plain, 0) == 0);
  assert(pthread_key_create(&stubborn, set_again) == 0);
  assert(pthread_setspecific(plain, &t) == 0);
  pthread_create(&t, 0, user, 0);
  pthread_join(t, 0);
  assert(destroyed == 1 && rounds == PTHREAD_DESTRUCTOR_ITERATIONS);
  assert(pthread_getspecific(plain) == &t);
  assert(pthread_key_delete(plain) == 0);
  assert(pthread_key_delete(plain) == EINVAL);
  assert(pthread_setspecific(plain, 0) == EINVAL);
  assert(pthread_key_create(&plain, 0) == 0);
  assert(pthread_getspecific(plain) == 0);
}
