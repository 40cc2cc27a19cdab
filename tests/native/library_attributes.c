// Attributes are memory as any other: set by one thread, used by another.
// expect output "detached\n"
// expect output "joinable\n"
#include <pthread.h>
#include <stdio.h>

static pthread_attr_t attributes;

static void *nothing(void *unused) {
  return unused;
}

static void *set(void *unused) {
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  return unused;
}

int main(void) {
  pthread_t setter, thread;
  int state;
  pthread_attr_init(&attributes);
  pthread_create(&setter, 0, set, 0);
  pthread_attr_getdetachstate(&attributes, &state);
  pthread_join(setter, 0);
  pthread_create(&thread, &attributes, nothing, 0);
  puts(state == PTHREAD_CREATE_DETACHED ? "detached" : "joinable");
}
