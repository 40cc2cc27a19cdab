/* Waiting until a deadline.  Under heddle a wait may time out at any moment.
 * Here the deadline is at most some milliseconds away, so that waits time out
 * in some runs, and none takes long. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

#include "real/real.h"

#define BILLION 1000000000
#define LONGEST (1 << 22) /* ns */

/* The clock of the deadline is hidden in the object, so it is guessed: the
 * calendar's clock has been above a billion seconds since 2001, the other one
 * counts from the start of the machine. */
static clockid_t clock_of(const struct timespec *deadline) {
  return deadline->tv_sec > BILLION ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

static bool before(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec < b->tv_sec ||
         (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* The deadline itself, or an earlier one in *soon.  One that is not valid
 * remains so. */
static const struct timespec *sooner(const struct timespec *deadline,
                                     struct timespec *soon) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= BILLION)
    return deadline;
  clock_gettime(clock_of(deadline), soon);
  soon->tv_nsec += heddle_real_random(LONGEST);
  soon->tv_sec += soon->tv_nsec / BILLION;
  soon->tv_nsec %= BILLION;
  return before(soon, deadline) ? soon : deadline;
}

#define DEADLINE const struct timespec *deadline
#define SOONER sooner(deadline, &soon)
#define TIMED(name, parameters, arguments) \
  int __real_##name parameters;            \
  int __wrap_##name parameters;            \
  int __wrap_##name parameters {           \
    struct timespec soon;                  \
    return __real_##name arguments;        \
  }
#include "real/timed.def"
#undef TIMED
