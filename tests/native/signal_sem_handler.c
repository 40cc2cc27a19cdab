// A handler posts the semaphore that main waits for; two threads can take the
// signal, and what the step of its arrival touches does not depend on which one
// does.  No error.
// counts differ: private steps are interrupted, too
// algorithms naive source optimal observers pop stateful
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t quit;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int number) {
  (void)number;
  sem_post(&quit);
}

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&quit, 0, 0);
  signal(SIGTERM, on_signal);
  pthread_create(&t, NULL, run, NULL);
  kill(getpid(), SIGTERM);
  while (sem_wait(&quit) == -1 && errno == EINTR)
    continue;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
