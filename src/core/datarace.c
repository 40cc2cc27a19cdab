#include "core/datarace.h"

#include <string.h>

#include "util/planted.h"

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

static bool acquires(const struct event *e) {
  return e->order == CONSUME || e->order == ACQUIRE || e->order == ACQ_REL ||
         e->order == SEQ_CST;
}

static bool releases(const struct event *e) {
  return e->order == RELEASE || e->order == ACQ_REL || e->order == SEQ_CST;
}

/* The least clock above both; one of the two if possible. */
static uint32_t join(struct datarace *d, uint32_t a, uint32_t b) {
  if (a == b || clock_covers(&d->clocks, a, b))
    return a;
  if (clock_covers(&d->clocks, b, a))
    return b;
  clock_open(&d->clocks, a);
  clock_add(&d->clocks, b);
  return clock_close(&d->clocks);
}

/* Two clocks and an event together.  With the event itself in it, a clock is
 * what a release hands on. */
static uint32_t join_event(struct datarace *d, uint32_t a, uint32_t b,
                           const struct event *e) {
  clock_open(&d->clocks, a);
  if (b != a)
    clock_add(&d->clocks, b);
  clock_raise(&d->clocks, e->proc, e->index);
  return clock_close(&d->clocks);
}

/* ---- what an event orders -------------------------------------------------
 */

/* Mutexes, semaphores, ...: every operation acquires what the one before it
 * released, and releases. */
static bool is_primitive(const struct event *e) {
  switch (e->op) {
  case OP_READ:
  case OP_WRITE:
  case OP_LOAD:
  case OP_STORE:
  case OP_RMW:
  case OP_CAS:
  case OP_FENCE:
  case OP_COPY:
  case OP_SET:
  case OP_SCAN:
  case OP_FREE:
  case OP_BLOCK:
  case OP_TASK:
  case OP_OUTPUT:
    return false;
  default:
    return true;
  }
}

static const struct sync_state *state_or_null(const struct datarace *d,
                                              uint32_t one_more) {
  return one_more ? &d->states.at[one_more - 1] : NULL;
}

static void primitive(struct datarace *d, const struct event *e,
                      struct sync_state *s) {
  const struct sync_state *from = state_or_null(d, e->observed);
  if (from)
    s->thread = join(d, s->thread, from->message);
  s->message = join_event(d, s->thread, s->thread, e);
}

static void atomic(struct datarace *d, const struct trace *t,
                   const struct event *e, struct sync_state *s) {
  bool writes = event_access(t, e)->mode & ACCESS_WRITE;
  const struct sync_state *from = state_or_null(d, e->observed);
  uint32_t message = from ? from->message : 0;
  if (e->op != OP_STORE && message) { /* it reads */
    if (acquires(e))
      s->thread = join(d, s->thread, message);
    else
      s->acquirable = join(d, s->acquirable, message);
  }
  if (!writes)
    return;
  uint32_t mine =
      releases(e) ? join_event(d, s->thread, s->thread, e) : s->released;
  /* A read-modify-write goes on with the release sequence that it read. */
  s->message = e->op == OP_STORE ? mine : join(d, mine, message);
}

static void fence(struct datarace *d, const struct event *e,
                  struct sync_state *s) {
  if (acquires(e))
    s->thread = join(d, s->thread, s->acquirable);
  if (releases(e))
    s->released = join_event(d, s->thread, s->thread, e);
}

/* Its local code to the end, which is behind its last event, is before. */
static uint32_t join_ended(struct datarace *d, const struct trace *t,
                           uint32_t clock, uint32_t ended) {
  clock_open(&d->clocks, clock);
  clock_raise(&d->clocks, ended, process_length(t, ended) + 1);
  return clock_close(&d->clocks);
}

static struct sync_state start_state(struct datarace *d, const struct trace *t,
                                     const struct event *e,
                                     const struct step *step) {
  struct sync_state s = {.first_clock = (uint32_t)d->clocks.words.size,
                         .first_touch = (uint32_t)d->shadow.touches.size};
  const struct sync_state *previous = state_or_null(d, e->previous);
  if (previous) {
    s.thread = previous->thread;
    s.acquirable = previous->acquirable;
    s.released = previous->released;
  }
  if (e->cause) { /* created, joined or signalled by that event */
    const struct event *cause = &t->events.at[e->cause - 1];
    s.thread =
        join_event(d, s.thread, d->states.at[e->cause - 1].thread, cause);
  }
  if (d->apart && e->op == OP_JOIN && !planted(APART_JOIN))
    s.thread = join_ended(d, t, s.thread, step->target);
  return s;
}

/* ---- tasks of actors ------------------------------------------------------
 */

/* A step of a task begins with a look at its actor: see system/native/actor.c.
 */
static bool same_actor(const struct trace *t, const struct event *a,
                       const struct event *b) {
  return a->op == OP_TASK && b->op == OP_TASK &&
         event_access(t, a)->addr == event_access(t, b)->addr;
}

/* An await's step reads its own operation's bytes.  What else its loop reads,
 * it will read again, or not, in steps of their own. */
static bool all_atomic(const struct trace *t, const struct event *e,
                       const struct touch *r) {
  uint64_t granule = t->cells.at[r->cell].granule;
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++) {
    if ((a[i].mode & ACCESS_EARLIER) || granule < access_first_granule(&a[i]) ||
        granule > access_last_granule(&a[i]) ||
        !(access_mask(&a[i], granule) & r->mask))
      continue;
    if (((a[i].mode | r->mode) & ACCESS_WRITE) &&
        !(a[i].mode & r->mode & ACCESS_ATOMIC))
      return false;
  }
  return true;
}

/* What waits for other tasks comes after them; and tasks of one actor exclude
 * each other.  Where they have nothing in common, both orders are this
 * execution, so that only those that meet order each other.  Atomic operations
 * in tasks, such as a look at a future, order them, too. */
static void order_tasks(struct datarace *d, const struct trace *t,
                        const struct event *e, struct sync_state *s) {
  for (size_t i = 0; i < t->conflicts.size; i++) {
    const struct touch *r = &t->touches.at[t->conflicts.at[i]];
    const struct event *other = &t->events.at[r->event];
    if (e->op == OP_TASK && !same_actor(t, e, other) && !all_atomic(t, e, r))
      continue;
    s->thread = join_event(d, s->thread, d->states.at[r->event].thread, other);
  }
}

/* ---- races ----------------------------------------------------------------
 */

static void report_touch(struct datarace *d, const struct trace *t,
                         const struct event *e, const struct touch *r) {
  struct data_race race = {.proc = e->proc,
                           .pc = e->pc,
                           .other_pc = t->events.at[r->event].pc,
                           .granule = t->cells.at[r->cell].granule,
                           .mask = r->mask,
                           .other_writes = r->mode & ACCESS_WRITE};
  d->report(d->context, &race);
}

/* Where an await only remembers a read, this is the read. */
static const struct touch *really(const struct trace *t,
                                  const struct touch *r) {
  const struct touch *earlier = r;
  uint32_t proc = t->events.at[r->event].proc;
  while (earlier->mode & ACCESS_EARLIER ||
         t->events.at[earlier->event].proc != proc ||
         !(earlier->mask & r->mask)) {
    if (earlier->older == NOWHERE)
      return r;
    earlier = &t->touches.at[earlier->older];
  }
  return earlier;
}

static void find_races(struct datarace *d, const struct trace *t,
                       const struct event *e, uint32_t thread) {
  for (size_t i = 0; i < t->conflicts.size; i++) {
    const struct touch *r = really(t, &t->touches.at[t->conflicts.at[i]]);
    const struct event *other = &t->events.at[r->event];
    if (other->op == OP_BLOCK && e->op == OP_BLOCK)
      continue; /* atomic blocks exclude each other */
    if (same_actor(t, e, other))
      continue;
    if (clock_get(&d->clocks, thread, other->proc) < other->index &&
        !all_atomic(t, e, r))
      report_touch(d, t, e, r);
  }
}

/* ---- data apart -----------------------------------------------------------
 */

static void report_shadow(void *context, const struct shadow_race *r) {
  struct datarace *d = context;
  struct data_race race = {.proc = r->proc,
                           .pc = r->pc,
                           .other_pc = r->earlier->pc,
                           .granule = r->granule,
                           .mask = r->earlier->mask,
                           .other_writes = r->earlier->mode & ACCESS_WRITE};
  d->report(d->context, &race);
}

/* What the operation itself touched. */
static void enter_footprint(struct datarace *d, const struct trace *t,
                            const struct event *e, uint32_t thread) {
  for (uint32_t i = 0; i < e->accesses; i++) {
    if (event_access(t, e)[i].mode & ACCESS_EARLIER)
      continue;
    struct shadow_access a = {.access = &event_access(t, e)[i],
                              .proc = e->proc,
                              .index = e->index,
                              .mode = e->op == OP_BLOCK ? SHADOW_BLOCK : 0,
                              .pc = e->pc,
                              .clocks = &d->clocks,
                              .clock = thread};
    shadow_enter(&d->shadow, &a, report_shadow, d);
  }
}

/* What the local code behind it touched: its own, and that of a new process up
 * to its first step, which is after the creation. */
static void enter_data(struct datarace *d, const struct trace *t,
                       const struct event *e, const struct step *step,
                       uint32_t thread) {
  uint32_t child = 0;
  for (uint32_t i = 0; i < step->data; i++) {
    const struct datum *datum = &step->datum[i];
    bool own = datum->proc == e->proc;
    if (!own && !child)
      child = join_event(d, thread, thread, e);
    struct shadow_access a = {.access = &datum->access,
                              .proc = datum->proc,
                              .index = process_length(t, datum->proc) +
                                       !planted(APART_RELEASE),
                              .pc = datum->pc,
                              .clocks = &d->clocks,
                              .clock = own ? thread : child};
    shadow_enter(&d->shadow, &a, report_shadow, d);
  }
}

void datarace_push(struct datarace *d, const struct trace *t,
                   const struct step *step) {
  const struct event *e = &VEC_TOP(t->events);
  struct sync_state s = start_state(d, t, e, step);
  if (e->op == OP_TASK || e->op == OP_TURN || e->op == OP_IDLE)
    order_tasks(d, t, e, &s);
  if (d->apart)
    enter_footprint(d, t, e, s.thread);
  else if (t->conflicts.size)
    find_races(d, t, e, s.thread);
  if (e->op == OP_FENCE)
    fence(d, e, &s);
  else if (e->accesses && is_primitive(e))
    primitive(d, e, &s);
  else if (e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW ||
           e->op == OP_CAS)
    atomic(d, t, e, &s);
  enter_data(d, t, e, step, s.thread);
  VEC_PUSH(d->states, s);
}

void datarace_truncate(struct datarace *d, size_t length) {
  if (length >= d->states.size)
    return;
  d->clocks.words.size = d->states.at[length].first_clock;
  shadow_truncate(&d->shadow, d->states.at[length].first_touch);
  d->states.size = length;
}

void datarace_init(struct datarace *d, bool apart,
                   void (*report)(void *, const struct data_race *),
                   void *context) {
  memset(d, 0, sizeof *d);
  d->apart = apart;
  d->report = report;
  d->context = context;
  clocks_init(&d->clocks);
}

void datarace_free(struct datarace *d) {
  VEC_FREE(d->states);
  VEC_FREE(d->clocks.words);
  shadow_free(&d->shadow);
}
