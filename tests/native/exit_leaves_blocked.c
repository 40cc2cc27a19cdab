// The program ends while a thread waits for a lock that is never released:
// no deadlock.
// expect all: executions 1
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *wait(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, wait, 0);
  _exit(0);
}
