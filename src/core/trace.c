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

uint32_t trace_cell(struct trace *t, uint64_t granule) {
  uint32_t hash = table_hash(granule);
  for (TABLE_EACH(c, &t->by_granule, hash))
    if (t->cells.at[c].granule == granule)
      return (uint32_t)c;
  table_add(&t->by_granule, hash, t->cells.size);
  VEC_PUSH(t->cells, (struct cell){granule, NOWHERE, NOWHERE});
  return (uint32_t)t->cells.size - 1;
}

uint32_t trace_newest(const struct trace *t, uint64_t granule) {
  for (TABLE_EACH(c, &t->by_granule, table_hash(granule)))
    if (t->cells.at[c].granule == granule)
      return t->cells.at[c].newest;
  return NOWHERE;
}

/* ---- life -----------------------------------------------------------------
 */

void trace_init(struct trace *t, struct order_rules rules) {
  memset(t, 0, sizeof *t);
  t->rules = rules;
  clocks_init(&t->clocks);
}

void trace_free(struct trace *t) {
  for (size_t p = 0; p < t->processes.size; p++)
    VEC_FREE(t->processes.at[p].events);
  VEC_FREE(t->events);
  VEC_FREE(t->accesses);
  VEC_FREE(t->touches);
  VEC_FREE(t->races);
  VEC_FREE(t->more);
  VEC_FREE(t->clocks.words);
  VEC_FREE(t->processes);
  VEC_FREE(t->cells);
  VEC_FREE(t->conflicts);
  VEC_FREE(t->links);
  VEC_FREE(t->suspects);
  VEC_FREE(t->unlinked);
  VEC_FREE(t->before);
  positions_free(&t->offers);
  positions_free(&t->look);
  table_free(&t->by_granule);
}

/* Takes the newest touch of its granule away. */
static void remove_touch(struct trace *t, uint32_t r) {
  const struct touch *touch = &t->touches.at[r];
  struct cell *cell = &t->cells.at[touch->cell];
  cell->newest = touch->older;
  if (cell->write != r)
    return;
  do
    r = t->touches.at[r].older;
  while (r != NOWHERE && !(t->touches.at[r].mode & ACCESS_WRITE));
  cell->write = r;
}

void trace_truncate(struct trace *t, size_t length) {
  if (length >= t->events.size)
    return;
  const struct event *cut = &t->events.at[length];
  for (size_t r = t->touches.size; r-- > cut->first_touch;)
    remove_touch(t, (uint32_t)r);
  while (t->unlinked.size && VEC_TOP(t->unlinked).by >= cut->first_touch) {
    struct trace_unlinked u = VEC_POP(t->unlinked);
    t->touches.at[u.from].live = u.live;
  }
  for (size_t i = t->events.size; i-- > length;)
    t->processes.at[t->events.at[i].proc].events.size--;
  t->touches.size = cut->first_touch;
  t->accesses.size = cut->first_access;
  t->races.size = cut->first_race;
  t->clocks.words.size = cut->first_clock;
  t->more.size = cut->first_more;
  t->events.size = length;
  if (length < t->unchanged)
    t->unchanged = (uint32_t)length;
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

/* ---- conflicts with the newest event --------------------------------------
 */

/* A blind write that no event observes? */
static bool is_unseen(const struct trace *t, uint32_t event, uint32_t mode) {
  return t->rules.unseen && (mode & ACCESS_BLIND) && t->rules.unseen[event];
}

static bool same_place(const struct trace *t, const struct event *a,
                       const struct event *b) {
  return event_access(t, a)->addr == event_access(t, b)->addr &&
         event_access(t, a)->size == event_access(t, b)->size;
}

/* Two stores that are independent because they store the same value? */
static bool store_alike(const struct trace *t, const struct event *a,
                        const struct event *b) {
  return t->rules.by_value && a->value == b->value && event_by_value(t, a) &&
         event_by_value(t, b) && same_place(t, a, b);
}

/* Another process's store of the value that the newest event stores, or update
 * of the same kind?  Both write; an update of a kind is the only access of its
 * event. */
static bool is_beside(const struct trace *t, const struct event *e,
                      const struct access *a, const struct touch *touch) {
  const struct event *d = &t->events.at[touch->event];
  return d->proc != e->proc &&
         (store_alike(t, d, e) ||
          access_alike(a, &t->accesses.at[touch->access]));
}

/* Does this write hide older touches of its bytes from the newest event?  They
 * happen before the write, unless it is unseen or beside another write. `same`:
 * it has no order with the newest event. */
static bool hides_from(const struct trace *t, const struct touch *w,
                       bool same) {
  return (w->mode & ACCESS_WRITE) && !same && !t->events.at[w->event].beside &&
         !is_unseen(t, w->event, w->mode);
}

/* A touch hidden by newer writes: could it be a data race?  An atomic write
 * hides a plain access, which may still race with another atomic access. */
static void suspect_hidden(struct trace *t, const struct event *e, uint32_t r,
                           const struct access *a) {
  const struct touch *touch = &t->touches.at[r];
  if (!(touch->mode & ACCESS_ATOMIC) &&
      ((touch->mode | a->mode) & ACCESS_WRITE) &&
      t->events.at[touch->event].proc != e->proc)
    VEC_PUSH(t->suspects, r);
}

/* Enters the touch as a conflict, as a suspect or not at all.  Returns whether
 * it is beside e. */
static bool meet_touch(struct trace *t, struct event *e, uint32_t r,
                       const struct access *a, bool unseen) {
  const struct touch *touch = &t->touches.at[r];
  bool wrote = touch->mode & ACCESS_WRITE;
  if (wrote && !e->observed && !(a->mode & ACCESS_LINK))
    e->observed = touch->event + 1;
  if (wrote && is_beside(t, e, a, touch)) {
    e->beside = true;
    VEC_PUSH(t->suspects, r);
    return true;
  }
  bool rivals = unseen && access_rivals(&t->accesses.at[touch->access], a);
  if ((wrote || ((a->mode & ACCESS_WRITE) && !planted(DEPENDENCE))) &&
      !rivals && t->events.at[touch->event].proc != e->proc) {
    VEC_PUSH(t->conflicts, r);
    if (t->any_links &&
        ((a->mode | t->accesses.at[touch->access].mode) & ACCESS_LINK))
      VEC_PUSH(t->links, touch->event);
  }
  return false;
}

/* Finds the touches of one granule that conflict with an access of `bytes`, the
 * newest first; for a read, from the newest write on (T6).  `plain`: bytes on
 * which hidden plain touches are of interest. */
static inline void find_conflicts(struct trace *t, struct event *e,
                                  uint32_t cell, uint8_t bytes,
                                  const struct access *a) {
  uint32_t self = (uint32_t)(e - t->events.at);
  bool unseen = is_unseen(t, self, a->mode);
  uint8_t plain = (a->mode & ACCESS_ATOMIC) && t->rules.synchronise ? bytes : 0;
  const struct cell *c = &t->cells.at[cell];
  uint32_t r = a->mode & ACCESS_WRITE ? c->newest : c->write;
  for (; r != NOWHERE && (bytes | plain); r = t->touches.at[r].live) {
    const struct touch *touch = &t->touches.at[r];
    bool same = false;
    if (!((touch->mode | a->mode) & ACCESS_WRITE) || /* the usual case */
        !(touch->mask & (bytes | plain)) || touch->event == self)
      continue;
    if (touch->mask & bytes)
      same = meet_touch(t, e, r, a, unseen);
    else
      suspect_hidden(t, e, r, a);
    if (!hides_from(t, touch, same))
      continue;
    bytes &= (uint8_t)~touch->mask;
    if (!(touch->mode & ACCESS_ATOMIC))
      plain &= (uint8_t)~touch->mask;
  }
}

/* ---- which touches are live ------------------------------------------------
 */

/* Two writes of one process: see outdated(). */
static bool write_outdated(const struct trace *t, const struct touch *old,
                           const struct touch *newer) {
  const struct event *a = &t->events.at[old->event],
                     *b = &t->events.at[newer->event];
  const struct access *first = &t->accesses.at[old->access],
                      *second = &t->accesses.at[newer->access];
  return store_alike(t, a, b) || access_alike(first, second) ||
         (access_rivals(first, second) && is_unseen(t, old->event, old->mode) &&
          is_unseen(t, newer->event, newer->mode));
}

/* Two touches of one process: does the newer one say all that other processes
 * need to know?  That holds for reads, for unseen writes, for stores of one
 * value and for updates of one kind.  But an atomic touch does not say that
 * there was a plain one. */
static inline bool outdated(const struct trace *t, const struct touch *old,
                            const struct touch *newer) {
  if (old->proc != newer->proc || ((old->mode ^ newer->mode) & ACCESS_WRITE) ||
      (old->mask & ~newer->mask) || (~old->mode & newer->mode & ACCESS_ATOMIC))
    return false;
  return !(newer->mode & ACCESS_WRITE) || write_outdated(t, old, newer);
}

/* Does this write hide older touches of its bytes from every later event? */
static inline bool hides_for_good(const struct trace *t,
                                  const struct touch *w) {
  return (w->mode & ACCESS_WRITE) && !(w->mode & ACCESS_KIND) &&
         !is_unseen(t, w->event, w->mode) &&
         !event_by_value(t, &t->events.at[w->event]);
}

/* If the newer touch hides the old one, does it hide all of it?  An atomic
 * touch does not: see suspect_hidden(). */
static inline bool within(const struct touch *old, const struct touch *newer) {
  return !(old->mask & ~newer->mask) &&
         !(~old->mode & newer->mode & ACCESS_ATOMIC);
}

static bool hidden(const struct trace *t, const struct touch *old,
                   const struct touch *newer) {
  return within(old, newer) && hides_for_good(t, newer);
}

/* Two stores of different values to one place.  One alone does not hide older
 * touches from a store of its own value; both together do, since no store has
 * both values. */
static bool hide_together(const struct trace *t, const struct touch *old,
                          const struct touch *newer) {
  const struct event *a = &t->events.at[old->event],
                     *b = &t->events.at[newer->event];
  return event_by_value(t, a) && event_by_value(t, b) && same_place(t, a, b) &&
         a->value != b->value && !a->beside && !b->beside &&
         !is_unseen(t, old->event, old->mode) &&
         !is_unseen(t, newer->event, newer->mode);
}

static inline void unlink_touch(struct trace *t, uint32_t by, uint32_t from) {
  uint32_t gone = t->touches.at[from].live;
  if (by != from)
    VEC_PUSH(t->unlinked, (struct trace_unlinked){by, from, gone});
  t->touches.at[from].live = t->touches.at[gone].live;
}

/* A read outdates reads of its own process.  An equal one has outdated the
 * others. */
static void outdate_reads(struct trace *t, uint32_t newest) {
  const struct touch *newer = &t->touches.at[newest];
  uint32_t from = newest, r;
  while ((r = t->touches.at[from].live) != NOWHERE) {
    const struct touch *old = &t->touches.at[r];
    if (old->mode & ACCESS_WRITE) {
      if (hidden(t, newer, old))
        return;
    } else if (old->proc == newer->proc && outdated(t, old, newer)) {
      unlink_touch(t, newest, from);
      if (old->mask == newer->mask && old->mode == newer->mode)
        return;
      continue;
    }
    from = r;
  }
}

/* Takes the touches that the newest one, a write, outdates or hides out of the
 * live ones.  A touch that hides all bytes of the newest one has taken out the
 * rest. */
static void outdate(struct trace *t, uint32_t newest) {
  const struct touch *newer = &t->touches.at[newest];
  bool hides = hides_for_good(t, newer);
  bool together = false; /* with an older store, it hides all behind that */
  uint32_t from = newest, r;
  while ((r = t->touches.at[from].live) != NOWHERE) {
    const struct touch *old = &t->touches.at[r];
    bool last = (old->mode & ACCESS_WRITE) && hidden(t, newer, old);
    if (((hides || together) && within(old, newer)) ||
        outdated(t, old, newer)) {
      unlink_touch(t, newest, from);
    } else {
      from = r;
      together = together || hide_together(t, old, newer);
    }
    if (last)
      return;
  }
}

static void add_touch(struct trace *t, const struct event *e, uint32_t cell,
                      uint8_t bytes, const struct access *a) {
  uint32_t self = (uint32_t)(e - t->events.at);
  uint32_t newest = t->cells.at[cell].newest;
  VEC_PUSH(t->touches, (struct touch){.event = self,
                                      .cell = cell,
                                      .older = newest,
                                      .matters = newest,
                                      .live = newest,
                                      .access = (uint32_t)(a - t->accesses.at),
                                      .proc = e->proc,
                                      .mask = bytes,
                                      .mode = (uint8_t)a->mode});
  struct touch *touch = &VEC_TOP(t->touches);
  if (newest != NOWHERE && outdated(t, &t->touches.at[newest], touch))
    touch->matters = t->touches.at[newest].matters;
  t->cells.at[cell].newest = (uint32_t)t->touches.size - 1; /* T3 */
  if (a->mode & ACCESS_WRITE)
    t->cells.at[cell].write = t->cells.at[cell].newest;
  if (newest == NOWHERE)
    return;
  if (a->mode & ACCESS_WRITE)
    outdate(t, (uint32_t)t->touches.size - 1);
  else if (e->previous || e->accesses > 1)
    outdate_reads(t, (uint32_t)t->touches.size - 1);
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

/* As long as its process learns nothing new, the new event shares the clock of
 * its process's event before: a private step costs no vector. */
struct building {
  bool own; /* a new clock is open */
};

/* Everything that happens before d, and d, happens before the new event. */
static inline void building_join(struct trace *t, const struct event *e,
                                 struct building *b, const struct event *d) {
  const struct event *last = event_or_null(t, e->previous);
  if (b->own || (last && last->clock)) {
    if (!b->own)
      clock_open(&t->clocks, last->clock);
    if (d->clock)
      clock_add(&t->clocks, d->clock);
  } else {
    clock_open(&t->clocks, d->clock);
  }
  b->own = true;
  clock_raise(&t->clocks, d->proc, d->index);
}

static inline bool building_covers(const struct trace *t, const struct event *e,
                                   const struct building *b,
                                   const struct event *d) {
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

static inline void add_race(struct trace *t, enum race_kind kind,
                            uint32_t first, uint32_t second, enum look look) {
  if (planted(RACE) && t->races.size > VEC_TOP(t->events).first_race)
    return;
  VEC_PUSH(t->races,
           (struct race){first, second, (uint16_t)kind, (uint16_t)look, 0});
}

/* A blocking operation, taken or waiting, and the events that are before it in
 * every order of the operations on its object. */
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

/* Goes back over the operations on the object to the nearest ones before which
 * the blocking operation would have been possible.  Touches older than a write
 * happen before it; reads do not order older touches. */
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

/* May the step decide whether a look at this object passes?  A signal ends a
 * wait for a mutex, which it only reads. */
static bool decides(const struct event *d, const struct touch *touch) {
  return (touch->mode & ACCESS_WRITE) || !op_may_fail(d->op);
}

/* The same for a look: it waits as long as its object is such that the look
 * would lead back.  A look that only reads has no race with other reads. */
static void nearest_looks(const struct trace *t, const struct blocking *b,
                          enum look look, struct positions *found) {
  uint64_t granule = access_first_granule(b->object);
  uint8_t bytes = access_mask(b->object, granule);
  found->list.size = found->looks.size = 0;
  for (uint32_t r = trace_newest(t, granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *d = &t->events.at[touch->event];
    bool wrote = touch->mode & ACCESS_WRITE;
    if (!(touch->mask & bytes) || (!wrote && !(b->object->mode & ACCESS_WRITE)))
      continue;
    bool settled = before_anyway(t, b, d);
    if (!settled && decides(d, touch))
      look = t->ask.look_before(t->ask.context, b->proc, touch->event);
    if (look != LOOK_HELD && !settled) {
      if (!before_some(t, d, found)) {
        VEC_PUSH(found->list, touch->event);
        VEC_PUSH(found->looks, (uint16_t)look);
      }
      settled = true;
    }
    if ((settled || planted(LOOK_LAST)) && wrote)
      return;
  }
}

/* All writes before which the look would pass, newest first.  A write of its
 * own process, and what is older, is before it in any order. */
static void all_looks(const struct trace *t, const struct blocking *b,
                      struct positions *found) {
  uint64_t granule = access_first_granule(b->object);
  found->list.size = 0;
  for (uint32_t r = trace_newest(t, granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *d = &t->events.at[touch->event];
    if (!(touch->mask & access_mask(b->object, granule)) || !decides(d, touch))
      continue;
    if (d->proc == b->proc)
      return;
    if (t->ask.look_before(t->ask.context, b->proc, touch->event) != LOOK_HELD)
      VEC_PUSH(found->list, touch->event);
  }
}

/* The pending step of a process, at the end of the trace. */
static struct blocking blocking_of(const struct trace *t, uint32_t p,
                                   const struct step *step) {
  uint32_t length = process_length(t, p);
  return (struct blocking){p,
                           step->wants,
                           step->offers,
                           step->access,
                           (uint32_t)t->events.size,
                           length ? &t->events.at[process_event(t, p, length)]
                                  : NULL,
                           event_or_null(t, step->cause)};
}

void trace_before_look(struct trace *t, uint32_t p, const struct step *step) {
  struct blocking b = blocking_of(t, p, step);
  bool writes = step->access->mode & ACCESS_WRITE;
  if (t->rules.races)
    nearest_looks(t, &b, writes ? LOOK_WRITES : LOOK_READS, &t->look);
  else if (t->rules.all_looks)
    all_looks(t, &b, &t->look);
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
    add_race(t, RACE_ORDER, t->offers.list.at[i], self, LOOK_UNKNOWN);
}

void trace_pending_races(const struct trace *t, uint32_t p,
                         const struct step *step, struct positions *found) {
  struct blocking b = blocking_of(t, p, step);
  found->list.size = 0;
  if ((step->flags & STEP_LOOK) && !planted(LOOK_PENDING))
    nearest_looks(t, &b, LOOK_HELD, found);
  else if ((step->flags & STEP_BLOCKING) && step->wants && step->accesses)
    nearest_offers(t, &b, found);
}

/* Is there, besides d, a write to these bytes of a granule that would wake the
 * await e in an execution where d does not come before e?  The write must have
 * changed bytes that the loop's round had read before. */
static bool rewritten_without(const struct trace *t, const struct event *e,
                              const struct event *d, uint64_t granule,
                              uint8_t bytes) {
  uint32_t first = process_event(t, e->proc, e->index - e->round);
  uint8_t written = 0; /* by what is newer than the touch at hand */
  for (uint32_t r = trace_newest(t, granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *w = &t->events.at[touch->event];
    if (touch->event < first)
      break;
    if (w == e)
      continue;
    if (w->proc == e->proc) {
      if ((touch->mask & written) && !(touch->mode & ACCESS_EARLIER))
        return true;
    } else if ((touch->mode & (ACCESS_WRITE | ACCESS_SILENT)) == ACCESS_WRITE &&
               !happens_before(t, d, w)) {
      written |= touch->mask & bytes;
    }
  }
  return false;
}

static bool awakened_without(const struct trace *t, const struct event *e,
                             const struct event *d) {
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++)
    for (uint64_t g = access_first_granule(&a[i]);
         g <= access_last_granule(&a[i]); g++)
      if (rewritten_without(t, e, d, g, access_mask(&a[i], g)))
        return true;
  return false;
}

static int later_first(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

/* The events behind trace.conflicts, latest first, each once. */
static void sort_predecessors(struct trace *t) {
  bool sorted = true;
  uint32_t last = NOWHERE;
  t->before.size = 0;
  VEC_RESERVE(t->before, t->conflicts.size);
  for (size_t i = 0; i < t->conflicts.size; i++) {
    uint32_t event = t->touches.at[t->conflicts.at[i]].event;
    if (event == last)
      continue;
    sorted = sorted && event < last;
    t->before.at[t->before.size++] = last = event;
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
  d->deed = (e->pc + (op_is(e->op, OPCLASS_ATOMIC) ? 0 : e->op)) * ODD;
  const struct access *a = event_access(t, e);
  if (e->flags & STEP_BLOCK) {
    /* A handler of a signal comes instead of what the process was to do. */
    d->cause += e->op == OP_HANDLER;
    return;
  }
  for (uint32_t i = 0; i < e->accesses; i++)
    d->deed = (d->deed ^ (a[i].addr + ((uint64_t)a[i].size << 48))) * ODD;
}

/* Main, when it has joined all other threads, comes after all other events.  Do
 * the causes of e, of each process its last event, say so by their number? */
static bool comes_after_all(struct trace *t, const struct event *e) {
  const struct event *d = &t->events.at[e->cause - 1];
  uint32_t *counts = clock_open_zero(&t->clocks, (uint32_t)t->processes.size);
  size_t left = t->events.size - e->index;
  counts[e->proc] = e->index - 1;
  for (size_t i = e->first_more;; i++) {
    if (d->index > counts[d->proc]) {
      left -= d->index - counts[d->proc];
      counts[d->proc] = d->index;
    }
    if (i == t->more.size)
      return !left;
    d = &t->events.at[t->more.at[i] - 1];
  }
}

/* Orders the new event after all that made it possible.  Returns the sum of the
 * histories of the further causes. */
static uint64_t find_causes(struct trace *t, struct event *e,
                            struct building *b) {
  uint64_t others = 0;
  for (size_t i = e->first_more; i < t->more.size; i++)
    others += t->events.at[t->more.at[i] - 1].history;
  if (e->first_more < t->more.size && e->cause && comes_after_all(t, e)) {
    b->own = true;
    return others;
  }
  for (size_t i = t->more.size; i-- > e->first_more;) { /* long clocks first */
    const struct event *d = &t->events.at[t->more.at[i] - 1];
    if (!building_covers(t, e, b, d))
      building_join(t, e, b, d);
  }
  if (e->cause && !building_covers(t, e, b, &t->events.at[e->cause - 1]))
    building_join(t, e, b, &t->events.at[e->cause - 1]);
  return others;
}

/* `others` is the sum over its direct predecessors of other processes. */
static void set_history(struct trace *t, struct event *e, uint64_t others) {
  find_deed(t, e);
  if (e->cause)
    others += history_of(t, e->cause);
  e->history = mix((t->deed.cause + e->choice) ^ (t->deed.deed + others) * ODD);
}

static bool is_linked(const struct trace *t, uint32_t event) {
  for (size_t i = 0; i < t->links.size; i++)
    if (t->links.at[i] == event)
      return true;
  return false;
}

/* Orders the new event after all it depends on.  Taken latest first, a
 * predecessor that is not covered yet has nothing between it and the event. */
static void find_order(struct trace *t, struct event *e) {
  struct building b = {false};
  uint32_t self = (uint32_t)(e - t->events.at);
  sort_predecessors(t);
  uint64_t others = find_causes(t, e, &b);
  for (size_t i = 0; i < t->before.size; i++) {
    const struct event *d = &t->events.at[t->before.at[i]];
    if (building_covers(t, e, &b, d)) /* T2, also drops duplicates */
      continue;
    if (t->links.size && is_linked(t, t->before.at[i]))
      t->exposed = true;
    if (t->rules.races && !(e->flags & (STEP_BLOCKING | STEP_LOOK)) &&
        (!(e->flags & STEP_AWAIT) || awakened_without(t, e, d)))
      add_race(t, RACE_ORDER, t->before.at[i], self, LOOK_UNKNOWN);
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
  return t->rules.blocks_look && t->rules.synchronise && (flags & STEP_BLOCK);
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

/* All fields are set, where the event lies: copying it would cost as much
 * again. */
static struct event *enter_event(struct trace *t, uint32_t proc,
                                 const struct step *step) {
  size_t length;
  const uint32_t *mine = process_events(t, proc, &length);
  uint32_t accesses = accesses_before_link(step->access, step->accesses);
  VEC_RESERVE(t->events, 1);
  struct event *e = &t->events.at[t->events.size++];
  e->proc = proc;
  e->index = (uint32_t)length + 1;
  e->clock = 0;
  e->previous = length ? mine[length - 1] + 1 : 0;
  e->cause = step->cause;
  e->observed = 0;
  e->op = step->op;
  e->flags = step->flags;
  e->order = step->order;
  e->wants = step->wants;
  e->offers = step->offers;
  e->choice = step->choice;
  e->choices = step->choices;
  e->round = step->round;
  e->target = step->target;
  e->accesses = accesses;
  e->first_access = (uint32_t)t->accesses.size;
  e->first_touch = (uint32_t)t->touches.size;
  e->first_race = (uint32_t)t->races.size;
  e->first_clock = (uint32_t)t->clocks.words.size;
  e->first_more = (uint32_t)t->more.size;
  e->links = step->accesses > accesses;
  e->beside = false;
  e->overwrites = trace_overwrites(t, step);
  e->pc = step->pc;
  e->value = step->value;
  e->history = 0;
  VEC_PUSH(t->processes.at[proc].events, (uint32_t)t->events.size - 1); /* T1 */
  VEC_RESERVE(t->accesses, step->accesses);
  for (uint32_t i = 0; i < step->accesses; i++)
    t->accesses.at[t->accesses.size++] = step->access[i];
  VEC_RESERVE(t->more, step->more);
  for (uint32_t i = 0; i < step->more; i++)
    t->more.at[t->more.size++] = step->causes[i];
  if (e->accesses > 1 || looks(t, e->flags))
    trace_footprint(t, e->flags, &t->accesses.at[e->first_access], e->accesses);
  return e;
}

void trace_push(struct trace *t, uint32_t proc, const struct step *step) {
  struct event *e = enter_event(t, proc, step);
  t->conflicts.size = t->suspects.size = t->links.size = 0;
  t->exposed = false;
  t->any_links |= e->links;
  for (uint32_t i = 0; i < e->accesses + e->links; i++)
    enter_access(t, e, &event_access(t, e)[i]);
  find_order(t, e);
  if (!t->rules.races)
    return;
  uint32_t self = (uint32_t)t->events.size - 1;
  if (e->flags & STEP_BLOCKING)
    find_blocking_races(t, e);
  for (size_t i = 0; (e->flags & STEP_LOOK) && i < t->look.list.size; i++)
    add_race(t, RACE_ORDER, t->look.list.at[i], self, t->look.looks.at[i]);
  for (uint32_t c = 0; e->choices > 1 && c < e->choices; c++)
    if (c != e->choice)
      add_race(t, RACE_CHOICE, self, c, LOOK_UNKNOWN);
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
