// A detached thread is joined.
// expect error misuse
// expect message join of T1 nothing, which is detached
#include <pthread.h>

static void *nothing(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  pthread_detach(t);
  pthread_join(t, 0); // expect misuse here
}
