/* Time nearly stands still.  It begins on 1 January 2000.  Each thread has a
 * time of its own, which advances by a millisecond whenever the thread asks for
 * it and by as much as the thread sleeps (timekeeping.h).  So a loop that waits
 * for a moment ends soon. */
#define _GNU_SOURCE
#include "libc.h"

#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "system/native/engine/timekeeping.h"
#include "system/native/hooks/hooks.h"
#include "system/native/pthread/cancel.h"

#define SECOND UINT64_C(1000000000)
#define MILLISECOND UINT64_C(1000000)

static uint64_t begin_of(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI:
    return BEGIN_REAL;
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID:
    return 0;
  default:
    return BEGIN_MONOTONIC;
  }
}

/* ---- asking -------------------------------------------------------------- */

INTERPOSED time_t time(time_t *to) {
  bool deadline = time_makes_deadline();
  if (to)
    plain_announce(to, sizeof *to, true, CALLER);
  time_t now = (time_t)((BEGIN_REAL + time_ask_for(deadline)) / SECOND);
  if (to)
    *to = now;
  return now;
}

INTERPOSED int gettimeofday(struct timeval *to, void *zone) {
  bool deadline = time_makes_deadline();
  (void)zone;
  plain_announce(to, sizeof *to, true, CALLER);
  uint64_t now = BEGIN_REAL + time_ask_for(deadline);
  to->tv_sec = (time_t)(now / SECOND);
  to->tv_usec = (suseconds_t)(now % SECOND / 1000);
  return 0;
}

INTERPOSED int clock_gettime(clockid_t clock, struct timespec *to) {
  bool deadline = time_makes_deadline();
  plain_announce(to, sizeof *to, true, CALLER);
  uint64_t now = begin_of(clock) + time_ask_for(deadline);
  to->tv_sec = (time_t)(now / SECOND);
  to->tv_nsec = (long)(now % SECOND);
  return 0;
}

INTERPOSED int timespec_get(struct timespec *to, int base) {
  bool deadline = time_makes_deadline();
  if (base != TIME_UTC)
    return 0;
  plain_announce(to, sizeof *to, true, CALLER);
  uint64_t now = BEGIN_REAL + time_ask_for(deadline);
  to->tv_sec = (time_t)(now / SECOND);
  to->tv_nsec = (long)(now % SECOND);
  return base;
}

INTERPOSED int clock_getres(clockid_t clock, struct timespec *to) {
  (void)clock;
  if (to) {
    plain_announce(to, sizeof *to, true, CALLER);
    to->tv_sec = 0;
    to->tv_nsec = (long)MILLISECOND;
  }
  return 0;
}

INTERPOSED clock_t clock(void) {
  return (clock_t)(time_ask() / 1000);
}

/* In hundredths of a second; all of it counts as the program's own time. */
INTERPOSED clock_t times(struct tms *to) {
  if (to)
    plain_announce(to, sizeof *to, true, CALLER);
  clock_t ticks = (clock_t)(time_ask() / (10 * MILLISECOND));
  if (to)
    *to = (struct tms){.tms_utime = ticks};
  return ticks;
}

/* ---- sleeping: no waiting, and no event ---------------------------------- */

INTERPOSED unsigned sleep(unsigned seconds) {
  cancel_test(CALLER);
  time_pass(seconds * SECOND);
  return 0;
}

INTERPOSED int usleep(useconds_t microseconds) {
  cancel_test(CALLER);
  time_pass(microseconds * UINT64_C(1000));
  return 0;
}

/* A duration, or a point in time; -1 if it is not valid. */
static int64_t read_timespec(const struct timespec *from, uint64_t pc) {
  plain_announce((void *)(uintptr_t)from, sizeof *from, false, pc);
  if (from->tv_sec < 0 || from->tv_sec > (INT64_C(1) << 32) ||
      from->tv_nsec < 0 || from->tv_nsec >= (long)SECOND)
    return -1;
  return from->tv_sec * (int64_t)SECOND + from->tv_nsec;
}

INTERPOSED int nanosleep(const struct timespec *time, struct timespec *rest) {
  cancel_test(CALLER);
  (void)rest;
  int64_t length = read_timespec(time, CALLER);
  if (length < 0) {
    error_set(EINVAL);
    return -1;
  }
  time_pass((uint64_t)length);
  return 0;
}

INTERPOSED int thrd_sleep(const struct timespec *time, struct timespec *rest) {
  (void)rest;
  int64_t length = read_timespec(time, CALLER);
  if (length < 0)
    return -2; /* an error, and no signal */
  time_pass((uint64_t)length);
  return 0;
}

INTERPOSED int clock_nanosleep(clockid_t clock, int flags,
                               const struct timespec *time,
                               struct timespec *rest) {
  (void)rest;
  int64_t length = read_timespec(time, CALLER);
  if (length < 0)
    return EINVAL;
  if (flags & TIMER_ABSTIME) {
    length -= (int64_t)(begin_of(clock) + time_ask());
    if (length < 0)
      return 0; /* that moment is past */
  }
  time_pass((uint64_t)length);
  return 0;
}

/* ---- calculations -------------------------------------------------------- */

INTERPOSED double difftime(time_t end, time_t begin) {
  return (double)end - (double)begin;
}
