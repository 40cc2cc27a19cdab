/* timerfd: channels that carry how often their time was over.
 *
 * After it was set, a process of the runtime's own lets the time be over at any
 * moment, until the descriptor is set anew.  One that repeats goes on when its
 * number was read, at most AGAIN times: otherwise executions would have no end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "channel.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/libc/heap.h"
#include "system/native/pthread/sync.h"

#define SECOND UINT64_C(1000000000)

enum { AGAIN = 8 };

/* prog: in a block of the heap; part of the channel. */
struct timer_descriptor {
  uint32_t settings; /* how often it was set */
  uint32_t again;    /* it repeats: so often it may still come; else 0 */
  struct itimerspec set;
};

/* prog: on the stack of the process. */
struct expiry {
  struct channel *channel;
  uint32_t setting;
  bool absolute;
  struct timespec time;
};

/* ---- its time is over ---------------------------------------------------- */

/* Threads that wait for a later time do not wait for ever: the process counts
 * as stopped by a limit. */
static enum thread_state expire(const struct expiry *x) {
  struct channel *c = x->channel;
  struct timer_descriptor *t = c->timer;
  if (t->settings != x->setting)
    return THREAD_ENDED;
  SET(c->value, c->value + 1);
  SET(c->arrivals, c->arrivals + 1);
  if (t->again == 1)
    return THREAD_STOPPED;
  if (!t->again)
    SET(t->set.it_value, ((struct timespec){0, 0}));
  return THREAD_ENDED;
}

static void run(struct thread *t) {
  struct expiry x = *(struct expiry *)t->argument;
  if (x.absolute)
    time_reach(&x.time);
  else
    time_pass((uint64_t)x.time.tv_sec * SECOND + (uint64_t)x.time.tv_nsec);
  channel_step(x.channel, OP_EXPIRE, 0);
  thread_end(expire(&x));
}

static void start(struct channel *c, struct timespec time, bool absolute) {
  struct expiry x = {c, c->timer->settings, absolute, time};
  thread_start_helper(run, &x);
}

void timer_descriptor_taken(struct channel *c) {
  struct timer_descriptor *t = c->timer;
  if (t->again < 2)
    return;
  SET(t->again, t->again - 1);
  start(c, t->set.it_interval, false);
}

/* ---- calls --------------------------------------------------------------- */

INTERPOSED int timerfd_create(clockid_t clock, int flags) {
  struct libcall e;
  if (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC))
    return file_error(EINVAL);
  (void)clock;
  file_begin(&e, CALLER);
  file_announce(&e);
  struct channel *c = channel_new(1, CALLER);
  c->timer = heap_allocate(sizeof *c->timer, 16, CALLER);
  heap_own(c->timer);
  undo_note(c->timer, sizeof *c->timer);
  *c->timer = (struct timer_descriptor){0};
  struct description *d = description_on(
      c, NULL, O_RDONLY | (flags & TFD_NONBLOCK ? O_NONBLOCK : 0), CALLER);
  return descriptor_give(d, 0, flags & TFD_CLOEXEC);
}

/* Finds it, in a step; NULL with errno set. */
static struct channel *find(int descriptor, uint64_t pc) {
  struct libcall e;
  file_begin(&e, pc);
  file_announce(&e);
  struct description *d = description_of(descriptor);
  if (d && d->kind == DESCRIPTION_CHANNEL && d->in && d->in->timer)
    return d->in;
  if (d)
    error_set(EINVAL);
  return NULL;
}

static bool is_valid(const struct timespec *t) {
  return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

static bool is_set(const struct timespec *t) {
  return t->tv_sec || t->tv_nsec;
}

static void set(struct channel *c, const struct itimerspec *wanted, int flags) {
  struct timer_descriptor *t = c->timer;
  bool starts = is_set(&wanted->it_value),
       repeats = starts && is_set(&wanted->it_interval);
  SET(t->settings, t->settings + 1);
  SET(t->again, repeats ? AGAIN : 0);
  SET(t->set, *wanted);
  SET(c->value, 0);
  if (repeats)
    left_out("a timer descriptor that repeats goes on when it was read, at "
             "most %d times",
             AGAIN);
  if (starts)
    start(c, wanted->it_value, flags & TFD_TIMER_ABSTIME);
}

INTERPOSED int timerfd_settime(int descriptor, int flags,
                               const struct itimerspec *new,
                               struct itimerspec *old) {
  struct itimerspec wanted = LOOK(*new), before;
  struct channel *c = find(descriptor, CALLER);
  if (!c)
    return -1;
  if (!is_valid(&wanted.it_value) || !is_valid(&wanted.it_interval) ||
      flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
    return file_error(EINVAL);
  channel_step(c, OP_TIMER, CALLER);
  before = c->timer->set;
  set(c, &wanted, flags);
  if (old)
    PUT(*old, before);
  return 0;
}

INTERPOSED int timerfd_gettime(int descriptor, struct itimerspec *to) {
  struct channel *c = find(descriptor, CALLER);
  if (!c)
    return -1;
  channel_step(c, OP_TIMER, CALLER);
  struct itimerspec now = c->timer->set;
  PUT(*to, now);
  return 0;
}
