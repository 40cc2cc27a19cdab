#include "core/trace.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

static uint64_t mix(uint64_t x) { /* the finaliser of splitmix64 */
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* ---- granules -------------------------------------------------------------
 */

static size_t bucket_of(const struct trace *t, uint64_t granule) {
  uint64_t hash = granule * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
  return (hash >> 32) & (t->bucket_count - 1);
}

/* The bucket that holds the granule, or the empty one where it belongs. */
static uint32_t *bucket_find(const struct trace *t, uint64_t granule) {
  size_t b = bucket_of(t, granule);
  while (t->buckets[b] && t->cells.at[t->buckets[b] - 1].granule != granule)
    b = (b + 1) & (t->bucket_count - 1);
  return &t->buckets[b];
}

static void buckets_resize(struct trace *t, size_t count) {
  free(t->buckets);
  t->buckets = calloc(count, sizeof *t->buckets);
  ensure(t->buckets);
  t->bucket_count = count;
  for (uint32_t c = 0; c < t->cells.size; c++)
    *bucket_find(t, t->cells.at[c].granule) = c + 1;
}

uint32_t trace_cell(struct trace *t, uint64_t granule) {
  uint32_t *bucket = bucket_find(t, granule);
  if (*bucket)
    return *bucket - 1;
  VEC_PUSH(t->cells, (struct cell){granule, NOWHERE});
  *bucket = (uint32_t)t->cells.size;
  if (2 * t->cells.size > t->bucket_count)
    buckets_resize(t, 2 * t->bucket_count);
  return (uint32_t)t->cells.size - 1;
}

uint32_t trace_newest(const struct trace *t, uint64_t granule) {
  uint32_t bucket = *bucket_find(t, granule);
  return bucket ? t->cells.at[bucket - 1].newest : NOWHERE;
}

/* ---- life -----------------------------------------------------------------
 */

void trace_init(struct trace *t, bool wants_races) {
  memset(t, 0, sizeof *t);
  t->wants_races = wants_races;
  clocks_init(&t->clocks);
  buckets_resize(t, BUCKETS_FIRST);
}

void trace_free(struct trace *t) {
  for (size_t p = 0; p < t->processes.size; p++)
    VEC_FREE(t->processes.at[p].events);
  VEC_FREE(t->events);
  VEC_FREE(t->accesses);
  VEC_FREE(t->touches);
  VEC_FREE(t->races);
  VEC_FREE(t->clocks.words);
  VEC_FREE(t->processes);
  VEC_FREE(t->cells);
  VEC_FREE(t->conflicts);
  VEC_FREE(t->before);
  VEC_FREE(t->offers.list);
  free(t->buckets);
}

void trace_truncate(struct trace *t, size_t length) {
  if (length >= t->events.size)
    return;
  const struct event *cut = &t->events.at[length];
  for (size_t r = t->touches.size; r-- > cut->first_touch;)
    t->cells.at[t->touches.at[r].cell].newest = t->touches.at[r].older;
  for (size_t i = t->events.size; i-- > length;)
    t->processes.at[t->events.at[i].proc].events.size--;
  t->touches.size = cut->first_touch;
  t->accesses.size = cut->first_access;
  t->races.size = cut->first_race;
  t->clocks.words.size = cut->first_clock;
  t->events.size = length;
  if (length < t->shortest)
    t->shortest = (uint32_t)length;
}

uint32_t trace_count_before(const struct trace *t, uint32_t p,
                            uint32_t length) {
  uint32_t low = 0, high = process_length(t, p);
  if (length >= t->events.size)
    return high;
  while (low < high) { /* events 1..low are before, those after high are not */
    uint32_t middle = (low + high + 1) / 2;
    if (process_event(t, p, middle) < length)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* ---- who conflicts with the newest event ----------------------------------
 */

/* A blind write that nobody has seen? */
static bool is_unseen(const struct trace *t, uint32_t event, uint32_t mode) {
  return t->unseen && (mode & ACCESS_BLIND) && t->unseen[event];
}

/* Another process's store of the same value? */
static bool is_beside(const struct trace *t, const struct event *e,
                      uint32_t event) {
  const struct event *d = &t->events.at[event];
  const struct access *a = event_access(t, d), *b = event_access(t, e);
  return d->proc != e->proc && d->value == e->value && event_by_value(t, d) &&
         event_by_value(t, e) && a->addr == b->addr && a->size == b->size;
}

/* Looks through the touches of one granule, newest first, for those that
 * conflict with an access of `bytes`.  A write hides what is older on its
 * bytes: that happens before it, unless nobody saw it or it is beside another
 * one. */
static void find_conflicts(struct trace *t, struct event *e, uint32_t cell,
                           uint8_t bytes, const struct access *a) {
  uint32_t self = (uint32_t)(e - t->events.at);
  bool unseen = is_unseen(t, self, a->mode);
  for (uint32_t r = t->cells.at[cell].newest; r != NOWHERE && bytes;
       r = t->touches.at[r].matters) {
    const struct touch *touch = &t->touches.at[r];
    bool wrote = touch->mode & ACCESS_WRITE;
    if (!(touch->mask & bytes) || touch->event == self)
      continue;
    if (wrote && !e->observed)
      e->observed = touch->event + 1;
    bool same = t->by_value && wrote && is_beside(t, e, touch->event);
    bool apart =
        same || (unseen && access_rivals(&t->accesses.at[touch->access], a));
    e->beside |= same;
    if ((wrote || ((a->mode & ACCESS_WRITE) && !planted(DEPENDENCE))) &&
        !apart && t->events.at[touch->event].proc != e->proc)
      VEC_PUSH(t->conflicts, r);
    if (wrote && !same && !t->events.at[touch->event].beside &&
        !is_unseen(t, touch->event, touch->mode))
      bytes &= (uint8_t)~touch->mask;
  }
}

/* The same process touches the bytes again: is the newer touch all that others
 * need to know?  So it is with reads, and with writes that nobody saw. */
static bool outdated(const struct trace *t, const struct touch *old,
                     uint32_t self, uint8_t bytes, const struct access *a) {
  if (t->events.at[old->event].proc != t->events.at[self].proc ||
      (old->mask & ~bytes))
    return false;
  if (!((old->mode | a->mode) & ACCESS_WRITE))
    return true;
  return access_rivals(&t->accesses.at[old->access], a) &&
         is_unseen(t, old->event, old->mode) && is_unseen(t, self, a->mode);
}

static void add_touch(struct trace *t, const struct event *e, uint32_t cell,
                      uint8_t bytes, const struct access *a) {
  uint32_t self = (uint32_t)(e - t->events.at);
  uint32_t newest = t->cells.at[cell].newest, matters = newest;
  if (newest != NOWHERE && outdated(t, &t->touches.at[newest], self, bytes, a))
    matters = t->touches.at[newest].matters;
  VEC_PUSH(t->touches, (struct touch){.event = self,
                                      .cell = cell,
                                      .older = newest,
                                      .matters = matters,
                                      .access = (uint32_t)(a - t->accesses.at),
                                      .mask = bytes,
                                      .mode = (uint8_t)a->mode});
  t->cells.at[cell].newest = (uint32_t)t->touches.size - 1; /* T3 */
}

static void enter_access(struct trace *t, struct event *e,
                         const struct access *a) {
  uint64_t last = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= last; g++) {
    uint32_t cell = trace_cell(t, g);
    uint8_t bytes = access_mask(a, g);
    find_conflicts(t, e, cell, bytes, a);
    add_touch(t, e, cell, bytes, a);
  }
}

/* ---- clocks ---------------------------------------------------------------
 */

static const struct event *event_or_null(const struct trace *t,
                                         uint32_t one_more) {
  return one_more ? &t->events.at[one_more - 1] : NULL;
}

/* The new event has no clock of its own as long as its process learns nothing
 * new: it shares that of the event before.  A private step costs no vector. */
struct building {
  bool own; /* a new clock is open */
};

/* Everything that happens before d, and d, happens before the new event. */
static void building_join(struct trace *t, const struct event *e,
                          struct building *b, const struct event *d) {
  if (!b->own) {
    const struct event *last = event_or_null(t, e->previous);
    clock_open(&t->clocks, last ? last->clock : 0);
    b->own = true;
  }
  clock_add(&t->clocks, d->clock);
  clock_raise(&t->clocks, d->proc, d->index);
}

static bool building_covers(const struct trace *t, const struct event *e,
                            const struct building *b, const struct event *d) {
  if (b->own)
    return clock_open_get(&t->clocks, d->proc) >= d->index;
  const struct event *last = event_or_null(t, e->previous);
  return last && (d->proc == e->proc ||
                  clock_get(&t->clocks, last->clock, d->proc) >= d->index);
}

static uint32_t building_store(struct trace *t, const struct event *e,
                               const struct building *b) {
  if (b->own)
    return clock_close(&t->clocks);
  return e->previous ? t->events.at[e->previous - 1].clock : 0;
}

/* ---- races ----------------------------------------------------------------
 */

static void add_race(struct trace *t, enum race_kind kind, uint32_t first,
                     uint32_t second) {
  if (planted(RACE) && t->races.size > VEC_TOP(t->events).first_race)
    return;
  VEC_PUSH(t->races, (struct race){first, second, kind, 0});
}

/* A blocking operation, taken or waiting, and what is before it whoever comes
 * first on its object. */
struct blocking {
  uint32_t proc;
  uint8_t wants;
  uint8_t offers; /* just before it */
  const struct access *object;
  uint32_t end; /* position, or the length of the trace */
  const struct event *previous;
  const struct event *cause;
};

static bool before_anyway(const struct trace *t, const struct blocking *b,
                          const struct event *d) {
  return d->proc == b->proc ||
         (b->previous && happens_before(t, d, b->previous)) ||
         (b->cause && happens_before(t, d, b->cause));
}

static bool before_some(const struct trace *t, const struct event *d,
                        const struct positions *later) {
  for (size_t i = 0; i < later->list.size; i++)
    if (happens_before(t, d, &t->events.at[later->list.at[i]]))
      return true;
  return false;
}

/* Going back over the operations on the object: the nearest before which the
 * blocking operation would have been possible.  What is older than a write is
 * before it; reads do not order what is older. */
static void nearest_offers(const struct trace *t, const struct blocking *b,
                           struct positions *found) {
  uint64_t granule = access_first_granule(b->object);
  uint8_t offers = b->offers;
  found->list.size = 0;
  for (uint32_t r = trace_newest(t, granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    if (touch->event >= b->end ||
        !(touch->mask & access_mask(b->object, granule)))
      continue;
    const struct event *d = &t->events.at[touch->event];
    bool settled = before_anyway(t, b, d);
    if (!(d->offers & OFFER_SAME))
      offers = d->offers;
    if (!settled && (offers & b->wants)) {
      if (!before_some(t, d, found))
        VEC_PUSH(found->list, touch->event);
      settled = true;
    }
    if (settled && (touch->mode & ACCESS_WRITE))
      return;
  }
}

static void find_blocking_races(struct trace *t, const struct event *e) {
  uint32_t self = (uint32_t)(e - t->events.at);
  if (!e->wants || !e->accesses)
    return;
  struct blocking b = {e->proc,
                       e->wants,
                       e->offers,
                       event_access(t, e),
                       self,
                       event_or_null(t, e->previous),
                       event_or_null(t, e->cause)};
  nearest_offers(t, &b, &t->offers);
  for (size_t i = 0; i < t->offers.list.size; i++)
    add_race(t, RACE_ORDER, t->offers.list.at[i], self);
}

void trace_pending_races(const struct trace *t, uint32_t p,
                         const struct step *step, struct positions *found) {
  found->list.size = 0;
  if (!(step->flags & STEP_BLOCKING) || !step->wants || !step->accesses)
    return;
  uint32_t length = process_length(t, p);
  struct blocking b = {p,
                       step->wants,
                       step->offers,
                       step->access,
                       (uint32_t)t->events.size,
                       length ? &t->events.at[process_event(t, p, length)]
                              : NULL,
                       event_or_null(t, step->cause)};
  nearest_offers(t, &b, found);
}

/* Is there, besides d, a write that would wake the awaiting event e in an
 * execution where d does not come before it?  Only writes after e's process
 * last looked count, and only those that changed something. */
static bool awakened_without(const struct trace *t, const struct event *e,
                             const struct event *d) {
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++)
    for (uint64_t g = access_first_granule(&a[i]);
         g <= access_last_granule(&a[i]); g++)
      for (uint32_t r = trace_newest(t, g); r != NOWHERE;
           r = t->touches.at[r].older) {
        const struct touch *touch = &t->touches.at[r];
        const struct event *w = &t->events.at[touch->event];
        if (w == e || !(touch->mask & access_mask(&a[i], g)))
          continue;
        if (w->proc == e->proc)
          break;
        if ((touch->mode & ACCESS_WRITE) && !(touch->mode & ACCESS_SILENT) &&
            !happens_before(t, d, w))
          return true;
      }
  return false;
}

static int later_first(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

/* The events behind trace.conflicts, latest first, each once. */
static void sort_predecessors(struct trace *t) {
  t->before.size = 0;
  bool sorted = true;
  for (size_t i = 0; i < t->conflicts.size; i++) {
    uint32_t event = t->touches.at[t->conflicts.at[i]].event;
    if (t->before.size && VEC_TOP(t->before) == event)
      continue;
    if (t->before.size && VEC_TOP(t->before) < event)
      sorted = false;
    VEC_PUSH(t->before, event);
  }
  if (!sorted)
    qsort(t->before.at, t->before.size, sizeof *t->before.at, later_first);
}

/* ---- the same cause, the same deed -----------------------------------------
 */

#define ODD 0x9e3779b97f4a7c15u /* spreads bits when multiplied with */

static uint64_t history_of(const struct trace *t, uint32_t one_more) {
  return one_more ? t->events.at[one_more - 1].history
                  : 1; /* 0 stands for nothing */
}

uint64_t trace_cause(const struct trace *t, uint32_t proc, uint32_t from) {
  return history_of(t, from) + proc * ODD;
}

static void find_deed(struct trace *t, const struct event *e) {
  struct trace_deed *d = &t->deed;
  d->cause = trace_cause(t, e->proc, e->previous ? e->previous : e->cause);
  d->deed = (e->pc + e->op) * ODD;
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses && !(e->flags & STEP_BLOCK); i++)
    d->deed = (d->deed ^ (a[i].addr + ((uint64_t)a[i].size << 48))) * ODD;
}

/* `others` is the sum over its direct predecessors of other processes. */
static void set_history(struct trace *t, struct event *e, uint64_t others) {
  find_deed(t, e);
  if (e->cause)
    others += history_of(t, e->cause);
  e->history = mix((t->deed.cause + e->choice) ^ (t->deed.deed + others) * ODD);
}

/* Orders the new event after all it depends on.  Taken latest first, a
 * predecessor that is not covered yet has nothing between it and the event. */
static void find_order(struct trace *t, struct event *e) {
  uint64_t others = 0;
  struct building b = {false};
  uint32_t self = (uint32_t)(e - t->events.at);
  sort_predecessors(t);
  if (e->cause && !building_covers(t, e, &b, &t->events.at[e->cause - 1]))
    building_join(t, e, &b, &t->events.at[e->cause - 1]);
  for (size_t i = 0; i < t->before.size; i++) {
    const struct event *d = &t->events.at[t->before.at[i]];
    if (building_covers(t, e, &b, d)) /* T2, also drops duplicates */
      continue;
    if (t->wants_races && !(e->flags & STEP_BLOCKING) &&
        (!(e->flags & STEP_AWAIT) || awakened_without(t, e, d)))
      add_race(t, RACE_ORDER, t->before.at[i], self);
    building_join(t, e, &b, d);
    others += history_of(t, t->before.at[i] + 1); /* a sum has no order */
  }
  e->clock = building_store(t, e, &b);
  set_history(t, e, others);
}

/* ---- a new event ----------------------------------------------------------
 */

static uint32_t *process_events(struct trace *t, uint32_t proc,
                                size_t *length) {
  while (t->processes.size <= proc) {
    VEC_RESERVE(t->processes, 1);
    memset(&t->processes.at[t->processes.size++], 0, sizeof *t->processes.at);
  }
  *length = t->processes.at[proc].events.size;
  return t->processes.at[proc].events.at;
}

static bool touched_twice(const struct access *at, uint32_t count,
                          const struct access *a) {
  for (uint32_t i = 0; i < count; i++)
    if (&at[i] != a && at[i].addr < a->addr + a->size &&
        a->addr < at[i].addr + at[i].size)
      return true;
  return false;
}

static bool is_alone(const struct access *at, uint32_t count,
                     const struct access *a) {
  return (a->mode & ACCESS_WRITE) && !touched_twice(at, count, a);
}

static bool looks(const struct trace *t, uint32_t flags) {
  return t->blocks_look && (flags & STEP_BLOCK);
}

void trace_footprint(const struct trace *t, uint32_t flags, struct access *at,
                     uint32_t count) {
  uint32_t blind = 0;
  for (uint32_t i = 0; i < count; i++)
    if ((at[i].mode & ACCESS_BLIND) && is_alone(at, count, &at[i]))
      blind++;
    else
      at[i].mode &= ~(uint32_t)ACCESS_BLIND;
  for (uint32_t i = 0; i < count && (blind > 1 || looks(t, flags)); i++)
    at[i].mode &= ~(uint32_t)ACCESS_BLIND;
}

bool trace_overwrites(const struct trace *t, const struct step *step) {
  if (looks(t, step->flags))
    return false;
  for (uint32_t i = 0; i < step->accesses; i++)
    if ((step->access[i].mode & (ACCESS_WRITE | ACCESS_BLIND)) == ACCESS_WRITE)
      return false;
  return true;
}

/* All fields are set: clearing the event first would cost as much again. */
static struct event *enter_event(struct trace *t, uint32_t proc,
                                 const struct step *step) {
  size_t length;
  const uint32_t *mine = process_events(t, proc, &length);
  VEC_PUSH(t->events,
           (struct event){.proc = proc,
                          .index = (uint32_t)length + 1,
                          .clock = 0,
                          .previous = length ? mine[length - 1] + 1 : 0,
                          .cause = step->cause,
                          .op = step->op,
                          .flags = step->flags,
                          .order = step->order,
                          .wants = step->wants,
                          .offers = step->offers,
                          .choice = step->choice,
                          .choices = step->choices,
                          .beside = false,
                          .observed = 0,
                          .accesses = step->accesses,
                          .first_access = (uint32_t)t->accesses.size,
                          .first_touch = (uint32_t)t->touches.size,
                          .first_race = (uint32_t)t->races.size,
                          .first_clock = (uint32_t)t->clocks.words.size,
                          .overwrites = trace_overwrites(t, step),
                          .pc = step->pc,
                          .value = step->value,
                          .history = 0});
  VEC_PUSH(t->processes.at[proc].events, (uint32_t)t->events.size - 1); /* T1 */
  VEC_RESERVE(t->accesses, step->accesses);
  for (uint32_t i = 0; i < step->accesses; i++)
    t->accesses.at[t->accesses.size++] = step->access[i];
  struct event *e = &VEC_TOP(t->events);
  if (e->accesses > 1 || looks(t, e->flags))
    trace_footprint(t, e->flags, &t->accesses.at[e->first_access], e->accesses);
  return e;
}

void trace_push(struct trace *t, uint32_t proc, const struct step *step) {
  struct event *e = enter_event(t, proc, step);
  t->conflicts.size = 0;
  for (uint32_t i = 0; i < e->accesses; i++)
    enter_access(t, e, &event_access(t, e)[i]);
  find_order(t, e);
  if (!t->wants_races)
    return;
  uint32_t self = (uint32_t)t->events.size - 1;
  if (e->flags & STEP_BLOCKING)
    find_blocking_races(t, e);
  for (uint32_t c = 0; e->choices > 1 && c < e->choices; c++)
    if (c != e->choice)
      add_race(t, RACE_CHOICE, self, c);
}

/* ---- fingerprints ---------------------------------------------------------
 */

static uint64_t event_hash(const struct trace *t, const struct event *e,
                           uint64_t seed) {
  uint64_t hash = mix(seed + e->proc);
  hash = mix(hash ^ ((uint64_t)e->index << 32 | e->choice));
  const uint32_t *clock = &t->clocks.words.at[e->clock];
  for (uint32_t p = 0; p < clock[0]; p++)
    if (p != e->proc && clock[1 + p])
      hash = mix(hash ^ ((uint64_t)(p + 1) << 32 | clock[1 + p]));
  return hash;
}

struct trace_hash trace_hash(const struct trace *t) {
  struct trace_hash sum = {{0, 0}};
  for (size_t i = 0; i < t->events.size; i++) /* a sum has no order */
    for (int w = 0; w < 2; w++)
      sum.word[w] += event_hash(t, &t->events.at[i], (uint64_t)(w + 1) << 40);
  return sum;
}
