#include "timekeeping.h"

#include "engine.h"
#include "round.h"

#define MILLISECOND UINT64_C(1000000)

#define HOOK __attribute__((visibility("default")))

uint32_t step_extras;

/* ---- threads ------------------------------------------------------------- */

PROG struct thread_time thread_times[NATIVE_THREADS];

/* Before main all code runs as thread 0. */
static struct thread_time *mine(void) {
  return &thread_times[self ? self->id : 0];
}

static uint64_t time_of(const struct thread_time *t) {
  return t->asked * MILLISECOND + t->slept_ns + t->heard_ns;
}

uint64_t time_of_thread(const struct thread *t) {
  return time_of(&thread_times[t->id]);
}

static void hear(struct thread_time *t, uint64_t time) {
  uint64_t now = time_of(t);
  if (time > now)
    SET(t->heard_ns, t->heard_ns + time - now);
}

/* keep: the time that is asked for next only makes a deadline; and one was made
 * while the time did not show. */
static bool makes_deadline, made_deadline;

HOOK void heddle_hook_deadline(void);
HOOK void heddle_hook_deadline(void) {
  if (engine.mode == MODE_EXPLORE)
    makes_deadline = true;
}

bool time_makes_deadline(void) {
  bool makes = makes_deadline;
  if (makes)
    makes_deadline = false;
  return makes;
}

/* States that were stored before do not have the times in them. */
static __attribute__((noinline)) void ask_first(void) {
  step_extras |= EXTRA_CLOCK;
  if (!engine.following &&
      (made_deadline || (engine.stores && engine.steps.size)))
    engine.stale = true;
}

uint64_t time_ask(void) {
  round_changes();
  if (!time_was_asked)
    ask_first();
  struct thread_time *t = mine();
  step_extras |= EXTRA_TIME;
  SET(t->asked, t->asked + 1);
  return time_of(t);
}

uint64_t time_ask_for(bool deadline) {
  if (!deadline || time_was_asked)
    return time_ask();
  if (!made_deadline)
    made_deadline = true;
  return MILLISECOND; /* as the first that asks */
}

/* What is too late to be a time of a real clock is no deadline. */
void time_reach(const struct timespec *deadline) {
  const int64_t second = 1000000000, most = INT64_MAX / second;
  if (deadline->tv_sec < 0 || deadline->tv_sec >= most)
    return;
  uint64_t end = (uint64_t)deadline->tv_sec * (uint64_t)second +
                 (uint64_t)deadline->tv_nsec;
  uint64_t begin = end >= BEGIN_REAL ? BEGIN_REAL : BEGIN_MONOTONIC;
  if (end <= begin)
    return;
  step_extras |= EXTRA_TIME;
  hear(mine(), end - begin);
}

void time_carry_in_use(const struct thread *from, const struct thread *to) {
  hear(&thread_times[to->id], time_of(&thread_times[from->id]));
}

/* ---- what is written ----------------------------------------------------- */

enum { STAMPS = 1 << 18, MOST_STAMPS = STAMPS / 4 * 3 };

/* The writer's time, left with the value of an atomic variable or with a
 * primitive.  A hash table of its own: its entries stay in place, because the
 * undo log has their addresses. */
struct stamp {
  uint64_t addr; /* keep; 0: empty */
  uint64_t time; /* prog */
};

static struct stamp stamps[STAMPS];
static VEC(uint32_t) used; /* keep: which are not empty */

static struct stamp *slot_of(uint64_t addr) {
  size_t i = addr * 0x9e3779b97f4a7c15u >> 32 & (STAMPS - 1);
  while (stamps[i].addr && stamps[i].addr != addr)
    i = (i + 1) & (STAMPS - 1);
  return &stamps[i];
}

static void leave(uint64_t addr, uint64_t time) {
  struct stamp *s = slot_of(addr);
  if (s->time == time)
    return;
  if (!s->addr) {
    if (used.size == MOST_STAMPS)
      refuse("a program that asks for the time uses more than %d atomic "
             "variables and primitives",
             MOST_STAMPS);
    s->addr = addr;
    VEC_PUSH(used, (uint32_t)(s - stamps));
  }
  SET(s->time, time);
}

/* keep: the atomic variables that the operation at hand will write, and its
 * time. */
static struct {
  VEC(uint64_t) addr;
  uint64_t time;
} writing;

/* An update of a kind has no order with its like: it hears of none of them, and
 * the latest of their times stays. */
void time_begin(const struct thread *t, const struct operation *op) {
  struct thread_time *mine = &thread_times[t->id];
  uint64_t least = 0;
  writing.addr.size = 0;
  for (uint32_t i = 0; i < operation_accesses(op); i++) {
    const struct access *a = &op->access[i];
    if (!(a->mode & ACCESS_ATOMIC))
      continue;
    if (a->mode & ACCESS_KIND)
      least = slot_of(a->addr)->time;
    else if (!(a->mode & ACCESS_BLIND))
      hear(mine, slot_of(a->addr)->time);
    if (a->mode & ACCESS_WRITE)
      VEC_PUSH(writing.addr, a->addr);
  }
  writing.time = time_of(mine) > least ? time_of(mine) : least;
}

void time_end(bool failed) {
  for (size_t i = 0; i < writing.addr.size && !failed; i++)
    leave(writing.addr.at[i], writing.time);
  writing.addr.size = 0;
}

/* ---- for the engine ------------------------------------------------------ */

bool time_is_kept_at(const void *addr) {
  uintptr_t offset = (uintptr_t)addr - (uintptr_t)thread_times;
  return offset < sizeof thread_times
             ? offset % sizeof *thread_times !=
                   offsetof(struct thread_time, asked)
             : (uintptr_t)addr - (uintptr_t)stamps < sizeof stamps;
}

void time_reset(void) {
  for (size_t i = 0; i < used.size; i++)
    stamps[used.at[i]].time = 0;
}

void time_digest(struct state_digest *d) {
  for (size_t i = 0; i < used.size; i++) {
    const struct stamp *s = &stamps[used.at[i]];
    digest_word(d, (uintptr_t)s, s->time);
  }
}
