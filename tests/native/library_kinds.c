// The kind of a mutex comes from attributes that another thread may set.
// expect output "0\n"
// expect output "35\n"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutexattr_t attributes;
static pthread_mutex_t mutex;

static void *set(void *unused) {
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  return unused;
}

int main(void) {
  pthread_t setter;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_create(&setter, 0, set, 0);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutex_lock(&mutex);
  printf("%d\n", pthread_mutex_lock(&mutex)); // 35 is EDEADLK
  pthread_join(setter, 0);
}
