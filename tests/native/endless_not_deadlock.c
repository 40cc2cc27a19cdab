// A thread that was stopped could still unlock the mutex that main waits for.
// options --loop-bound=1
// expect incomplete
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  while (count < 9)
    count++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
