// The stop of a thread by --loop-bound ends its attention to signals, as its end does: a
// signal that arrives before the last step interrupts it, and one behind it does not.
// options --races=off --loop-bound=2
// algorithms optimal source pop
// modes undo
// expect incomplete
// expect output ""
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int y;
static pthread_t t;
static atomic_int ready;
static void handler(int s) {
  (void)s;
  if (!pthread_mutex_trylock(&m))
    pthread_mutex_unlock(&m);
}
static void *poll(void *unused) {
  int v;
  ready = 1;
  do {
    pthread_mutex_lock(&m);
    v = y;
    pthread_mutex_unlock(&m);
  } while (!v);
  return unused;
}
int main(void) {
  signal(SIGUSR1, handler);
  pthread_create(&t, NULL, poll, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_mutex_lock(&m);
  y = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
