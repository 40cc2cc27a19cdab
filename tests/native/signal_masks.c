// No signal arrives; masks are kept for the thread, and inherited.
// expect optimal: executions 1, blocked 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>

static void *look(void *unused) {
  sigset_t now;
  assert(pthread_sigmask(SIG_SETMASK, 0, &now) == 0);
  assert(sigismember(&now, SIGALRM) == 1 && sigismember(&now, SIGUSR1) == 0);
  return unused;
}

static void child(void) {
}

int main(void) {
  sigset_t set, old;
  pthread_t thread;
  pthread_attr_t large;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGKILL);
  assert(sigaddset(&set, 1000) == -1 && errno == EINVAL);
  assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0);
  assert(sigismember(&old, SIGALRM) == 0);
  sigdelset(&set, SIGALRM);
  assert(sigprocmask(SIG_UNBLOCK, &set, &old) == 0);
  assert(sigismember(&old, SIGUSR1) == 1 && sigismember(&old, SIGKILL) == 0);
  assert(sigprocmask(77, &set, 0) == -1 && errno == EINVAL);
  assert(pthread_atfork(0, 0, child) == 0 && PTHREAD_STACK_MIN > 0);
  pthread_attr_init(&large);
  assert(pthread_attr_setstacksize(&large, 8 << 20) == 0);
  pthread_create(&thread, &large, look, 0);
  pthread_join(thread, 0);
}
