#include "core/datarace.h"

#include <string.h>

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

static bool acquires(const struct event *e) {
  return e->order == CONSUME || e->order == ACQUIRE || e->order == ACQ_REL ||
         e->order == SEQ_CST;
}

static bool releases(const struct event *e) {
  return e->order == RELEASE || e->order == ACQ_REL || e->order == SEQ_CST;
}

/* ---- clocks: at an offset the length, then counts ------------------------- */

static uint32_t get(const struct datarace *d, uint32_t clock, uint32_t p) {
  return p < d->clocks.at[clock] ? d->clocks.at[clock + 1 + p] : 0;
}

static void raise(struct datarace *d, uint32_t p, uint32_t count) {
  while (d->joined.size <= p)
    VEC_PUSH(d->joined, 0);
  if (d->joined.at[p] < count)
    d->joined.at[p] = count;
}

static void add(struct datarace *d, uint32_t clock) {
  for (uint32_t p = 0; p < d->clocks.at[clock]; p++)
    raise(d, p, d->clocks.at[clock + 1 + p]);
}

static bool covers(const struct datarace *d, uint32_t a, uint32_t b) {
  for (uint32_t p = 0; p < d->clocks.at[b]; p++)
    if (get(d, a, p) < d->clocks.at[b + 1 + p])
      return false;
  return true;
}

static uint32_t store(struct datarace *d) {
  uint32_t at = (uint32_t)d->clocks.size;
  VEC_PUSH(d->clocks, (uint32_t)d->joined.size);
  for (size_t p = 0; p < d->joined.size; p++)
    VEC_PUSH(d->clocks, d->joined.at[p]);
  return at;
}

/* The least clock above both; one of the two if possible. */
static uint32_t join(struct datarace *d, uint32_t a, uint32_t b) {
  if (a == b || covers(d, a, b))
    return a;
  if (covers(d, b, a))
    return b;
  d->joined.size = 0;
  add(d, a);
  add(d, b);
  return store(d);
}

/* The clock with the event itself in it: what a release hands on. */
static uint32_t with_event(struct datarace *d, uint32_t clock,
                           const struct event *e) {
  d->joined.size = 0;
  add(d, clock);
  raise(d, e->proc, e->index);
  return store(d);
}

/* ---- what an event orders ------------------------------------------------- */

/* Mutexes, semaphores, ...: every operation acquires what the one before it
 * released, and releases. */
static bool is_primitive(const struct event *e) {
  switch (e->op) {
  case OP_READ: case OP_WRITE: case OP_LOAD: case OP_STORE: case OP_RMW:
  case OP_CAS: case OP_FENCE: case OP_COPY: case OP_SET: case OP_SCAN:
  case OP_FREE: case OP_BLOCK: case OP_OUTPUT:
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
  s->message = with_event(d, s->thread, e);
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
  uint32_t mine = releases(e) ? with_event(d, s->thread, e) : s->released;
  /* A read-modify-write goes on with the release sequence that it read. */
  s->message = e->op == OP_STORE ? mine : join(d, mine, message);
}

static void fence(struct datarace *d, const struct event *e,
                  struct sync_state *s) {
  if (acquires(e))
    s->thread = join(d, s->thread, s->acquirable);
  if (releases(e))
    s->released = with_event(d, s->thread, e);
}

static struct sync_state start_state(struct datarace *d, const struct trace *t,
                                     const struct event *e) {
  struct sync_state s = {.first_clock = (uint32_t)d->clocks.size};
  const struct sync_state *previous = state_or_null(d, e->previous);
  if (previous) {
    s.thread = previous->thread;
    s.acquirable = previous->acquirable;
    s.released = previous->released;
  }
  if (e->cause) { /* created, joined or signalled by that event */
    const struct event *cause = &t->events.at[e->cause - 1];
    uint32_t handed =
        with_event(d, d->states.at[e->cause - 1].thread, cause);
    s.thread = join(d, s.thread, handed);
  }
  return s;
}

/* ---- races ---------------------------------------------------------------- */

static bool all_atomic(const struct trace *t, const struct event *e,
                       const struct touch *r) {
  uint64_t granule = t->cells.at[r->cell].granule;
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++) {
    if (granule < access_first_granule(&a[i]) ||
        granule > access_last_granule(&a[i]) ||
        !(access_mask(&a[i], granule) & r->mask))
      continue;
    if (((a[i].mode | r->mode) & ACCESS_WRITE) &&
        !(a[i].mode & r->mode & ACCESS_ATOMIC))
      return false;
  }
  return true;
}

static void find_races(struct datarace *d, const struct trace *t,
                       const struct event *e, uint32_t thread,
                       void (*report)(void *, const struct touch *),
                       void *context) {
  for (size_t i = 0; i < t->conflicts.size; i++) {
    const struct touch *r = &t->touches.at[t->conflicts.at[i]];
    const struct event *other = &t->events.at[r->event];
    if (other->op == OP_BLOCK && e->op == OP_BLOCK)
      continue; /* atomic blocks exclude each other */
    if (get(d, thread, other->proc) < other->index && !all_atomic(t, e, r))
      report(context, r);
  }
}

void datarace_push(struct datarace *d, const struct trace *t,
                   void (*report)(void *, const struct touch *),
                   void *context) {
  const struct event *e = &VEC_TOP(t->events);
  struct sync_state s = start_state(d, t, e);
  if (t->conflicts.size)
    find_races(d, t, e, s.thread, report, context);
  if (e->op == OP_FENCE)
    fence(d, e, &s);
  else if (e->accesses && is_primitive(e))
    primitive(d, e, &s);
  else if (e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW ||
           e->op == OP_CAS)
    atomic(d, t, e, &s);
  VEC_PUSH(d->states, s);
}

void datarace_truncate(struct datarace *d, size_t length) {
  if (length >= d->states.size)
    return;
  d->clocks.size = d->states.at[length].first_clock;
  d->states.size = length;
}

void datarace_init(struct datarace *d) {
  memset(d, 0, sizeof *d);
  VEC_PUSH(d->clocks, 0); /* offset 0: the empty clock */
}

void datarace_free(struct datarace *d) {
  VEC_FREE(d->states);
  VEC_FREE(d->clocks);
  VEC_FREE(d->joined);
}
