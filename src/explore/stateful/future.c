#include "explore/stateful/future.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

/* ---- lists ----------------------------------------------------------------
 */

static int by_access(const struct future_access *a,
                     const struct future_access *b) {
  if (a->proc != b->proc)
    return a->proc < b->proc ? -1 : 1;
  if (a->granule != b->granule)
    return a->granule < b->granule ? -1 : 1;
  int x = a->bytes << 16 | a->mode << 8 | a->wants;
  int y = b->bytes << 16 | b->mode << 8 | b->wants;
  return x - y;
}

static void intersect(struct carriers *a, const struct carriers *b) {
  a->processes &= b->processes;
  a->objects &= b->objects;
}

static void unite(struct future_access *a, const struct future_access *b) {
  a->reordered |= b->reordered;
  if (a->first > b->first)
    a->first = b->first;
  if (a->last < b->last)
    a->last = b->last;
  intersect(&a->carriers, &b->carriers);
  intersect(&a->own, &b->own);
}

/* The first element that is not before this one. */
static size_t place_of(const struct state_future *f,
                       const struct future_access *a) {
  size_t low = 0, high = f->accesses.size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (by_access(&f->accesses.at[middle], a) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(struct state_future *f, const struct future_access *a) {
  size_t n = place_of(f, a);
  if (n < f->accesses.size && !by_access(&f->accesses.at[n], a)) {
    unite(&f->accesses.at[n], a);
    return;
  }
  VEC_PUSH(f->accesses, *a);
  for (size_t i = f->accesses.size - 1; i > n; i--)
    f->accesses.at[i] = f->accesses.at[i - 1];
  f->accesses.at[n] = *a;
}

static size_t place_of_live(const struct state_future *f, uint64_t granule) {
  size_t low = 0, high = f->live.size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (f->live.at[middle].granule < granule)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert_live(struct state_future *f, uint64_t granule,
                        uint8_t bytes) {
  size_t n = place_of_live(f, granule);
  if (n < f->live.size && f->live.at[n].granule == granule) {
    f->live.at[n].bytes |= bytes;
    return;
  }
  struct live_bytes added = {.granule = granule, .bytes = bytes};
  VEC_PUSH(f->live, added);
  for (size_t i = f->live.size - 1; i > n; i--)
    f->live.at[i] = f->live.at[i - 1];
  f->live.at[n] = added;
}

static void remove_live(struct state_future *f, uint64_t granule,
                        uint8_t bytes) {
  size_t n = place_of_live(f, granule);
  if (n == f->live.size || f->live.at[n].granule != granule)
    return;
  f->live.at[n].bytes &= (uint8_t)~bytes;
  if (f->live.at[n].bytes)
    return;
  for (size_t i = n + 1; i < f->live.size; i++)
    f->live.at[i - 1] = f->live.at[i];
  f->live.size--;
}

void future_add_live(struct state_future *f, const struct access *a) {
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
    insert_live(f, g, access_mask(a, g));
}

static bool one_granule(const struct access *a) {
  return access_first_granule(a) == access_last_granule(a);
}

/* A compare-and-swap of several granules counts as a block: each of its
 * accesses may be another one, and here they are apart. */
static uint8_t reordered(const struct access *a, uint8_t flags) {
  if ((flags & STEP_BLOCK) || ((flags & STEP_CONDITIONAL) && !one_granule(a)))
    return REORDERED_MOVES;
  return flags & (STEP_CONDITIONAL | STEP_LOOK) ? REORDERED_WRITES : 0;
}

void future_add_access(struct state_future *f, uint32_t proc,
                       const struct access *a, uint8_t flags, uint8_t wants) {
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++) {
    struct future_access added = {
        .granule = g,
        .proc = proc,
        .bytes = access_mask(a, g),
        .mode = (uint8_t)(a->mode & (ACCESS_WRITE | ACCESS_ATOMIC)),
        .wants = wants,
        .reordered = reordered(a, flags),
        .carriers = {.processes = carrier_bit(proc)}};
    insert(f, &added);
  }
}

static void add_cause(struct state_future *f, uint32_t proc, uint32_t cause) {
  struct future_access added = {.granule = cause,
                                .proc = proc,
                                .mode = ACCESS_ATOMIC,
                                .wants = WANTS_CAUSE,
                                .carriers = {.processes = carrier_bit(proc)}};
  insert(f, &added);
}

static void take_over(struct state_future *f, const struct live_bytes *live,
                      size_t lives, const struct future_access *access,
                      size_t accesses) {
  VEC_SIZED(f->live, lives);
  if (lives)
    memcpy(f->live.at, live, lives * sizeof *live);
  VEC_SIZED(f->accesses, accesses);
  if (accesses)
    memcpy(f->accesses.at, access, accesses * sizeof *access);
}

/* Unites those that are there, from `place` on; the number of the others. */
static size_t unite_all(struct state_future *f, size_t place,
                        const struct future_access *access, size_t accesses) {
  size_t missing = 0;
  for (size_t i = 0; i < accesses; i++) {
    while (place < f->accesses.size &&
           by_access(&f->accesses.at[place], &access[i]) < 0)
      place++;
    if (place < f->accesses.size &&
        !by_access(&f->accesses.at[place], &access[i]))
      unite(&f->accesses.at[place], &access[i]);
    else
      missing++;
  }
  return missing;
}

/* From the last one back, so that each is moved once. */
static void merge_accesses(struct state_future *f,
                           const struct future_access *access,
                           size_t accesses) {
  size_t place = accesses ? place_of(f, access) : 0;
  size_t missing = unite_all(f, place, access, accesses);
  if (!missing)
    return;
  size_t from = f->accesses.size, to = from + missing, i = accesses;
  VEC_RESERVE(f->accesses, missing);
  f->accesses.size = to;
  while (to > from) {
    int order = from == place
                    ? -1
                    : by_access(&f->accesses.at[from - 1], &access[i - 1]);
    if (order < 0)
      f->accesses.at[--to] = access[--i];
    else
      f->accesses.at[--to] = f->accesses.at[--from];
    i -= !order;
  }
}

void future_merge(struct state_future *f, const struct live_bytes *live,
                  size_t lives, const struct future_access *access,
                  size_t accesses, bool moves) {
  f->moves |= moves;
  if (!f->live.size && !f->accesses.size) {
    take_over(f, live, lives, access, accesses);
    return;
  }
  for (size_t i = 0; i < lives; i++)
    insert_live(f, live[i].granule, live[i].bytes);
  merge_accesses(f, access, accesses);
}

void future_move(struct state_future *to, struct state_future *from) {
  if (to->live.size || to->accesses.size) {
    future_merge(to, from->live.at, from->live.size, from->accesses.at,
                 from->accesses.size, from->moves);
    return;
  }
  struct state_future empty = *to;
  bool moves = to->moves | from->moves;
  *to = *from;
  *from = empty;
  to->moves = moves;
}

void future_clear(struct state_future *f) {
  f->live.size = f->accesses.size = 0;
  f->moves = false;
}

void future_copy(struct state_future *to, const struct state_future *from) {
  future_clear(to);
  future_merge(to, from->live.at, from->live.size, from->accesses.at,
               from->accesses.size, from->moves);
}

void future_free(struct state_future *f) {
  VEC_FREE(f->live);
  VEC_FREE(f->accesses);
}

/* ---- live bytes -----------------------------------------------------------
 */

/* Does the access write without looking at what was there? */
static bool overwrites(const struct event *e, const struct access *a) {
  return (a->mode & ACCESS_WRITE) &&
         (e->overwrites || (a->mode & ACCESS_BLIND)) && op_is_of_data(e->op);
}

static void before_live(struct state_future *f, const struct trace *t,
                        const struct event *e) {
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++)
    for (uint64_t g = access_first_granule(&a[i]);
         overwrites(e, &a[i]) && g <= access_last_granule(&a[i]); g++)
      remove_live(f, g, access_mask(&a[i], g));
  for (uint32_t i = 0; i < e->accesses; i++)
    if (!overwrites(e, &a[i]))
      future_add_live(f, &a[i]);
}

/* ---- carriers -------------------------------------------------------------
 */

static size_t object_number(struct objects *o, const struct access *a,
                            bool readers) {
  struct object wanted = {.granule = access_first_granule(a),
                          .bytes = access_mask(a, access_first_granule(a)),
                          .readers = readers};
  size_t n = 0;
  while (n < o->list.size && (o->list.at[n].granule != wanted.granule ||
                              o->list.at[n].bytes != wanted.bytes ||
                              o->list.at[n].readers != readers))
    n++;
  if (n == o->list.size && n < 64)
    VEC_PUSH(o->list, wanted);
  return n;
}

/* The same rules as in core/datarace.c, or less. */
static void of_primitive(struct objects *o, const struct event *e,
                         const struct access *a, struct handover *h) {
  uint64_t all = carrier_bit(object_number(o, a, false));
  uint64_t readers = carrier_bit(object_number(o, a, true));
  bool shared = e->flags & STEP_SHARED;
  if (order_acquires(e->order))
    h->acquires |= shared ? all : all | readers;
  if (order_releases(e->order))
    h->releases |= shared ? readers : all;
}

static void of_atomic(struct objects *o, const struct event *e,
                      const struct access *a, struct handover *h) {
  uint64_t place = carrier_bit(object_number(o, a, false));
  bool writes = a->mode & ACCESS_WRITE;
  if (!op_stores(e->op) && order_acquires(e->order))
    h->acquires |= place;
  if (writes && order_releases(e->order))
    h->releases |= place;
  if (writes && op_stores(e->op))
    h->resets |= place;
}

/* A write by which nothing is known to be handed on to objects that overlap
 * with these bytes. */
static void of_other(struct objects *o, const struct access *a, uint64_t but,
                     struct handover *h) {
  for (size_t n = 0; n < o->list.size; n++) {
    uint64_t granule = o->list.at[n].granule;
    if (granule >= access_first_granule(a) &&
        granule <= access_last_granule(a) &&
        (access_mask(a, granule) & o->list.at[n].bytes))
      h->resets |= carrier_bit(n) & ~but;
  }
}

static void of_access(struct objects *o, const struct trace *t,
                      const struct event *e, const struct access *a,
                      struct handover *h) {
  bool first = a == event_access(t, e), writes = a->mode & ACCESS_WRITE;
  size_t number = 64;
  if (first && one_granule(a)) {
    if (writes && op_is(e->op, OPCLASS_OBJECT | OPCLASS_PROCESS)) {
      of_primitive(o, e, a, h);
      return;
    }
    if (op_is(e->op, OPCLASS_ATOMIC)) {
      of_atomic(o, e, a, h);
      number = object_number(o, a, false);
    }
  }
  if (writes)
    of_other(o, a, carrier_bit(number), h);
}

/* The process that a join waited for has no later events, whatever the way to
 * this state.  (A process that sent a signal may have gone on since, and so may
 * the creator of a process that ended at once.) */
static uint64_t ended_before(const struct trace *t, const struct event *e) {
  uint32_t proc = e->cause ? t->events.at[e->cause - 1].proc : NOWHERE;
  if ((e->op == OP_JOIN && proc == e->target) || planted(STATE_SIGNAL))
    return carrier_bit(proc);
  return 0;
}

struct handover handover_of(struct objects *o, const struct trace *t,
                            const struct event *e) {
  struct handover h = {.proc = e->proc, .ended = ended_before(t, e)};
  for (uint32_t i = 0; i < e->accesses; i++)
    of_access(o, t, e, &event_access(t, e)[i], &h);
  return h;
}

/* What is a carrier before the step if these are the carriers after it. */
static void carriers_before(struct future_access *a, const struct handover *h) {
  struct carriers after = a->carriers, *c = &a->carriers;
  uint64_t self = carrier_bit(h->proc);
  c->objects &= ~h->resets;
  a->own.objects &= ~h->resets;
  if ((after.objects & h->releases) || (after.processes & h->awakened))
    c->processes |= self;
  if (after.processes & self) {
    c->objects |= h->acquires;
    c->processes |= h->ended;
  }
  if (a->proc == h->proc) {
    a->own.objects |= h->acquires;
    a->own.processes |= h->ended;
    a->first += a->first < FUTURE_FAR - 1;
    a->last += a->last < FUTURE_FAR;
  }
}

void future_drop_carriers(struct state_future *f, struct carriers changed) {
  for (size_t i = 0; i < f->accesses.size; i++) {
    struct future_access *a = &f->accesses.at[i];
    uint64_t self = carrier_bit(a->proc);
    if (!self || (changed.processes & self)) {
      a->first = 0;
      a->own.objects &= ~changed.objects;
      a->own.processes &= ~changed.processes;
    }
    a->carriers.objects &= ~changed.objects;
    a->carriers.objects |= a->own.objects;
    a->carriers.processes &= ~changed.processes;
    a->carriers.processes |= a->own.processes | self;
  }
}

void future_forget_order(struct state_future *f) {
  future_drop_carriers(f, (struct carriers){UINT64_MAX, UINT64_MAX});
  for (size_t i = 0; i < f->accesses.size; i++)
    f->accesses.at[i].last = FUTURE_FAR;
}

static uint8_t wants_of(const struct event *e) {
  if (e->flags & STEP_LOOK)
    return WANTS_LOOK;
  if (!(e->flags & STEP_BLOCKING))
    return 0; /* a try fails */
  return e->wants ? e->wants : WANTS_EVENTS;
}

static void before_accesses(struct state_future *f, const struct trace *t,
                            const struct event *e, const struct handover *h) {
  for (size_t i = 0; i < f->accesses.size; i++)
    carriers_before(&f->accesses.at[i], h);
  for (uint32_t i = 0; i < e->accesses; i++)
    future_add_access(f, e->proc, &event_access(t, e)[i], e->flags,
                      wants_of(e));
  if (e->cause)
    add_cause(f, e->proc, t->events.at[e->cause - 1].proc);
}

void future_before(struct state_future *f, const struct trace *t,
                   const struct event *e, const struct handover *h) {
  before_live(f, t, e);
  before_accesses(f, t, e, h);
}
