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

#include "system/native/engine/control.h"
#include "util/ensure.h"
#include "util/text.h"

enum {
  FIRST_SHARE =
      HOSTILE ? 2
              : 1000, /* executions before it: by then the system knows most of
                         the memory that is shared, and seldom starts again */
  MOST_STALE = 2,     /* so often the search begins anew, then it is not shared
                         any more */
};

#define PAUSE \
  0.02              /* seconds between two forks of a process: a fork takes less
                       than one thousandth */
#define LOOK 0.1    /* seconds between two looks at what others do */
#define QUIET 30.0  /* seconds without progress until asking why */
#define FREE 0      /* a place that no process has */
#define RESERVED -1 /* a place for a process that is about to be forked */

/* keep, in memory that all processes share. */
struct crew_shared {
  uint32_t stale; /* a process found that all must begin anew */
  uint32_t unused;
  uint64_t progress; /* counts executions and parts of them */
  int32_t place[];   /* the processes that explore now, --jobs of them */
};

struct crew_child {
  pid_t pid;
  int pipe;
  struct text given; /* the schedules that it explores */
};

/* What a child tells; then limits, messages and outcomes. */
struct crew_result {
  uint32_t result; /* enum explore_result */
  uint16_t error;
  uint16_t raced;
  uint64_t limits; /* their sizes in bytes */
  uint64_t messages;
  uint64_t outcomes;
  struct counters counters;
};

struct crew_outcome {
  uint64_t count;
  uint64_t status;
  uint64_t moves;
  uint64_t length;
};

#define ALL_TOLD 0x646c6f742d6c6c61u /* at the end of a result */

/* keep */
static struct {
  struct crew_shared *shared;
  int32_t *place; /* ours; NULL while waiting */
  bool on;
  bool is_child;
  bool ends; /* the search is over */
  int up;    /* to the parent */
  VEC(struct crew_child) children;
  struct text messages; /* for the parent */
  struct counters counters;
  struct counters shown; /* so much is in the progress line */
  double forked;         /* when, last */
  unsigned stale;
  bool stopped;       /* a child ended early */
  struct text limits; /* of children, NUL after each */
  char *refused;
} crew;

/* ---- the kernel ---------------------------------------------------------- */

static double now(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits until the pipe has something, but no longer than LOOK. */
static void wait_for(int pipe) {
  struct pollfd file = {pipe, POLLIN, 0};
  struct timespec time = {0, (long)(1e9 * LOOK)};
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
static int32_t *find_place(const struct session *s) {
  for (uint64_t i = 0; i < s->control->options.jobs; i++) {
    int32_t *place = &crew.shared->place[i];
    int32_t pid = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    if ((pid == FREE || is_gone(pid)) &&
        __atomic_compare_exchange_n(place, &pid, RESERVED, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return place;
  }
  return NULL;
}

static void set_place(int32_t *place, int32_t pid) {
  __atomic_store_n(place, pid, __ATOMIC_SEQ_CST);
}

static void leave_place(void) {
  if (crew.place)
    set_place(crew.place, FREE);
  crew.place = NULL;
}

static void enter_place(struct session *s) {
  while (!crew.place && !(crew.place = find_place(s)))
    wait_for(-1);
  set_place(crew.place, (int32_t)syscall(SYS_getpid));
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
  crew.on = true;
  s->x->counters = &crew.counters;
  enter_place(s);
}

/* ---- the progress line --------------------------------------------------- */

static void show(uint64_t *to, uint64_t count, uint64_t *shown) {
  __atomic_fetch_add(to, count - *shown, __ATOMIC_RELAXED);
  *shown = count;
}

void crew_progress(struct session *s) {
  struct counters *to = &s->control->counters;
  if (!crew.shared)
    return;
  if (crew.is_child && is_stale())
    _exit(1);
  __atomic_fetch_add(&crew.shared->progress, 1, __ATOMIC_RELAXED);
  show(&to->executions, crew.counters.executions, &crew.shown.executions);
  show(&to->blocked, crew.counters.blocked, &crew.shown.blocked);
  show(&to->steps, crew.counters.steps, &crew.shown.steps);
}

/* ---- forking ------------------------------------------------------------- */

/* In the child: it has found nothing yet, and has only what it was given. */
static void become_child(struct session *s, int up, int32_t *place,
                         struct text *given) {
  for (size_t i = 0; i < crew.children.size; i++) {
    close(crew.children.at[i].pipe);
    VEC_FREE(crew.children.at[i].given);
  }
  if (crew.is_child)
    close(crew.up);
  crew.children.size = crew.messages.size = crew.limits.size = 0;
  crew.is_child = true;
  crew.up = up;
  crew.place = place;
  crew.counters = crew.shown = (struct counters){0};
  s->x->limit_count = 0;
  session_forget(s);
  s->x->algorithm->take(s->x->state, given->at, given->size, true);
  VEC_FREE(*given);
}

static void fork_child(struct session *s, int32_t *place, struct text *given) {
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
    VEC_PUSH(crew.children, (struct crew_child){(pid_t)pid, ends[0], *given});
    return;
  }
  close(ends[0]); /* no more processes: explore it here */
  set_place(place, FREE);
  s->x->algorithm->take(s->x->state, given->at, given->size, false);
  VEC_FREE(*given);
}

static bool may_fork(const struct session *s) {
  return crew.on && s->x->algorithm->give &&
         (crew.is_child || crew.counters.executions >= FIRST_SHARE);
}

/* All begin anew: this is the process that was started. */
static enum share begin_anew(void) {
  end_children();
  crew.on = ++crew.stale < MOST_STALE;
  __atomic_store_n(&crew.shared->stale, 0, __ATOMIC_SEQ_CST);
  return SHARE_STALE;
}

enum share crew_share(void *context) {
  struct session *s = context;
  if (is_stale())
    return begin_anew();
  double time = now();
  if (!may_fork(s) || time < crew.forked + PAUSE)
    return SHARE_NOTHING;
  crew.forked = time;
  struct text given = {0};
  int32_t *place = find_place(s);
  if (place && s->x->algorithm->give(s->x->state, &given))
    fork_child(s, place, &given);
  else if (place)
    set_place(place, FREE);
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
  crew.limits.size = 0;
}

/* ---- messages ------------------------------------------------------------ */

void crew_send(struct session *s, enum message_type type, const void *head,
               size_t head_size, const void *rest, size_t rest_size) {
  struct message message = {type, (uint32_t)(head_size + rest_size)};
  (void)s;
  if (!crew.is_child) {
    wire_send(type, head, head_size, rest, rest_size);
    return;
  }
  text_add(&crew.messages, &message, sizeof message);
  text_add(&crew.messages, head, head_size);
  text_add(&crew.messages, rest, rest_size);
}

static char *copy(const char *text, size_t length) {
  char *made = calloc(length + 1, 1);
  ensure(made);
  memcpy(made, text, length);
  return made;
}

/* Is the finding new here, too? */
static bool is_new(struct session *s, const char *body) {
  struct wire_finding wire;
  memcpy(&wire, body, sizeof wire);
  body += sizeof wire;
  char *file = copy(body, wire.file_length);
  char *message = copy(body + wire.file_length, wire.message_length);
  struct finding f = {.kind = wire.kind,
                      .pc = wire.pc,
                      .other_pc = wire.other_pc,
                      .line = wire.line,
                      .file = wire.file_length ? file : NULL,
                      .message = message};
  bool found = collect_finding(&s->found, &f, wire.warning);
  free(file);
  free(message);
  return found;
}

static void add_messages(struct session *s, const char *at, size_t size) {
  struct message m;
  for (const char *end = at + size; at < end; at += sizeof m + m.length) {
    memcpy(&m, at, sizeof m);
    if (m.type != MESSAGE_FINDING || is_new(s, at + sizeof m))
      crew_send(s, m.type, NULL, 0, at + sizeof m, m.length);
  }
}

/* ---- outcomes ------------------------------------------------------------ */

static void write_outcomes(const struct session *s, struct text *to) {
  for (size_t i = 0; i < s->found.outcomes.size; i++) {
    const struct outcome *o = &s->found.outcomes.at[i];
    bool example = i < s->examples.size;
    struct crew_outcome head = {o->count, o->status,
                                example ? s->examples.at[i].moves.size : 0,
                                o->length};
    text_add(to, &head, sizeof head);
    text_add(to, example ? s->examples.at[i].moves.at : NULL, head.moves);
    text_add(to, s->found.texts.at + o->text, o->length);
  }
}

static void add_outcomes(struct session *s, const char *at, size_t size) {
  struct crew_outcome o;
  for (const char *end = at + size; at < end; at += o.moves + o.length) {
    memcpy(&o, at, sizeof o);
    at += sizeof o;
    if (!collect_outcomes(&s->found, at + o.moves, o.length, (unsigned)o.status,
                          o.count) ||
        s->examples.size >= s->control->examples)
      continue;
    struct session_example example = {0};
    VEC_SIZED(example.moves, o.moves);
    memcpy(example.moves.at, at, o.moves);
    VEC_PUSH(s->examples, example);
  }
}

/* ---- results ------------------------------------------------------------- */

static void keep_greater(uint64_t *to, uint64_t value) {
  if (*to < value)
    *to = value;
}

static void add_counters(struct counters *to, const struct counters *more) {
  uint64_t threads = to->threads, depth = to->max_depth;
#define COUNTER(field, name, words) to->field += more->field;
#define SOMETIMES COUNTER
#define STATISTIC COUNTER
#include "core/counters.def"
#undef STATISTIC
#undef SOMETIMES
#undef COUNTER
  to->threads = threads, to->max_depth = depth;
  keep_greater(&to->threads, more->threads);
  keep_greater(&to->max_depth, more->max_depth);
}

static void add_limits(struct session *s, const char *at, size_t size) {
  for (const char *end = at + size; at < end; at += strlen(at) + 1)
    explorer_limit(s->x, copy(at, strlen(at)));
}

static bool is_whole(const struct text *t) {
  struct crew_result r;
  uint64_t last;
  if (t->size < sizeof r + sizeof last)
    return false;
  memcpy(&r, t->at, sizeof r);
  memcpy(&last, t->at + t->size - sizeof last, sizeof last);
  return last == ALL_TOLD &&
         t->size == sizeof r + r.limits + r.messages + r.outcomes + sizeof last;
}

/* Adds what a child found. */
static void add_result(struct session *s, const struct text *t) {
  struct crew_result r;
  memcpy(&r, t->at, sizeof r);
  const char *limits = t->at + sizeof r, *messages = limits + r.limits;
  add_counters(&crew.counters, &r.counters);
  add_counters(&crew.shown, &r.counters); /* the child has shown them */
  add_messages(s, messages, r.messages);
  add_outcomes(s, messages + r.messages, r.outcomes);
  if (r.result == EXPLORE_REFUSED)
    crew.refused = copy(limits, r.limits);
  else
    add_limits(s, limits, r.limits);
  s->x->error |= r.error != 0;
  s->x->raced |= r.raced != 0;
  crew.stopped |= r.result == EXPLORE_STOPPED;
}

static void write_all(int pipe, const struct text *t) {
  for (size_t done = 0; done < t->size;) {
    ssize_t more = write(pipe, t->at + done, t->size - done);
    if (more < 0 && errno != EINTR)
      _exit(1);
    done += more > 0 ? (size_t)more : 0;
  }
}

static _Noreturn void tell_parent(struct session *s,
                                  enum explore_result result) {
  struct crew_result r = {.result = (uint32_t)result,
                          .error = s->x->error,
                          .raced = s->x->raced,
                          .messages = crew.messages.size,
                          .counters = crew.counters};
  struct text limits = {0}, outcomes = {0}, all = {0};
  uint64_t last = ALL_TOLD;
  if (result == EXPLORE_REFUSED)
    text_add(&limits, crew_refusal(s), strlen(crew_refusal(s)) + 1);
  else
    for (unsigned i = 0; i < s->x->limit_count; i++)
      text_add(&limits, s->x->limits[i], strlen(s->x->limits[i]) + 1);
  write_outcomes(s, &outcomes);
  r.limits = limits.size, r.outcomes = outcomes.size;
  text_add(&all, &r, sizeof r);
  text_add(&all, limits.at, limits.size);
  text_add(&all, crew.messages.at, crew.messages.size);
  text_add(&all, outcomes.at, outcomes.size);
  text_add(&all, &last, sizeof last);
  leave_place();
  write_all(crew.up, &all);
  _exit(0);
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
      if (crew.shared->place[i] > 0)
        syscall(SYS_kill, (long)crew.shared->place[i],
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
    wait_for(child->pipe);
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

static bool must_end(const struct session *s) {
  return (s->x->error && !s->control->options.keep_going) || s->x->raced ||
         crew.refused;
}

/* Adds the result of the child forked last, or takes its schedules back. */
static enum share await_child(struct session *s) {
  struct crew_child child = VEC_TOP(crew.children);
  struct text told = {0};
  enum share shared = SHARE_NOTHING;
  if (!read_child(s, &child, &told)) {
    VEC_FREE(told);
    return begin_anew();
  }
  if (is_whole(&told)) {
    add_result(s, &told);
  } else if (!s->control->stop && !crew.ends) {
    enter_place(s);
    s->x->algorithm->take(s->x->state, child.given.at, child.given.size, false);
    shared = SHARE_TAKEN;
  } else {
    crew.stopped = true;
  }
  VEC_FREE(told);
  crew.children.size--;
  end_child(&child);
  return shared;
}

enum share crew_await(void *context) {
  struct session *s = context;
  enum share shared = SHARE_NOTHING;
  leave_place();
  while (crew.children.size && shared == SHARE_NOTHING && !must_end(s))
    shared = await_child(s);
  if (must_end(s))
    end_children();
  return shared;
}

enum explore_result crew_end(struct session *s, enum explore_result result) {
  if (!crew.shared)
    return result;
  crew.ends = true;
  if (result == EXPLORE_REFUSED || must_end(s))
    end_children();
  while (crew.children.size && !must_end(s)) /* asked to end: so are they */
    await_child(s);
  end_children();
  if (crew.refused)
    result = EXPLORE_REFUSED;
  else if (crew.stopped && result != EXPLORE_REFUSED && !s->x->raced)
    result = EXPLORE_STOPPED;
  else if (result == EXPLORE_COMPLETE && s->x->limit_count)
    result = EXPLORE_LIMIT;
  crew.counters.threads = s->x->counters->threads;
  if (crew.is_child)
    tell_parent(s, result);
  s->control->counters = crew.counters;
  return result;
}

const char *crew_refusal(const struct session *s) {
  return crew.refused ? crew.refused
                      : s->x->system->ops->finding(s->x->system)->message;
}
