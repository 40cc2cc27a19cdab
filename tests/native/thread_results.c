// Results of threads, nested creation, self, equal, names and attributes.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_t outer, inner;

static void *leaf(void *argument) {
  assert(pthread_equal(pthread_self(), inner));
  pthread_exit((char *)argument + 1);
}

static void *middle(void *argument) {
  void *result;
  char name[16];
  assert(pthread_equal(pthread_self(), outer));
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
  assert(pthread_setname_np(pthread_self(), "middle") == 0);
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(strcmp(name, "middle") == 0);
  pthread_create(&inner, 0, leaf, argument);
  pthread_join(inner, &result);
  return (char *)result + 1;
}

int main(void) {
  char bytes[3];
  void *result;
  pthread_attr_t a;
  int state;
  size_t size;
  assert(pthread_attr_init(&a) == 0);
  assert(pthread_attr_getdetachstate(&a, &state) == 0);
  assert(state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
  assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
  assert(pthread_create(&outer, &a, middle, bytes) == 0);
  assert(pthread_attr_destroy(&a) == 0);
  assert(pthread_join(outer, &result) == 0);
  assert(result == bytes + 2);
}
