// Main waits for ever, whatever a daemon does that was stopped: a deadlock.
// options --loop-bound=1
// expect error deadlock
// real no: real threads never come to an end here
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int beats;

static void *beat(void *unused) {
  for (;;)
    beats++;
  return unused;
}

static void *lock(void *unused) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  return unused;
}

int main(void) {
  pthread_t daemon, thread;
  pthread_create(&daemon, 0, beat, 0);
  pthread_mutex_lock(&right);
  pthread_create(&thread, 0, lock, 0);
  pthread_mutex_lock(&left); // expect deadlock here
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
}
