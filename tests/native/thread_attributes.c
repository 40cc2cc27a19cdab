// Attributes are kept, and those of a running thread can be asked for.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *work(void *unused) {
  pthread_attr_t a;
  void *low;
  size_t size;
  cpu_set_t set;
  assert(!pthread_getattr_np(pthread_self(), &a));
  assert(!pthread_attr_getstack(&a, &low, &size));
  assert((uintptr_t)&a - (uintptr_t)low < size);
  assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set));
  assert(CPU_ISSET(0, &set) || CPU_ISSET(1, &set));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_attr_t a;
  pthread_mutexattr_t m;
  static char memory[1 << 20];
  void *low;
  size_t size;
  int value;
  pthread_attr_init(&a);
  assert(!pthread_attr_setstack(&a, memory, sizeof memory));
  assert(!pthread_attr_getstack(&a, &low, &size));
  assert(low == memory && size == sizeof memory);
  pthread_attr_destroy(&a);
  pthread_mutexattr_init(&m);
  pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE);
  assert(!pthread_mutexattr_getrobust(&m, &value));
  assert(value == PTHREAD_MUTEX_ROBUST);
  assert(!pthread_mutexattr_gettype(&m, &value));
  assert(value == PTHREAD_MUTEX_RECURSIVE);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
}
