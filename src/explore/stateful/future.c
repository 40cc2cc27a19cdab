#include "explore/stateful/future.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"
#include "util/rng.h"

/* ---- live bytes -----------------------------------------------------------
 */

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
    if (bytes & ~f->live.at[n].bytes)
      f->name = 0;
    f->live.at[n].bytes |= bytes;
    return;
  }
  f->name = 0;
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
  f->name = 0;
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

/* Does the access write without looking at what was there? */
static inline bool overwrites(const struct event *e, const struct access *a) {
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

/* ---- accesses -------------------------------------------------------------
 */

static bool one_granule(const struct access *a) {
  return access_first_granule(a) == access_last_granule(a);
}

/* A compare-and-swap of several granules: each of its accesses may be another
 * one, and here they are apart. */
static uint8_t reordered(const struct access *a, uint8_t flags) {
  if (flags & STEP_BLOCK)
    return REORDERED_MOVES;
  if ((flags & STEP_CONDITIONAL) && !one_granule(a))
    return REORDERED_PARTS;
  return flags & (STEP_CONDITIONAL | STEP_LOOK) ? REORDERED_WRITES : 0;
}

/* `in_block`: FUTURE_BLOCK or 0. */
static void add_access(struct access_list *l, uint32_t proc,
                       const struct access *a, uint8_t flags, uint8_t wants,
                       uint8_t in_block) {
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++) {
    struct future_access added = {
        .granule = g,
        .proc = proc,
        .bytes = access_mask(a, g),
        .mode = (uint8_t)(a->mode & (ACCESS_WRITE | ACCESS_ATOMIC)) | in_block,
        .wants = wants,
        .reordered = reordered(a, flags),
        .carriers = {.processes = carrier_bit(proc)}};
    accesses_insert(l, &added);
  }
}

static void add_cause(struct access_list *l, uint32_t proc, uint32_t cause) {
  struct future_access added = {.granule = cause,
                                .proc = proc,
                                .mode = ACCESS_ATOMIC,
                                .wants = WANTS_CAUSE,
                                .carriers = {.processes = carrier_bit(proc)}};
  accesses_insert(l, &added);
}

/* The place of the process in the list of segments: the first one of it, or of
 * a later process. */
static size_t place_of(const struct segments *s, const struct state_future *f,
                       uint32_t proc) {
  size_t n = 0;
  while (n < f->segments.size && s->list.at[f->segments.at[n]].proc < proc)
    n++;
  return n;
}

static bool has_segment(const struct segments *s, const struct state_future *f,
                        size_t place, uint32_t proc) {
  return place < f->segments.size &&
         s->list.at[f->segments.at[place]].proc == proc;
}

static void put_segment(const struct segments *s, struct state_future *f,
                        size_t place, uint32_t segment) {
  f->name = 0;
  if (!has_segment(s, f, place, s->list.at[segment].proc)) {
    VEC_PUSH(f->segments, 0);
    for (size_t i = f->segments.size - 1; i > place; i--)
      f->segments.at[i] = f->segments.at[i - 1];
  }
  f->segments.at[place] = segment;
}

static struct access_list *
open_segment(struct segments *s, const struct state_future *f, uint32_t proc) {
  size_t place = place_of(s, f, proc);
  return segments_open(s, has_segment(s, f, place, proc) ? f->segments.at[place]
                                                         : NO_SEGMENT);
}

static void close_segment(struct segments *s, struct state_future *f,
                          uint32_t proc, const struct access_list *l) {
  put_segment(s, f, place_of(s, f, proc), segments_intern(s, l));
}

void future_add_access(struct segments *s, struct state_future *f,
                       uint32_t proc, const struct access *a, uint8_t flags,
                       uint8_t wants) {
  struct access_list *l = open_segment(s, f, proc);
  add_access(l, proc, a, flags, wants, 0);
  close_segment(s, f, proc, l);
}

void future_add_cause(struct segments *s, struct state_future *f, uint32_t proc,
                      uint32_t cause) {
  struct access_list *l = open_segment(s, f, proc);
  add_cause(l, proc, cause);
  close_segment(s, f, proc, l);
}

/* ---- whole futures --------------------------------------------------------
 */

static void take_over(struct state_future *f, const struct live_bytes *live,
                      size_t lives, const uint32_t *segments, size_t count) {
  f->name = 0;
  VEC_SIZED(f->live, lives);
  if (lives)
    memcpy(f->live.at, live, lives * sizeof *live);
  VEC_SIZED(f->segments, count);
  if (count)
    memcpy(f->segments.at, segments, count * sizeof *segments);
}

/* Mostly both have segments of the same processes, and many have the same. */
static void merge_segments(struct segments *s, struct state_future *f,
                           const uint32_t *segments, size_t count) {
  for (size_t i = 0, place = 0; i < count; i++, place++) {
    if (place < f->segments.size && f->segments.at[place] == segments[i])
      continue;
    uint32_t proc = s->list.at[segments[i]].proc;
    while (place < f->segments.size &&
           s->list.at[f->segments.at[place]].proc < proc)
      place++;
    f->name = 0;
    if (has_segment(s, f, place, proc))
      f->segments.at[place] =
          segments_merge(s, f->segments.at[place], segments[i]);
    else
      put_segment(s, f, place, segments[i]);
  }
}

void future_merge(struct segments *s, struct state_future *f,
                  const struct live_bytes *live, size_t lives,
                  const uint32_t *segments, size_t count, uint8_t moves) {
  f->moves |= moves;
  if (!f->live.size && !f->segments.size) {
    take_over(f, live, lives, segments, count);
    return;
  }
  for (size_t i = 0; i < lives; i++)
    insert_live(f, live[i].granule, live[i].bytes);
  merge_segments(s, f, segments, count);
}

void future_add(struct segments *s, struct state_future *to,
                const struct state_future *from) {
  bool copied = !to->live.size && !to->segments.size;
  future_merge(s, to, from->live.at, from->live.size, from->segments.at,
               from->segments.size, from->moves);
  if (copied)
    to->name = from->name;
}

void future_move(struct segments *s, struct state_future *to,
                 struct state_future *from) {
  if (to->live.size || to->segments.size) {
    future_merge(s, to, from->live.at, from->live.size, from->segments.at,
                 from->segments.size, from->moves);
    return;
  }
  struct state_future empty = *to;
  uint8_t moves = to->moves | from->moves;
  *to = *from;
  *from = empty;
  to->moves = moves;
}

void future_clear(struct state_future *f) {
  f->live.size = f->segments.size = 0;
  f->name = 0;
  f->moves = 0;
}

void future_free(struct state_future *f) {
  VEC_FREE(f->live);
  VEC_FREE(f->segments);
}

/* ---- carriers -------------------------------------------------------------
 */

static bool same_object(const struct object *a, const struct object *b) {
  return a->granule == b->granule && a->bytes == b->bytes && a->kind == b->kind;
}

size_t object_enter(struct objects *o, struct object wanted) {
  uint8_t *latest =
      &o->latest[(wanted.granule * 2 + wanted.kind) % OBJECTS_LATEST];
  size_t n = *latest;
  if (n < o->list.size && same_object(&o->list.at[n], &wanted))
    return n;
  for (n = 0; n < o->list.size; n++)
    if (same_object(&o->list.at[n], &wanted))
      break;
  if (n == o->list.size && n < 64)
    VEC_PUSH(o->list, wanted);
  if (n < 64)
    *latest = (uint8_t)n;
  return n;
}

static size_t object_number(struct objects *o, const struct access *a,
                            uint8_t kind) {
  uint64_t granule = access_first_granule(a);
  return object_enter(o, (struct object){.granule = granule,
                                         .bytes = access_mask(a, granule),
                                         .kind = kind});
}

/* The same rules as in core/datarace.c, or less. */
static void of_primitive(struct objects *o, const struct event *e,
                         const struct access *a, struct handover *h) {
  uint64_t all = carrier_bit(object_number(o, a, OBJECT_USUAL));
  uint64_t readers = carrier_bit(object_number(o, a, OBJECT_READERS));
  bool shared = e->flags & STEP_SHARED;
  if (order_acquires(e->order))
    h->acquires |= shared ? all : all | readers;
  if (order_releases(e->order))
    h->releases |= shared ? readers : all;
}

static void of_atomic(struct objects *o, const struct event *e,
                      const struct access *a, struct handover *h) {
  uint64_t place = carrier_bit(object_number(o, a, OBJECT_USUAL));
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

/* A block comes after each block that has written one of its bytes. */
static size_t of_block(struct objects *o, const struct access *a,
                       struct handover *h) {
  size_t number = object_number(o, a, OBJECT_BLOCKS);
  uint64_t place = carrier_bit(number);
  o->blocks = true;
  h->acquires |= place;
  if (a->mode & ACCESS_WRITE)
    h->releases |= place;
  return number;
}

static void of_access(struct objects *o, const struct trace *t,
                      const struct event *e, const struct access *a,
                      struct handover *h) {
  bool first = a == event_access(t, e), writes = a->mode & ACCESS_WRITE;
  size_t number = 64;
  if (e->op == OP_BLOCK && one_granule(a))
    number = of_block(o, a, h);
  else if (first && one_granule(a)) {
    if (writes && op_is(e->op, OPCLASS_OBJECT | OPCLASS_PROCESS)) {
      of_primitive(o, e, a, h);
      if (o->blocks)
        of_other(o, a, h->acquires | h->releases, h);
      return;
    }
    if (op_is(e->op, OPCLASS_ATOMIC)) {
      of_atomic(o, e, a, h);
      number = object_number(o, a, OBJECT_USUAL);
    }
  }
  if (writes && !planted(STATE_HANDED))
    of_other(o, a, carrier_bit(number), h);
  if (writes && e->op == OP_WAIT && one_granule(a) && order_releases(e->order))
    h->releases |=
        carrier_bit(object_number(o, a, OBJECT_USUAL)); /* the mutex */
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
  a->acquired &= ~h->resets;
  if ((after.objects & h->releases) || (after.processes & h->awakened))
    c->processes |= self;
  if (after.processes & self) {
    c->objects |= h->acquires;
    c->processes |= h->ended;
    a->joined |= h->ended;
  }
  if (a->proc == h->proc) {
    a->acquired |= h->acquires;
    a->first += a->first < FUTURE_FAR - 1;
    a->last += a->last < FUTURE_FAR;
  }
}

/* ---- a step ---------------------------------------------------------------
 */

/* A digest of a change of futures or segments: it is only compared with others,
 * so that two simple chains are good enough. */
static inline void add_word(struct digest128 *d, uint64_t word) {
  uint64_t a = (d->word[0] ^ word) * 0x9e3779b97f4a7c15u;
  uint64_t b = (d->word[1] + word) * 0xd6e8feb86659fd93u;
  d->word[0] = a ^ a >> 32;
  d->word[1] = b << 29 | b >> 35;
}

/* A step that hands nothing on changes its own process's segment only. */
static bool changes_others(const struct handover *h) {
  return h->resets | h->releases | h->awakened | h->acquires | h->ended;
}

static inline void add_set(struct digest128 *d, uint64_t set, unsigned name) {
  if (set) {
    add_word(d, name);
    add_word(d, set);
  }
}

/* Most sets are empty. */
static inline struct digest128 change_by_handover(const struct handover *h) {
  struct digest128 d = {{0x243f6a8885a308d3u + h->proc * 0xbf58476d1ce4e5b9u,
                         0x13198a2e03707344u ^ (uint64_t)h->proc << 32}};
  if (!changes_others(h))
    return d;
  add_set(&d, h->awakened, 1);
  add_set(&d, h->ended, 2);
  add_set(&d, h->acquires, 3);
  add_set(&d, h->releases, 4);
  add_set(&d, h->resets, 5);
  return d;
}

static uint8_t wants_of(const struct event *e) {
  if (e->flags & STEP_LOOK)
    return WANTS_LOOK;
  if (!(e->flags & STEP_BLOCKING))
    return 0; /* a try fails */
  return e->wants ? e->wants : WANTS_EVENTS;
}

/* 1 + the process of the event that made this one possible, or 0. */
static uint64_t cause_of(const struct trace *t, const struct event *e) {
  return e->cause ? t->events.at[e->cause - 1].proc + (uint64_t)1 : 0;
}

static inline struct digest128 change_by_event(struct digest128 d,
                                               const struct trace *t,
                                               const struct event *e) {
  const struct access *a = event_access(t, e);
  add_word(&d, e->flags | (uint64_t)wants_of(e) << 8 | e->overwrites << 16 |
                   (uint64_t)op_is_of_data(e->op) << 17 | cause_of(t, e) << 24);
  for (uint32_t i = 0; i < e->accesses; i++)
    add_word(&d, a[i].addr ^ ((uint64_t)a[i].mode << 32 | a[i].size) *
                                 0x94d049bb133111ebu);
  return d;
}

/* Does the step of another process change the carriers of the segment? */
static bool is_affected(const struct access_segment *at,
                        const struct handover *h) {
  return (at->some.objects & (h->resets | h->releases)) ||
         (at->some.processes & h->awakened) ||
         ((at->some.processes & carrier_bit(h->proc)) &&
          (h->acquires || h->ended));
}

static struct access_list *open_before(struct segments *s, uint32_t segment,
                                       const struct handover *h) {
  struct access_list *l = segments_open(s, segment);
  for (size_t i = 0; i < l->list.size; i++)
    carriers_before(&l->list.at[i], h);
  return l;
}

static void before_others(struct segments *s, struct state_future *f,
                          const struct handover *h, struct digest128 change) {
  if (!changes_others(h))
    return;
  for (size_t i = 0; i < f->segments.size; i++) {
    uint32_t segment = f->segments.at[i];
    const struct access_segment *at = &s->list.at[segment];
    if (at->proc == h->proc || !is_affected(at, h))
      continue;
    uint32_t result = segments_recall(s, segment, change);
    if (result == NO_SEGMENT) {
      result = segments_intern(s, open_before(s, segment, h));
      segments_remember(s, segment, change, result);
    }
    f->name = 0;
    f->segments.at[i] = result;
  }
}

static uint32_t before_own(struct segments *s, uint32_t segment,
                           const struct trace *t, const struct event *e,
                           const struct handover *h) {
  struct access_list *l = open_before(s, segment, h);
  for (uint32_t i = 0; i < e->accesses; i++)
    add_access(l, e->proc, &event_access(t, e)[i], e->flags, wants_of(e),
               e->op == OP_BLOCK ? FUTURE_BLOCK : 0);
  if (e->cause)
    add_cause(l, e->proc, (uint32_t)cause_of(t, e) - 1);
  return l->list.size ? segments_intern(s, l) : NO_SEGMENT;
}

static void before_accesses(struct segments *s, struct state_future *f,
                            const struct trace *t, const struct event *e,
                            const struct handover *h) {
  struct digest128 change = change_by_handover(h);
  before_others(s, f, h, change);
  size_t place = place_of(s, f, e->proc);
  uint32_t own =
      has_segment(s, f, place, e->proc) ? f->segments.at[place] : NO_SEGMENT;
  change = change_by_event(change, t, e);
  uint32_t result = segments_recall(s, own, change);
  if (result == NO_SEGMENT) {
    result = before_own(s, own, t, e, h);
    if (result == NO_SEGMENT)
      return;
    segments_remember(s, own, change, result);
  }
  put_segment(s, f, place, result);
}

struct digest128 future_change(const struct trace *t, const struct event *e,
                               const struct handover *h) {
  return change_by_event(change_by_handover(h), t, e);
}

void future_before(struct segments *s, struct state_future *f,
                   const struct trace *t, const struct event *e,
                   const struct handover *h) {
  before_live(f, t, e);
  before_accesses(s, f, t, e, h);
}

/* ---- other states ---------------------------------------------------------
 */

/* The process took so many steps; false: the access was one of them. */
static bool take_steps(struct future_access *a, uint8_t steps) {
  if (!planted(STATE_STEPS))
    a->first = a->first > steps ? (uint8_t)(a->first - steps) : 0;
  if (a->last == FUTURE_FAR)
    return true;
  if (a->last < steps)
    return false;
  a->last -= steps;
  return true;
}

static void drop_carriers(struct future_access *a,
                          const struct passage *between,
                          const struct passed_steps *steps) {
  a->acquired &= ~steps->acquired;
  a->joined &= ~between->joined;
  a->carriers.objects &= ~between->changed.objects;
  a->carriers.objects |= a->acquired;
  a->carriers.processes &= ~between->changed.processes;
  a->carriers.processes |= a->joined | carrier_bit(a->proc);
}

static void drop(struct access_list *l, const struct passage *between,
                 const struct passed_steps *steps) {
  size_t kept = 0;
  for (size_t i = 0; i < l->list.size; i++) {
    struct future_access a = l->list.at[i];
    if (!carrier_bit(a.proc))
      a.first = 0;
    else if (!take_steps(&a, steps->count))
      continue;
    drop_carriers(&a, between, steps);
    l->list.at[kept++] = a;
  }
  l->list.size = kept;
}

/* Do the events between change nothing in the segment? */
static bool is_untouched(const struct access_segment *at,
                         const struct passage *between) {
  return at->proc < 64 && !(between->moved >> at->proc & 1) &&
         !(at->some.objects & between->changed.objects) &&
         !(at->some.processes & between->changed.processes);
}

/* NO_SEGMENT: nothing is left of it. */
static uint32_t drop_from(struct segments *s, uint32_t segment,
                          const struct passage *between,
                          const struct passed_steps *steps) {
  if (is_untouched(&s->list.at[segment], between))
    return segment;
  struct digest128 change = {{0xa4093822299f31d0u, 0x082efa98ec4e6c89u}};
  add_word(&change, steps->count);
  add_word(&change, between->changed.processes);
  add_word(&change, between->changed.objects);
  add_word(&change, between->joined);
  add_word(&change, steps->acquired);
  uint32_t result = segments_recall(s, segment, change);
  if (result != NO_SEGMENT)
    return result;
  struct access_list *l = segments_open(s, segment);
  drop(l, between, steps);
  if (!l->list.size)
    return NO_SEGMENT;
  result = segments_intern(s, l);
  segments_remember(s, segment, change, result);
  return result;
}

/* What the process did.  If it is not known it may have done anything. */
static struct passed_steps steps_of(const struct passage *between,
                                    uint32_t proc) {
  if (proc >= 64)
    return (struct passed_steps){0, between->changed.objects};
  return between->moved & carrier_bit(proc) ? between->steps[proc]
                                            : (struct passed_steps){0, 0};
}

void future_drop_passed(struct segments *s, struct state_future *f,
                        const struct passage *between) {
  size_t kept = 0;
  for (size_t i = 0; i < f->segments.size; i++) {
    uint32_t segment = f->segments.at[i], proc = s->list.at[segment].proc;
    struct passed_steps steps = steps_of(between, proc);
    if (between->ended & carrier_bit(proc))
      continue;
    uint32_t left = drop_from(s, segment, between, &steps);
    if (left != NO_SEGMENT)
      f->segments.at[kept++] = left;
  }
  f->segments.size = kept;
  f->name = 0;
}

static void forget(struct access_list *l) {
  for (size_t i = 0; i < l->list.size; i++) {
    struct future_access *a = &l->list.at[i];
    a->first = 0;
    a->last = FUTURE_FAR;
    a->acquired = a->joined = 0;
    a->carriers = (struct carriers){carrier_bit(a->proc), 0};
  }
}

void future_forget_order(struct segments *s, struct state_future *f) {
  struct digest128 change = {{4, 0}};
  f->name = 0;
  for (size_t i = 0; i < f->segments.size; i++) {
    uint32_t result = segments_recall(s, f->segments.at[i], change);
    if (result == NO_SEGMENT) {
      struct access_list *l = segments_open(s, f->segments.at[i]);
      forget(l);
      result = segments_intern(s, l);
      segments_remember(s, f->segments.at[i], change, result);
    }
    f->segments.at[i] = result;
  }
}
