/* poll, select and epoll.
 *
 * A call looks at all its descriptors in one step.  One that has to wait looks
 * again and again: such a loop becomes waiting for a change of what it looks at
 * (engine/spin.c).  A call with a time looks once, and its time is over if
 * nothing is ready.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

#include "socket.h"
#include "system/native/engine/interrupt.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/hooks/hooks.h"
#include "system/native/libc/heap.h"
#include "system/native/pthread/cancel.h"

#define SECOND UINT64_C(1000000000)
#define MILLISECOND UINT64_C(1000000)
#define FOR_EVER (-1)
#define CANCELLED (-2)

enum { MOST = FILE_DESCRIPTORS };

/* ---- what is ready, as part of a step ------------------------------------ */

/* Of a socket that is not connected. */
static short socket_ready(const struct socket *s) {
  file_reads(&s->listens, sizeof s->listens);
  file_reads(&s->error, sizeof s->error);
  if (s->listens && !socket_is_readable(s))
    return 0;
  if (s->listens && (!s->shut || s->domain == AF_UNIX))
    return POLLIN | POLLRDNORM;
  if (s->shut == 2)
    return POLLIN | POLLOUT | POLLHUP;
  return POLLOUT | POLLWRNORM | POLLHUP | (s->error ? POLLERR | POLLIN : 0);
}

static short channel_ready(const struct description *d) {
  if (d->socket)
    file_reads(&d->in, 2 * sizeof d->in);
  if (d->socket && !d->in)
    return socket_ready(d->socket);
  const struct channel *in = d->in, *out = d->out;
  short ready = 0;
  if (in && channel_is_readable(in)) {
    bool data = in->count || in->value;
    ready |= data || out ? POLLIN | POLLRDNORM : 0;
    if (!in->writers && (!out || !out->readers))
      ready |= POLLHUP;
    if ((!in->writers || in->shut) && out)
      ready |= POLLRDHUP;
    if (in->reset)
      ready |= POLLERR;
  }
  if (out && channel_is_writable(out))
    ready |= POLLOUT | POLLWRNORM;
  if (out && !out->readers && !in)
    ready |= POLLERR;
  return ready;
}

static short signal_descriptor_ready(const struct description *d) {
  file_reads(&d->signals, sizeof d->signals);
  return signals_are_pending(d->signals) ? POLLIN | POLLRDNORM : 0;
}

static short ready_now(const struct description *d, short wanted) {
  short always = POLLHUP | POLLERR;
  short ready = d->kind == DESCRIPTION_CHANNEL   ? channel_ready(d)
                : d->kind == DESCRIPTION_SIGNALS ? signal_descriptor_ready(d)
                : d->kind == DESCRIPTION_OUTPUT  ? POLLOUT
                                                 : POLLIN | POLLOUT;
  return ready & (wanted | always);
}

/* How many of the files are ready. */
static int look_at(struct pollfd *files, nfds_t count) {
  int number = 0;
  for (nfds_t i = 0; i < count; i++) {
    files[i].revents = 0;
    if (files[i].fd < 0)
      continue;
    const struct description *d = description_of(files[i].fd);
    files[i].revents = d ? ready_now(d, files[i].events) : POLLNVAL;
    number += files[i].revents != 0;
  }
  return number;
}

/* ---- poll ---------------------------------------------------------------- */

/* Clears the stack below the caller.  A look leaves bytes there, which would
 * show in holes of the next look's frames, and a loop is recognised by its
 * stack. */
static __attribute__((noinline)) void clear_below(void) {
  char room[4096];
  memset(room, 0, sizeof room);
  __asm__ volatile("" : : "r"(room) : "memory");
}

/* Of the running thread's call: it has a signal mask. */
#define masked (self && self->masked)

/* A look; one that waits is repeated if it is in vain. */
static void begin_look(struct libcall *e, bool waits, uint64_t pc) {
  file_begin(e, pc);
  e->op.op = waits ? OP_POLL : OP_READY;
  e->op.interruptible = !waits   ? INTERRUPT_NOT
                        : masked ? INTERRUPT_ATOMIC
                                 : INTERRUPT_ALWAYS;
}

/* One look.  If something is ready, *staged is a copy of the files with the
 * results. */
static __attribute__((noinline)) int poll_once(const struct pollfd *files,
                                               nfds_t count, bool waits,
                                               struct pollfd **staged,
                                               uint64_t pc) {
  static struct pollfd now[MOST]; /* keep: scratch */
  struct libcall e;
  begin_look(&e, waits, pc);
  libcall_read(&e, files, count * sizeof *files);
  file_announce(&e);
  if (interrupted())
    return file_error(EINTR);
  if (cancel_pending())
    return CANCELLED;
  memcpy(now, files, count * sizeof *files);
  int saved = file_error_now(), number = look_at(now, count);
  error_set(saved);
  if (waits && !number)
    spin_in_vain();
  if (number)
    *staged = (void *)channel_stage(now, count * sizeof *now, pc);
  return number;
}

/* Stores what is ready, in one step.  `now`: a copy with the results; NULL:
 * nothing is. */
static void tell_ready(struct pollfd *files, const struct pollfd *now,
                       nfds_t count, uint64_t pc) {
  struct libcall e;
  libcall_begin(&e, OP_COPY, pc);
  if (count > LIBCALL_ACCESSES)
    e.op.flags |= STEP_BLOCK;
  for (nfds_t i = 0; i < count; i++)
    libcall_overwrite(&e, &files[i].revents, sizeof files[i].revents);
  libcall_announce(&e);
  for (nfds_t i = 0; i < count; i++) {
    if (i >= LIBCALL_ACCESSES)
      touches(&e, &files[i].revents, sizeof files[i].revents);
    files[i].revents = now ? now[i].revents : 0;
  }
}

/* `time`: in nanoseconds, or FOR_EVER. */
static int poll_files(struct pollfd *files, nfds_t count, int64_t time,
                      uint64_t pc) {
  struct pollfd *staged = NULL;
  int number;
  if (!count && time >= 0) { /* it only sleeps */
    time_pass((uint64_t)time);
    return 0;
  }
  if (count > MOST)
    return file_error(EINVAL);
  do {
    clear_below();
    number = poll_once(files, count, time == FOR_EVER, &staged, pc);
  } while (!number && time == FOR_EVER);
  if (number == CANCELLED)
    cancel_act();
  if (number < 0)
    return -1;
  if (!number)
    time_pass((uint64_t)time);
  tell_ready(files, staged, count, pc);
  return number;
}

static int64_t of_milliseconds(int time) {
  return time < 0 ? FOR_EVER : (int64_t)time * (int64_t)MILLISECOND;
}

INTERPOSED int poll(struct pollfd *files, nfds_t count, int time) {
  return poll_files(files, count, of_milliseconds(time), CALLER);
}

INTERPOSED int __poll_chk(struct pollfd *, nfds_t, int, size_t);
INTERPOSED int __poll_chk(struct pollfd *files, nfds_t count, int time,
                          size_t room) {
  if (count * sizeof *files > room)
    fail(FINDING_MEMORY, CALLER, "out of bounds: poll of an array of %zu bytes",
         room);
  return poll_files(files, count, of_milliseconds(time), CALLER);
}

static int64_t of_timespec(const struct timespec *time, uint64_t pc) {
  if (!time)
    return FOR_EVER;
  struct timespec t = LOOK_AT(*time, pc);
  return t.tv_sec * (int64_t)SECOND + t.tv_nsec;
}

/* With another signal mask.  A signal that this lets through ends the call. */
#define WITH_MASK(mask, call)                                 \
  ({                                                          \
    unsigned long before = 0;                                 \
    int result = -1;                                          \
    if (!(mask) || signals_enter_mask(mask, &before, CALLER)) \
      result = (call);                                        \
    if (mask)                                                 \
      signals_leave_mask(before, CALLER);                     \
    result;                                                   \
  })

INTERPOSED int ppoll(struct pollfd *files, nfds_t count,
                     const struct timespec *time, const sigset_t *mask) {
  int64_t length = of_timespec(time, CALLER);
  return WITH_MASK(mask, poll_files(files, count, length, CALLER));
}

/* ---- select -------------------------------------------------------------- */

static bool has(const fd_set *set, int descriptor) {
  return set &&
         (set->fds_bits[descriptor / __NFDBITS] >> (descriptor % __NFDBITS)) &
             1;
}

/* The sets, as far as they are there; SETS bytes each. */
struct sets {
  fd_set *at[3]; /* to be read, written, or with exceptions */
  fd_set now[3];
  int count;
};

static const short wanted[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR,
                                POLLPRI};

static size_t set_bytes(const struct sets *s) {
  return ((size_t)s->count + __NFDBITS - 1) / __NFDBITS * sizeof(__fd_mask);
}

/* As part of a step: leaves in `now` what is ready; -1: a descriptor is not
 * open. */
static int look_at_sets(struct sets *s) {
  int number = 0;
  memset(s->now, 0, sizeof s->now);
  for (int i = 0; i < s->count; i++)
    for (int kind = 0; kind < 3; kind++) {
      if (!has(s->at[kind], i))
        continue;
      const struct description *d = description_of(i);
      if (!d)
        return -1;
      if (!(ready_now(d, wanted[kind]) & wanted[kind]))
        continue;
      s->now[kind].fds_bits[i / __NFDBITS] |= (__fd_mask)1 << i % __NFDBITS;
      number++;
    }
  return number;
}

static __attribute__((noinline)) int select_once(struct sets *s, bool waits,
                                                 uint64_t pc) {
  struct libcall e;
  begin_look(&e, waits, pc);
  for (int kind = 0; kind < 3; kind++)
    if (s->at[kind])
      libcall_read(&e, s->at[kind], set_bytes(s));
  file_announce(&e);
  if (interrupted())
    return file_error(EINTR);
  if (cancel_pending())
    return CANCELLED;
  int number = look_at_sets(s);
  if (waits && !number)
    spin_in_vain();
  return number;
}

static int select_files(struct sets *s, int64_t time, uint64_t pc) {
  int number;
  if (s->count < 0 || s->count > FD_SETSIZE)
    return file_error(EINVAL);
  if (!s->count && time >= 0) { /* it only sleeps */
    time_pass((uint64_t)time);
    return 0;
  }
  do {
    clear_below();
    number = select_once(s, time == FOR_EVER, pc);
  } while (!number && time == FOR_EVER);
  if (number == CANCELLED)
    cancel_act();
  if (number < 0)
    return -1;
  if (!number)
    time_pass((uint64_t)time);
  for (int kind = 0; kind < 3; kind++)
    if (s->at[kind] && s->count)
      copy_memory(s->at[kind], &s->now[kind], set_bytes(s), pc, NULL);
  return number;
}

/* Linux leaves in *time what is left of it. */
INTERPOSED int select(int count, fd_set *read, fd_set *write, fd_set *except,
                      struct timeval *time) {
  struct sets s = {{read, write, except}, {{{0}}}, count};
  if (!time)
    return select_files(&s, FOR_EVER, CALLER);
  struct timeval t = LOOK(*time);
  if (t.tv_sec < 0 || t.tv_usec < 0)
    return file_error(EINVAL);
  int number = select_files(
      &s, t.tv_sec * (int64_t)SECOND + t.tv_usec * INT64_C(1000), CALLER);
  if (!number)
    PUT(*time, ((struct timeval){0}));
  return number;
}

INTERPOSED int pselect(int count, fd_set *read, fd_set *write, fd_set *except,
                       const struct timespec *time, const sigset_t *mask) {
  struct sets s = {{read, write, except}, {{{0}}}, count};
  int64_t length = of_timespec(time, CALLER);
  return WITH_MASK(mask, select_files(&s, length, CALLER));
}

INTERPOSED long __fdelt_chk(long);
INTERPOSED long __fdelt_chk(long descriptor) {
  if (descriptor < 0 || descriptor >= FD_SETSIZE)
    fail(FINDING_MEMORY, CALLER, "out of bounds: descriptor %ld in an fd_set",
         descriptor);
  return descriptor / __NFDBITS;
}

/* ---- epoll --------------------------------------------------------------- */

/* prog: in a block of the heap. */
struct interest {
  int descriptor;
  struct description *at;
  struct epoll_event event;
  struct interest *next;
  bool spent;    /* EPOLLONESHOT: told once, and not renewed since */
  uint64_t told; /* EPOLLET: how many changes there were when it was told */
};

enum { NEVER_TOLD = -1 };

/* keep: what a look has found. */
struct ready_interest {
  struct epoll_event event;
  struct interest *of;
};

static int make_epoll(int flags, uint64_t pc) {
  struct libcall e;
  if (flags & ~EPOLL_CLOEXEC)
    return file_error(EINVAL);
  file_begin(&e, pc);
  file_announce(&e);
  return descriptor_give(description_new(DESCRIPTION_EPOLL, 0, pc), 0, flags);
}

INTERPOSED int epoll_create(int size) {
  return size > 0 ? make_epoll(0, CALLER) : file_error(EINVAL);
}

INTERPOSED int epoll_create1(int flags) {
  return make_epoll(flags, CALLER);
}

/* The link to the interest in a descriptor, or to the end of the list. */
static struct interest **find(struct description *d, int descriptor,
                              const struct description *at) {
  struct interest **link = &d->interests;
  while (*link && ((*link)->descriptor != descriptor || (*link)->at != at))
    link = &(*link)->next;
  return link;
}

static struct interest *interest_new(int descriptor, struct description *at,
                                     uint64_t pc) {
  struct interest *i = heap_allocate(sizeof *i, 16, pc);
  heap_own(i);
  undo_note(i, sizeof *i);
  *i = (struct interest){.descriptor = descriptor, .at = at};
  return i;
}

static void check_events(uint32_t events, const struct description *at) {
  if (events & EPOLLEXCLUSIVE)
    refuse("epoll with EPOLLEXCLUSIVE is not supported");
  if (events & EPOLLET && at->kind != DESCRIPTION_CHANNEL)
    refuse("EPOLLET is not supported for signalfd");
}

/* How many changes came that EPOLLET tells of, as part of a step that has
 * looked whether the descriptor is ready.  As in Linux, each new piece of data
 * is one, and room is where there was none.  Both channels of a connection are
 * closed in steps of their own, but at once for the other end: the ends of one
 * count. */
static uint64_t changes(const struct interest *i) {
  const struct description *d = i->at;
  const struct channel *in = d->in, *out = d->out;
  uint64_t count = in || out ? (in ? in : out)->ends : 0;
  if (d->socket)
    count += d->socket->arrivals + (in != NULL);
  if (in && i->event.events & (EPOLLIN | EPOLLRDNORM))
    count += in->arrivals;
  if (out && i->event.events & (EPOLLOUT | EPOLLWRNORM))
    count += out->rooms;
  return count;
}

static bool was_told(const struct interest *i) {
  return i->event.events & EPOLLET && i->told == changes(i);
}

static int change_interest(struct description *d, int operation, int descriptor,
                           struct description *at,
                           const struct epoll_event *event, uint64_t pc) {
  file_writes(&d->offset, sizeof d->offset); /* stands for the list */
  struct interest **link = find(d, descriptor, at);
  if (operation == EPOLL_CTL_ADD && *link)
    return file_error(EEXIST);
  if (operation != EPOLL_CTL_ADD && !*link)
    return file_error(ENOENT);
  if (operation == EPOLL_CTL_DEL) {
    SET(*link, (*link)->next);
    return 0;
  }
  check_events(event->events, at);
  if (!*link)
    SET(*link, interest_new(descriptor, at, pc));
  SET((*link)->event, *event);
  SET((*link)->spent, false);
  SET((*link)->told, (uint64_t)NEVER_TOLD);
  return 0;
}

INTERPOSED int epoll_ctl(int epoll, int operation, int descriptor,
                         struct epoll_event *event) {
  struct libcall e;
  bool reads = operation == EPOLL_CTL_ADD || operation == EPOLL_CTL_MOD;
  if (!reads && operation != EPOLL_CTL_DEL)
    return file_error(EINVAL);
  file_begin(&e, CALLER);
  if (reads)
    libcall_read(&e, event, sizeof *event);
  file_announce(&e);
  struct description *d = description_of(epoll);
  struct description *at = d ? description_of(descriptor) : NULL;
  if (!at)
    return -1;
  if (d->kind != DESCRIPTION_EPOLL || d == at)
    return file_error(EINVAL);
  if (at->kind == DESCRIPTION_EPOLL)
    refuse("epoll on an epoll descriptor is not supported");
  if (at->kind != DESCRIPTION_CHANNEL && at->kind != DESCRIPTION_SIGNALS)
    return file_error(EPERM);
  return change_interest(d, operation, descriptor, at, event, CALLER);
}

static int look_at_interests(const struct description *d,
                             struct ready_interest *to) {
  int number = 0;
  file_reads(&d->offset, sizeof d->offset);
  for (struct interest *i = d->interests; i && number < MOST; i = i->next) {
    if (i->spent)
      continue;
    file_reads(&i->at->users, sizeof i->at->users);
    short ready = i->at->users ? ready_now(i->at, (short)i->event.events) : 0;
    if (ready && !was_told(i))
      to[number++] =
          (struct ready_interest){{(uint32_t)ready, i->event.data}, i};
  }
  return number;
}

/* Those that are told once are not looked at from now on, and those of changes
 * are told at the next change. */
static void spend(struct description *d, const struct ready_interest *found,
                  int number) {
  for (int i = 0; i < number; i++) {
    struct interest *of = found[i].of;
    if (!(of->event.events & (EPOLLONESHOT | EPOLLET)))
      continue;
    file_writes(&d->offset, sizeof d->offset);
    SET(of->spent, (of->event.events & EPOLLONESHOT) != 0);
    SET(of->told, changes(of));
  }
}

/* epoll tells in any order what is ready; which descriptors a program hears of
 * first may matter.  All orders of three are tried. */
static void in_any_order(struct ready_interest *at, int number) {
  enum { ALL = 3 };
  unsigned orders = 1;
  for (int i = 2; i <= number && i <= ALL; i++)
    orders *= (unsigned)i;
  if (number > ALL)
    left_out("epoll_wait with more than %d ready descriptors: not all orders "
             "are tried",
             ALL);
  unsigned chosen = choose(orders);
  for (int i = number < ALL ? number : ALL; i > 1; i--) {
    struct ready_interest last = at[i - 1];
    int other = (int)(chosen % (unsigned)i);
    chosen /= (unsigned)i;
    at[i - 1] = at[other];
    at[other] = last;
  }
}

/* One look; as poll_once(). */
static __attribute__((noinline)) int epoll_once(int epoll, int most, bool waits,
                                                struct epoll_event **staged,
                                                uint64_t pc) {
  static struct ready_interest found[MOST]; /* keep: scratch, as the next */
  static struct epoll_event now[MOST];
  struct libcall e;
  begin_look(&e, waits, pc);
  file_announce(&e);
  if (interrupted())
    return file_error(EINTR);
  if (cancel_pending())
    return CANCELLED;
  struct description *d = description_of(epoll);
  if (!d)
    return -1;
  if (d->kind != DESCRIPTION_EPOLL)
    return file_error(EINVAL);
  int number = look_at_interests(d, found);
  if (waits && !number)
    spin_in_vain();
  if (number > 1)
    in_any_order(found, number);
  if (number > most)
    number = most;
  spend(d, found, number);
  for (int i = 0; i < number; i++)
    now[i] = found[i].event;
  if (number)
    *staged = (void *)channel_stage(now, (size_t)number * sizeof *now, pc);
  return number;
}

static int epoll_files(int epoll, struct epoll_event *to, int most, int time,
                       uint64_t pc) {
  struct epoll_event *staged = NULL;
  int number;
  if (most <= 0)
    return file_error(EINVAL);
  if (most > MOST)
    most = MOST;
  do {
    clear_below();
    number = epoll_once(epoll, most, time < 0, &staged, pc);
  } while (!number && time < 0);
  if (number == CANCELLED)
    cancel_act();
  if (number < 0)
    return -1;
  if (number)
    copy_memory(to, staged, (size_t)number * sizeof *to, pc, NULL);
  else
    time_pass((uint64_t)time * MILLISECOND);
  return number;
}

INTERPOSED int epoll_wait(int epoll, struct epoll_event *to, int most,
                          int time) {
  return epoll_files(epoll, to, most, time, CALLER);
}

INTERPOSED int epoll_pwait(int epoll, struct epoll_event *to, int most,
                           int time, const sigset_t *mask) {
  return WITH_MASK(mask, epoll_files(epoll, to, most, time, CALLER));
}
