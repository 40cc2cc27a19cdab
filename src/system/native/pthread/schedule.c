/* Scheduling policies, priorities and processors: kept for the program to read
 * back, without effect.  All schedules are explored anyway. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <string.h>
#include <time.h>

#include "system/native/libc/libc.h"
#include "system/native/pthread/sync.h"

/* prog: what a thread was told; all zero: SCHED_OTHER, on both processors. */
struct told {
  uint8_t policy;
  uint8_t processors; /* a bit for each; 0: both */
  int16_t priority;
};

enum { BOTH = 3 }; /* as sysconf() says */

/* prog */
PROG static struct told schedules[NATIVE_THREADS];

static int error(int code) {
  error_set(code);
  return -1;
}

static const struct told *look_up(const struct thread *t, uint64_t pc) {
  library_state(&schedules[t->id], sizeof *schedules, false, pc);
  return &schedules[t->id];
}

static void put(const struct thread *t, struct told s, uint64_t pc) {
  library_state(&schedules[t->id], sizeof *schedules, true, pc);
  s.processors = schedules[t->id].processors;
  SET(schedules[t->id], s);
}

bool schedule_is_valid(int policy, int priority) {
  switch (policy & ~SCHED_RESET_ON_FORK) {
  case SCHED_FIFO:
  case SCHED_RR:
    return priority >= 1 && priority <= 99;
  case SCHED_OTHER:
  case SCHED_BATCH:
  case SCHED_IDLE:
    return priority == 0;
  default:
    return false;
  }
}

void schedule_begin(const struct thread *t, const struct thread_wishes *w) {
  struct told s = {.policy = w->policy,
                   .processors = w->processors & BOTH,
                   .priority = (int16_t)w->priority};
  if (memcmp(&schedules[t->id], &s, sizeof s) != 0)
    SET(schedules[t->id], s);
}

/* ---- pthreads ------------------------------------------------------------ */

static int change(const struct thread *t, int policy,
                  const struct sched_param *parameter, uint64_t pc) {
  int priority = LOOK_AT(parameter->sched_priority, pc);
  if (!schedule_is_valid(policy, priority))
    return EINVAL;
  put(t, (struct told){(uint8_t)policy, 0, (int16_t)priority}, pc);
  return 0;
}

INTERPOSED int pthread_setschedparam(pthread_t handle, int policy,
                                     const struct sched_param *parameter) {
  return change(thread_of(handle, "scheduling", CALLER), policy, parameter,
                CALLER);
}

INTERPOSED int pthread_getschedparam(pthread_t handle, int *policy,
                                     struct sched_param *parameter) {
  const struct thread *t = thread_of(handle, "scheduling", CALLER);
  struct told s = *look_up(t, CALLER);
  PUT(*policy, s.policy);
  PUT(parameter->sched_priority, s.priority);
  return 0;
}

INTERPOSED int pthread_setschedprio(pthread_t handle, int priority) {
  const struct thread *t = thread_of(handle, "scheduling", CALLER);
  struct told s = *look_up(t, CALLER);
  if (!schedule_is_valid(s.policy, priority))
    return EINVAL;
  s.priority = (int16_t)priority;
  put(t, s, CALLER);
  return 0;
}

/* ---- processors ---------------------------------------------------------- */

int affinity_put(uint8_t processors, size_t size, void *set, uint64_t pc) {
  unsigned char bits[sizeof(cpu_set_t)] = {processors ? processors : BOTH};
  if (size < sizeof(long))
    return EINVAL;
  if (size > sizeof bits)
    size = sizeof bits;
  plain_announce(set, size, true, pc);
  memcpy(set, bits, size);
  return 0;
}

static int affinity_get(const struct thread *t, size_t size, void *set,
                        uint64_t pc) {
  return affinity_put(look_up(t, pc)->processors, size, set, pc);
}

static int affinity_set(const struct thread *t, size_t size, const void *set,
                        uint64_t pc) {
  if (!size)
    return EINVAL;
  uint8_t wanted = LOOK_AT(*(const uint8_t *)set, pc) & BOTH;
  if (!wanted)
    return EINVAL;
  library_state(&schedules[t->id], sizeof *schedules, true, pc);
  SET(schedules[t->id].processors, wanted);
  return 0;
}

INTERPOSED int pthread_setaffinity_np(pthread_t handle, size_t size,
                                      const cpu_set_t *set) {
  return affinity_set(thread_of(handle, "scheduling", CALLER), size, set,
                      CALLER);
}

INTERPOSED int pthread_getaffinity_np(pthread_t handle, size_t size,
                                      cpu_set_t *set) {
  return affinity_get(thread_of(handle, "scheduling", CALLER), size, set,
                      CALLER);
}

/* ---- by numbers of threads ----------------------------------------------- */

/* NULL, with errno set: there is none. */
static const struct thread *numbered(pid_t number) {
  unsigned n = (unsigned)(number - PROCESS_ID);
  if (!number)
    return current();
  if (n < thread_count() && (!n || thread_get(n)->state != THREAD_NONE))
    return thread_get(n);
  error_set(ESRCH);
  return NULL;
}

static int result_of(int code) {
  return code ? error(code) : 0;
}

INTERPOSED int sched_getaffinity(pid_t number, size_t size, cpu_set_t *set) {
  const struct thread *t = numbered(number);
  return t ? result_of(affinity_get(t, size, set, CALLER)) : -1;
}

INTERPOSED int sched_setaffinity(pid_t number, size_t size,
                                 const cpu_set_t *set) {
  const struct thread *t = numbered(number);
  return t ? result_of(affinity_set(t, size, set, CALLER)) : -1;
}

INTERPOSED int sched_setscheduler(pid_t number, int policy,
                                  const struct sched_param *parameter) {
  const struct thread *t = numbered(number);
  return t ? result_of(change(t, policy, parameter, CALLER)) : -1;
}

INTERPOSED int sched_getscheduler(pid_t number) {
  const struct thread *t = numbered(number);
  return t ? look_up(t, CALLER)->policy : -1;
}

INTERPOSED int sched_setparam(pid_t number,
                              const struct sched_param *parameter) {
  const struct thread *t = numbered(number);
  return t ? result_of(change(t, look_up(t, CALLER)->policy, parameter, CALLER))
           : -1;
}

INTERPOSED int sched_getparam(pid_t number, struct sched_param *parameter) {
  const struct thread *t = numbered(number);
  if (!t)
    return -1;
  PUT(parameter->sched_priority, look_up(t, CALLER)->priority);
  return 0;
}

/* ---- others -------------------------------------------------------------- */

/* pthread_yield() is this function too, in glibc's header. */
INTERPOSED int sched_yield(void) {
  return 0;
}

/* prog */
PROG static int concurrency;

INTERPOSED int pthread_setconcurrency(int level) {
  if (level < 0)
    return EINVAL;
  library_state(&concurrency, sizeof concurrency, true, CALLER);
  SET(concurrency, level);
  return 0;
}

INTERPOSED int pthread_getconcurrency(void) {
  library_state(&concurrency, sizeof concurrency, false, CALLER);
  return concurrency;
}

/* Each thread's clock goes on as its time does; there is one for all. */
INTERPOSED int pthread_getcpuclockid(pthread_t handle, clockid_t *clock) {
  (void)thread_of(handle, "the clock", CALLER);
  PUT(*clock, CLOCK_THREAD_CPUTIME_ID);
  return 0;
}

INTERPOSED int clock_getcpuclockid(pid_t number, clockid_t *clock) {
  if (number && number != PROCESS_ID)
    return ESRCH;
  PUT(*clock, CLOCK_PROCESS_CPUTIME_ID);
  return 0;
}

INTERPOSED int sched_rr_get_interval(pid_t number, struct timespec *to) {
  if (!numbered(number))
    return -1;
  PUT(*to, ((struct timespec){.tv_nsec = 100000000}));
  return 0;
}
