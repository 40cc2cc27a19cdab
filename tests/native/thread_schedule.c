// What threads are told of scheduling is kept and has no effect: policies, priorities,
// processors, default attributes; and a thread's signal mask comes from its attributes.
// algorithms naive optimal
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void *run(void *unused) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  assert(sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_attr_t a, b;
  struct sched_param parameter = {.sched_priority = 0};
  clockid_t clock;
  struct timespec now;
  sigset_t mask, got;
  cpu_set_t set;
  int policy;
  size_t size;
  assert(!pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameter));
  assert(!pthread_getschedparam(pthread_self(), &policy, &parameter));
  assert(policy == SCHED_BATCH && sched_getscheduler(0) == SCHED_BATCH);
  parameter.sched_priority = 5;
  assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameter) ==
         EINVAL);
  assert(pthread_setschedprio(pthread_self(), 7) == EINVAL);
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(!pthread_setaffinity_np(pthread_self(), sizeof set, &set));
  CPU_SET(1, &set);
  assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set));
  assert(CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
  CPU_ZERO(&set);
  assert(sched_setaffinity(getpid(), sizeof set, &set) && errno == EINVAL);
  assert(!pthread_setconcurrency(3) && pthread_getconcurrency() == 3);
  assert(!pthread_getcpuclockid(pthread_self(), &clock));
  assert(!clock_gettime(clock, &now));

  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  pthread_attr_init(&a);
  assert(pthread_attr_getsigmask_np(&a, &got) == PTHREAD_ATTR_NO_SIGMASK_NP);
  assert(!pthread_attr_setsigmask_np(&a, &mask));
  assert(!pthread_attr_getsigmask_np(&a, &got) && sigismember(&got, SIGUSR1));
  assert(!pthread_create(&t, &a, run, NULL));
  pthread_join(t, NULL);

  pthread_attr_init(&b);
  pthread_attr_setstacksize(&b, 1 << 20);
  assert(!pthread_setattr_default_np(&b));
  assert(!pthread_getattr_default_np(&a));
  assert(!pthread_attr_getstacksize(&a, &size) && size == 1 << 20);
  parameter.sched_priority = 1;
  assert(pthread_attr_setschedparam(&b, &parameter) == EINVAL);
}
