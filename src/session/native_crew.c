#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "session/native_crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "session/native_checkpoint.h"
#include "session/native_result.h"
#include "system/native/engine/control.h"
#include "util/ensure.h"
#include "util/text.h"

enum {
  FIRST_SHARE =
      HOSTILE ? 2
              : 1000, /* executions before it: by then the system knows most of
                         the memory that is shared, and seldom starts again, and
                         `pop` has learnt what the default steps are */
  STEPS_FREE = HOSTILE ? 0 : 512, /* see may_be_free() */
  STEPS_FULL = HOSTILE ? 0 : 8192,
  STEPS_SHOWN = HOSTILE ? 0 : 512, /* see is_due() */
  MOST_STALE = 2, /* so often the search begins anew, then it is not shared
                         any more */
};

/* Seconds of its own that a process explores between two forks.  A fork costs
 * both processes one to three thousandths: they copy each page that they write.
 */
#define PAUSE (HOSTILE ? 0 : 0.01)
#define FREE_LOOK 0.005 /* seconds between two looks for a place */
#define LOOK 0.1        /* seconds between two looks at what others do */
#define QUIET 30.0      /* seconds without progress until asking why */
#define FREE 0          /* a place that no process has */
#define RESERVED -1     /* a place for a process that is about to be forked */

/* keep, in memory that all processes share. */
struct crew_shared {
  uint32_t stale;    /* a process found that all must begin anew */
  uint32_t folds;    /* all are to tell what they have, and what is left */
  uint64_t progress; /* counts executions and parts of them */
  uint32_t asked;    /* how often the command has asked how much is left */
  int32_t free;      /* places; more if a process was killed */
  struct crew_place {
    int32_t pid;
    double left; /* executions that it has left, as far as it knows */
  } place[];     /* the processes that explore now, --jobs of them */
};

struct crew_child {
  pid_t pid;
  int pipe;
  struct text given; /* the schedules that it explores */
};

/* keep */
static struct {
  struct crew_shared *shared;
  struct crew_place *place; /* ours; NULL while waiting */
  bool on;
  bool is_child;
  bool ends; /* the search is over */
  int up;    /* to the parent */
  VEC(struct crew_child) children;
  struct counters counters;
  struct counters shown; /* so much is in the progress line */
  uint32_t answered;     /* so many questions how much is left */
  double forked;         /* when, last, in time of our own */
  uint64_t looked;       /* ... and in steps, for a place that is free */
  double began;          /* when the search began, ... */
  double entered;        /* ... when we took our place, ... */
  double busy;           /* ... and how long we had one before */
  unsigned stale;
  bool stopped; /* a child ended early */
  char *refused;
} crew;

/* ---- the kernel ---------------------------------------------------------- */

static double clock_now(long clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void) {
  return clock_now(CLOCK_MONOTONIC);
}

static double own_time(void) {
  return clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

/* Waits until the pipe has something, but no longer than so many seconds. */
static void wait_for(int pipe, double seconds) {
  struct pollfd file = {pipe, POLLIN, 0};
  struct timespec time = {0, (long)(1e9 * seconds)};
  syscall(SYS_ppoll, &file, pipe >= 0 ? 1L : 0L, &time, NULL, 8L);
}

static void end_child(struct crew_child *child) {
  syscall(SYS_kill, (long)child->pid, (long)SIGKILL);
  syscall(SYS_wait4, (long)child->pid, NULL, 0L, NULL);
  close(child->pipe);
  VEC_FREE(child->given);
}

static void end_children(void) {
  while (crew.children.size)
    end_child(&VEC_POP(crew.children));
}

/* ---- places -------------------------------------------------------------- */

static bool is_gone(int32_t pid) {
  return pid > 0 && syscall(SYS_kill, (long)pid, 0L) < 0 && errno == ESRCH;
}

/* A place for one more process, or NULL. */
static struct crew_place *find_place(const struct session *s) {
  for (uint64_t i = 0; i < s->control->options.jobs; i++) {
    struct crew_place *place = &crew.shared->place[i];
    int32_t pid = __atomic_load_n(&place->pid, __ATOMIC_SEQ_CST);
    if ((pid == FREE || is_gone(pid)) &&
        __atomic_compare_exchange_n(&place->pid, &pid, RESERVED, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      if (pid == FREE)
        __atomic_fetch_sub(&crew.shared->free, 1, __ATOMIC_RELAXED);
      place->left = 0;
      return place;
    }
  }
  return NULL;
}

static void set_place(struct crew_place *place, int32_t pid) {
  __atomic_store_n(&place->pid, pid, __ATOMIC_SEQ_CST);
}

static void free_place(struct crew_place *place) {
  place->left = 0;
  set_place(place, FREE);
  __atomic_fetch_add(&crew.shared->free, 1, __ATOMIC_RELAXED);
}

static void leave_place(void) {
  if (crew.place) {
    crew.busy += now() - crew.entered;
    free_place(crew.place);
  }
  crew.place = NULL;
}

static void enter_place(struct session *s) {
  while (!crew.place && !(crew.place = find_place(s)))
    wait_for(-1, FREE_LOOK);
  set_place(crew.place, (int32_t)syscall(SYS_getpid));
  crew.entered = now();
}

static void set_folds(uint32_t folds) {
  __atomic_store_n(&crew.shared->folds, folds, __ATOMIC_SEQ_CST);
}

/* The processes that explored are those that had a place. */
static void end_counting(struct session *s) {
  double busy = crew.busy + (crew.place ? now() - crew.entered : 0);
  double all = (now() - crew.began) * (double)s->control->options.jobs;
  struct counters *c = &crew.counters;
  c->threads = s->x->system->processes;
  c->busy_ms += (uint64_t)(1000 * busy);
  if (!crew.is_child && all * 1000 > (double)c->busy_ms)
    c->idle_ms = (uint64_t)(1000 * all) - c->busy_ms;
}

static bool is_stale(void) {
  return __atomic_load_n(&crew.shared->stale, __ATOMIC_SEQ_CST);
}

void crew_begin(struct session *s) {
  size_t jobs = (size_t)s->control->options.jobs;
  size_t size = sizeof *crew.shared + jobs * sizeof *crew.shared->place;
  crew.shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ensure(crew.shared != MAP_FAILED);
  crew.shared->free = (int32_t)jobs;
  crew.on = true;
  crew.began = now();
  s->x->counters = &crew.counters;
  enter_place(s);
}

bool crew_is_child(void) {
  return crew.is_child;
}

/* ---- the progress line --------------------------------------------------- */

static void show(uint64_t *to, uint64_t count, uint64_t *shown) {
  __atomic_fetch_add(to, count - *shown, __ATOMIC_RELAXED);
  *shown = count;
}

/* Each process estimates what it has left itself.  Nothing is left besides. */
static void answer(const struct session *s) {
  uint32_t asked = __atomic_load_n(&crew.shared->asked, __ATOMIC_RELAXED);
  if (asked == crew.answered || !crew.place)
    return;
  crew.answered = asked;
  crew.place->left = explorer_part_left(s->x);
}

double crew_done(const struct session *s) {
  double executions = (double)s->control->counters.executions, left = 0;
  if (!crew.shared)
    return explorer_done(s->x);
  if (s->x->samples)
    return executions / (double)s->x->samples;
  __atomic_fetch_add(&crew.shared->asked, 1, __ATOMIC_RELAXED);
  for (uint64_t i = 0; i < s->control->options.jobs; i++) {
    double here = crew.shared->place[i].left;
    if (crew.shared->place[i].pid != FREE && here < 0)
      return -1;
    left += here;
  }
  return crew.answered ? executions / (executions + left) : -1;
}

static void show_all(struct session *s) {
  struct counters *to = &s->control->counters;
  __atomic_fetch_add(&crew.shared->progress, 1, __ATOMIC_RELAXED);
  show(&to->executions, crew.counters.executions, &crew.shown.executions);
  show(&to->blocked, crew.counters.blocked, &crew.shown.blocked);
  show(&to->steps, crew.counters.steps, &crew.shown.steps);
}

/* Memory that all processes write is slow to write, and slow to read for
 * others, also what lies beside it. */
static bool is_due(void) {
  return crew.counters.steps >= crew.shown.steps + STEPS_SHOWN ||
         __atomic_load_n(&crew.shared->asked, __ATOMIC_RELAXED) !=
             crew.answered;
}

bool crew_progress(struct session *s) {
  if (!crew.shared)
    return true;
  if (crew.is_child && is_stale())
    _exit(1);
  if (!is_due())
    return false;
  answer(s);
  show_all(s);
  return true;
}

/* ---- results ------------------------------------------------------------- */

void crew_send(struct session *s, enum message_type type, const void *head,
               size_t head_size, const void *rest, size_t rest_size) {
  struct message message = {type, (uint32_t)(head_size + rest_size)};
  if (!crew.is_child)
    wire_send(type, head, head_size, rest, rest_size);
  if (!crew.is_child && !s->x->keeps)
    return;
  text_add(&s->messages, &message, sizeof message);
  text_add(&s->messages, head, head_size);
  text_add(&s->messages, rest, rest_size);
}

static void write_all(int pipe, const struct text *t) {
  for (size_t done = 0; done < t->size;) {
    ssize_t more = write(pipe, t->at + done, t->size - done);
    if (more < 0 && errno != EINTR)
      _exit(1);
    done += more > 0 ? (size_t)more : 0;
  }
}

/* What is left to do, if that is wanted. */
static _Noreturn void tell_parent(struct session *s,
                                  enum explore_result result) {
  struct text all = {0}, left = {0};
  show_all(s);
  if (s->x->keeps && result != EXPLORE_REFUSED &&
      !algorithm_give(s->x->algorithm, s->x->state, &left, GIVE_ALL))
    _exit(1);
  result_write(s, result, result == EXPLORE_REFUSED ? crew_refusal(s) : NULL,
               &left, &all);
  leave_place();
  write_all(crew.up, &all);
  _exit(0);
}

/* Adds what a child found.  False: it does not fit, and all begin anew. */
static bool add_result(struct session *s, const struct native_result *r) {
  bool fits = result_add(s, r);
  counters_add(&crew.shown, &r->counters); /* the child has shown them */
  explorer_add_elsewhere(s->x, r->counters.executions);
  if (r->result == EXPLORE_REFUSED) {
    crew.refused = calloc(r->limits.size + 1, 1);
    ensure(crew.refused);
    memcpy(crew.refused, r->limits.at, r->limits.size);
  }
  crew.stopped |= r->result == EXPLORE_STOPPED;
  return fits;
}

/* ---- forking ------------------------------------------------------------- */

static void take_unit(struct session *s, const struct text *unit) {
  ensure(s->x->algorithm->take(s->x->state, unit->at, unit->size));
}

/* The algorithm begins anew, but keeps what it has learnt. */
static void forget_search(struct session *s) {
  const struct algorithm *a = s->x->algorithm;
  struct text learnt = {0};
  struct packed to = packed_writer(&learnt);
  if (a->learnt)
    a->learnt(s->x->state, &to);
  a->destroy(s->x->state);
  s->x->state = a->create(s->x);
  struct packed from = packed_reader(learnt.at, learnt.size);
  if (a->learnt)
    a->learnt(s->x->state, &from);
  VEC_FREE(learnt);
}

/* In the child: it has found nothing yet, and has only what it was given. */
static void become_child(struct session *s, int up, struct crew_place *place,
                         struct text *given) {
  for (size_t i = 0; i < crew.children.size; i++) {
    close(crew.children.at[i].pipe);
    VEC_FREE(crew.children.at[i].given);
  }
  if (crew.is_child)
    close(crew.up);
  crew.children.size = s->messages.size = 0;
  crew.is_child = true;
  crew.up = up;
  crew.place = place;
  crew.entered = now();
  crew.busy = crew.forked = 0;
  crew.looked = 0;
  crew.counters = crew.shown = (struct counters){0};
  s->x->limit_count = 0;
  session_forget(s);
  if (s->x->algorithm->part) {
    s->x->algorithm->part(s->x->state, given->at, given->size);
  } else {
    forget_search(s);
    take_unit(s, given);
  }
  explorer_begin_part(s->x);
  VEC_FREE(*given);
}

static void fork_child(struct session *s, struct crew_place *place,
                       struct text *given) {
  int ends[2];
  long parent = syscall(SYS_getpid);
  ensure(syscall(SYS_pipe2, ends, (long)O_CLOEXEC) == 0);
  long pid = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
  if (!pid) {
    syscall(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
    if (syscall(SYS_getppid) != parent)
      _exit(1); /* the parent died before this took effect */
    close(ends[0]);
    set_place(place, (int32_t)syscall(SYS_getpid));
    become_child(s, ends[1], place, given);
    return;
  }
  close(ends[1]);
  if (pid > 0) {
    crew.counters.units++;
    crew.counters.unit_bytes += given->size;
    VEC_PUSH(crew.children, (struct crew_child){(pid_t)pid, ends[0], *given});
    return;
  }
  close(ends[0]); /* no more processes: explore it here */
  free_place(place);
  take_unit(s, given);
  VEC_FREE(*given);
}

/* All begin anew: this is the process that was started. */
static enum share begin_anew(void) {
  end_children();
  crew.on = ++crew.stale < MOST_STALE;
  __atomic_store_n(&crew.shared->stale, 0, __ATOMIC_SEQ_CST);
  return SHARE_STALE;
}

/* ---- waiting ------------------------------------------------------------- */

/* Asks all processes whether they are stuck if none has gone on for a while.
 * The process that was started tells the command that all is well. */
static void look_around(struct session *s, uint64_t *progress, double *since) {
  uint64_t seen = __atomic_load_n(&crew.shared->progress, __ATOMIC_RELAXED);
  double time = now();
  if (crew.is_child)
    return;
  if (seen != *progress) {
    s->control->alive++;
    *progress = seen;
    *since = time;
  } else if (time - *since > QUIET) {
    *since = time;
    for (uint64_t i = 0; i < s->control->options.jobs; i++)
      if (crew.shared->place[i].pid > 0)
        syscall(SYS_kill, (long)crew.shared->place[i].pid,
                (long)WIRE_ARE_YOU_STUCK);
  }
}

/* Reads all that the child tells, until it ends.  False: all begin anew. */
static bool read_child(struct session *s, const struct crew_child *child,
                       struct text *to) {
  char buffer[65536];
  uint64_t progress = 0;
  double since = now();
  for (;;) {
    if (is_stale() && crew.is_child)
      _exit(1);
    if (is_stale())
      return false;
    if (!crew.is_child && checkpoint_is_due(s))
      set_folds(1); /* then this child has something left */
    wait_for(child->pipe, LOOK);
    look_around(s, &progress, &since);
    struct pollfd file = {child->pipe, POLLIN, 0};
    struct timespec none = {0, 0};
    if (syscall(SYS_ppoll, &file, 1L, &none, NULL, 8L) <= 0)
      continue;
    long more = syscall(SYS_read, (long)child->pipe, buffer, sizeof buffer);
    if (more == 0)
      return true;
    if (more > 0)
      text_add(to, buffer, (size_t)more);
  }
}

/* Others may rely on what a process knew that has died. */
static bool is_missed(const struct session *s) {
  return s->x->algorithm->part && !s->control->stop && !crew.ends;
}

static bool must_end(const struct session *s) {
  return (s->x->error && !s->control->options.keep_going) || s->x->raced ||
         crew.refused;
}

/* Is the search at its end with this? */
static bool is_final(const struct session *s, const struct native_result *r) {
  return (r->error && !s->control->options.keep_going) || r->raced ||
         r->result == EXPLORE_REFUSED;
}

/* Waits for the child forked last and adds its result.  `unit` becomes what is
 * left to do of its schedules: all of them, if it has died.  `folds`: others
 * that come before may be left, too, so the end of the search is not yet due.
 * False: all begin anew. */
static bool end_last_child(struct session *s, bool folds, struct text *unit) {
  struct crew_child child = VEC_TOP(crew.children);
  struct native_result r;
  struct text told = {0};
  bool good = read_child(s, &child, &told);
  if (good) {
    bool whole = result_read(&r, told.at, told.size);
    bool added = whole && !(folds && is_final(s, &r));
    crew.counters.unit_bytes += told.size;
    if (added)
      good = add_result(s, &r);
    else if (s->control->stop || crew.ends)
      crew.stopped = true;
    else if (!whole && is_missed(s))
      good = false;
    if (added)
      text_add(unit, r.left.at, r.left.size);
    else
      text_add(unit, child.given.at, child.given.size);
    crew.children.size--;
    end_child(&child);
  }
  VEC_FREE(told);
  if (!good)
    __atomic_store_n(&crew.shared->stale, 1, __ATOMIC_SEQ_CST);
  if (!good && crew.is_child)
    _exit(1);
  return good;
}

static bool has_to_wait(const struct session *s) {
  const struct algorithm *a = s->x->algorithm;
  return a->waits && a->waits(s->x->state);
}

enum share crew_await(void *context) {
  struct session *s = context;
  struct text unit = {0};
  leave_place();
  bool waits = has_to_wait(s);
  while (crew.children.size && !unit.size && !must_end(s) &&
         (!waits || has_to_wait(s)))
    if (!end_last_child(s, false, &unit))
      return begin_anew();
  if (must_end(s))
    end_children();
  bool taken = (unit.size || waits) && !crew.stopped && !s->control->stop &&
               !must_end(s);
  if (taken)
    enter_place(s);
  if (unit.size) {
    take_unit(s, &unit);
    explorer_begin_part(s->x);
  }
  VEC_FREE(unit);
  return taken ? SHARE_TAKEN : SHARE_NOTHING;
}

/* Each knows its place. */
static bool gather_parts(struct session *s, bool folds) {
  bool good = true;
  while (good && crew.children.size && !must_end(s)) {
    struct text unit = {0};
    good = end_last_child(s, folds, &unit);
    if (good)
      take_unit(s, &unit);
    VEC_FREE(unit);
  }
  return good;
}

/* Takes back what is left of all that was given away, in its place behind what
 * is left here. */
static bool gather(struct session *s, bool folds) {
  if (s->x->algorithm->waits)
    return gather_parts(s, folds);
  VEC(struct text) units = {0};
  struct text own = {0};
  bool good = algorithm_give(s->x->algorithm, s->x->state, &own, GIVE_ALL);
  while (good && crew.children.size && !must_end(s)) {
    struct text unit = {0};
    good = end_last_child(s, folds, &unit);
    VEC_PUSH(units, unit);
  }
  while (units.size) {
    struct text unit = VEC_POP(units);
    take_unit(s, &unit);
    VEC_FREE(unit);
  }
  take_unit(s, &own);
  explorer_begin_part(s->x);
  VEC_FREE(own);
  VEC_FREE(units);
  return good;
}

/* ---- between two executions ----------------------------------------------
 */

/* The process that was started wants all that is left, to write it down.  It
 * gets what this one has found, too. */
static _Noreturn void fold(struct session *s) {
  if (!gather(s, true))
    _exit(1);
  end_counting(s);
  tell_parent(s, EXPLORE_COMPLETE);
}

/* Else a search that is written down all the time would not go on. */
static bool has_explored(void) {
  return crew.counters.executions + crew.counters.blocked;
}

/* A search that goes on has counted what was explored before. */
static bool may_fork(const struct session *s) {
  return crew.on && s->x->algorithm->give &&
         (crew.is_child ||
          crew.counters.executions + crew.counters.blocked >= FIRST_SHARE);
}

/* To ask for the time, or whether a process is gone, costs as much as a short
 * execution.  So both are done after some steps, and more of them while all
 * places are taken. */
static bool may_be_free(void) {
  bool free = __atomic_load_n(&crew.shared->free, __ATOMIC_RELAXED) > 0;
  if (crew.counters.steps < crew.looked + (free ? STEPS_FREE : STEPS_FULL))
    return false;
  crew.looked = crew.counters.steps;
  return true;
}

enum share crew_share(void *context) {
  struct session *s = context;
  if (!crew.shared)
    return SHARE_NOTHING;
  if (is_stale())
    return begin_anew();
  if (crew.is_child && has_explored() &&
      __atomic_load_n(&crew.shared->folds, __ATOMIC_SEQ_CST))
    fold(s);
  if (!may_fork(s) || !may_be_free())
    return SHARE_NOTHING;
  double time = own_time();
  if (time < crew.forked + PAUSE)
    return SHARE_NOTHING;
  crew.forked = time;
  struct text given = {0};
  struct crew_place *place = find_place(s);
  if (place && s->x->system->ops->freeze)
    s->x->system->ops->freeze(s->x->system);
  if (place && algorithm_give(s->x->algorithm, s->x->state, &given, GIVE_HALF))
    fork_child(s, place, &given);
  else if (place)
    free_place(place);
  return SHARE_NOTHING;
}

/* The steps of the system are too coarse, or the algorithm gives up. */
void crew_restart(struct session *s) {
  (void)s;
  if (!crew.shared)
    return;
  if (crew.is_child) {
    __atomic_store_n(&crew.shared->stale, 1, __ATOMIC_SEQ_CST);
    _exit(1);
  }
  end_children();
}

bool crew_fold(struct session *s) {
  if (!crew.shared)
    return true;
  if (!s->x->algorithm->give)
    return false;
  set_folds(1);
  bool good = gather(s, true);
  set_folds(0);
  return good;
}

enum explore_result crew_end(struct session *s, enum explore_result result) {
  if (!crew.shared)
    return result;
  crew.ends = true;
  if (result == EXPLORE_REFUSED || must_end(s))
    end_children();
  else if (crew.children.size) /* asked to end: so are they */
    gather(s, false);
  end_children();
  if (crew.refused)
    result = EXPLORE_REFUSED;
  else if (crew.stopped && result != EXPLORE_REFUSED && !s->x->raced)
    result = EXPLORE_STOPPED;
  else if (result == EXPLORE_COMPLETE && s->x->limit_count)
    result = EXPLORE_LIMIT;
  end_counting(s);
  if (crew.is_child)
    tell_parent(s, result);
  s->control->counters = crew.counters;
  return result;
}

const char *crew_refusal(const struct session *s) {
  return crew.refused ? crew.refused
                      : s->x->system->ops->finding(s->x->system)->message;
}
