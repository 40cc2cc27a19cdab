// A thread is joined by one thread and detached by another: whichever comes
// second is wrong.
// expect error misuse
// expect message join of T1 nothing, which is detached
// expect message detach of T1 nothing, which was joined before
#include <pthread.h>

static pthread_t thread;

static void *nothing(void *unused) {
  return unused;
}

static void *detach(void *unused) {
  pthread_detach(thread);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&thread, 0, nothing, 0);
  pthread_create(&other, 0, detach, 0);
  pthread_join(thread, 0);
  pthread_join(other, 0);
}
