#include "explore/datacentric/reads_from.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/rng.h"

void rf_maker_init(struct rf_maker *m) {
  *m = (struct rf_maker){0};
  annotation_init(&m->pairs);
}

void rf_maker_free(struct rf_maker *m) {
  annotation_free(&m->pairs);
  rf_free(&m->now);
  table_free(&m->by_range);
  VEC_FREE(m->ordered);
  VEC_FREE(m->lookers);
  VEC_FREE(m->places);
  VEC_FREE(m->ends);
  VEC_FREE(m->last);
  VEC_FREE(m->newest);
  VEC_FREE(m->ends_of_writes);
  VEC_FREE(m->segments);
}

void rf_free(struct reads_from *r) {
  VEC_FREE(r->events);
  VEC_FREE(r->items);
  VEC_FREE(r->accesses);
  VEC_FREE(r->atoms);
  VEC_FREE(r->cones);
  VEC_FREE(r->first_of_process);
  VEC_FREE(r->of_process);
  VEC_FREE(r->writes);
  VEC_FREE(r->writers);
  VEC_FREE(r->first_writer);
}

/* Places that are kept for later executions, besides twice as many as this one
 * has accesses. */
enum { PLACES_SPARE = 1000 };

/* ---- events ------------------------------------------------------------- */

static void add_accesses(struct reads_from *r, const struct access *a,
                         uint32_t count, bool overwrites) {
  VEC_RESERVE(r->accesses, count);
  for (uint32_t i = 0; i < count; i++) {
    struct access copy = a[i];
    if (overwrites && (copy.mode & ACCESS_WRITE))
      copy.mode |= ACCESS_BLIND;
    r->accesses.at[r->accesses.size++] = copy;
  }
}

/* Bytes that stand for the looks of a process at a place. */
static struct access mark_of(const struct rf_looker *l, uint32_t mode) {
  return (struct access){l->addr | (uint64_t)(l->proc + 1) << RF_MARK, l->size,
                         mode};
}

uint32_t rf_mark(const struct rf_maker *m, uint32_t proc,
                 const struct access *a, uint32_t from, struct access *out) {
  for (; from < m->lookers.size; from++) {
    const struct rf_looker *l = &m->lookers.at[from];
    if (l->proc == proc || a->addr >= l->addr + l->size ||
        l->addr >= a->addr + a->size)
      continue;
    *out = mark_of(l, 0);
    return from + 1;
  }
  return 0;
}

struct access rf_own_mark(uint32_t proc, const struct access *a) {
  struct rf_looker self = {a->addr, a->size, proc};
  return mark_of(&self, ACCESS_WRITE | ACCESS_BLIND);
}

/* The marks that the newest event leaves or sees. */
static void add_marks(const struct rf_maker *m, struct reads_from *r) {
  struct rf_event *e = &VEC_TOP(r->events);
  bool look = e->flags & STEP_LOOK, tests = e->flags & STEP_CONDITIONAL;
  size_t end = r->accesses.size;
  for (size_t i = e->first_access; i < end; i++) {
    struct access a = r->accesses.at[i], mark;
    bool writes = a.mode & ACCESS_WRITE;
    if (look && !writes)
      VEC_PUSH(r->accesses, rf_own_mark(e->proc, &a));
    for (uint32_t n = 0; (n = rf_mark(m, e->proc, &a, n, &mark));) {
      e->varies |= tests;
      if (writes)
        VEC_PUSH(r->accesses, mark);
    }
  }
  e->marks = (uint32_t)(r->accesses.size - end);
}

/* A look may be a compare-and-swap, or a read that is one step with it. */
static bool varies(const struct rf_maker *m, unsigned flags) {
  return (flags & STEP_BLOCK) ||
         ((flags & STEP_LOOK) && (m->joins || (flags & STEP_CONDITIONAL)));
}

static void add_event(const struct rf_maker *m, struct reads_from *r,
                      const struct trace *t, const struct event *e) {
  VEC_PUSH(r->events,
           (struct rf_event){.proc = e->proc,
                             .index = e->index,
                             .previous = e->previous,
                             .cause = e->cause,
                             .first_access = (uint32_t)r->accesses.size,
                             .accesses = e->accesses,
                             .op = e->op,
                             .choice = e->choice,
                             .choices = e->choices,
                             .flags = e->flags,
                             .varies = varies(m, e->flags),
                             .wants = e->wants,
                             .offers = e->offers});
  add_accesses(r, event_access(t, e), e->accesses, e->overwrites);
  add_marks(m, r);
}

/* Adds an operation that waits, as if it were taken. */
static void add_waiting(const struct rf_maker *m, struct reads_from *r,
                        const struct trace *t, uint32_t p,
                        const struct step *step) {
  uint32_t length = process_length(t, p);
  VEC_PUSH(r->events,
           (struct rf_event){.proc = p,
                             .index = length + 1,
                             .previous =
                                 length ? process_event(t, p, length) + 1 : 0,
                             .cause = step->cause,
                             .first_access = (uint32_t)r->accesses.size,
                             .accesses = step->accesses,
                             .choices = step->choices,
                             .flags = step->flags,
                             .varies = varies(m, step->flags),
                             .wants = step->wants});
  add_accesses(r, step->access, step->accesses, false);
  add_marks(m, r);
}

static void add_events(const struct rf_maker *m, struct reads_from *r,
                       const struct trace *t, struct system *system) {
  VEC_RESERVE(r->events, t->events.size - r->length);
  for (size_t i = r->length; i < t->events.size; i++)
    add_event(m, r, t, &t->events.at[i]);
  r->length = (uint32_t)r->events.size;
  r->processes = system->processes;
  for (uint32_t p = 0; p < system->processes; p++) {
    struct step step;
    if (!system->ops->enabled(system, p) &&
        system->ops->pending(system, p, &step) && step.accesses)
      add_waiting(m, r, t, p, &step);
  }
}

/* A process's waiting operation stands behind its events. */
static void sort_by_process(struct reads_from *r, const struct trace *t) {
  uint32_t at = 0, waiting = r->length;
  VEC_SIZED(r->first_of_process, r->processes + 1);
  VEC_SIZED(r->of_process, r->events.size);
  for (uint32_t p = 0; p < r->processes; p++) {
    r->first_of_process.at[p] = at;
    for (uint32_t k = 1; k <= process_length(t, p); k++)
      r->of_process.at[at++] = process_event(t, p, k);
    if (waiting < r->events.size && r->events.at[waiting].proc == p)
      r->of_process.at[at++] = waiting++;
  }
  r->first_of_process.at[r->processes] = at;
}

/* ---- atoms -------------------------------------------------------------- */

static uint32_t place_hash(const struct access *a) {
  return (uint32_t)rng_mix(a->addr ^ ((uint64_t)a->size << 48));
}

/* The number of the access's range among the places, or NOWHERE. */
static uint32_t find_place(const struct rf_maker *m, const struct access *a,
                           uint32_t hash) {
  for (TABLE_EACH(n, &m->by_range, hash))
    if (m->places.at[n].addr == a->addr && m->places.at[n].size == a->size)
      return (uint32_t)n;
  return NOWHERE;
}

static void forget_places(struct rf_maker *m) {
  table_clear(&m->by_range);
  m->places.size = 0;
}

/* Adds every range once; programs touch few places many times.  True if a range
 * from access `first` on is new. */
static bool find_places(struct rf_maker *m, const struct reads_from *r,
                        uint32_t first) {
  size_t known = m->places.size;
  for (size_t i = first; i < r->accesses.size; i++) {
    uint32_t hash = place_hash(&r->accesses.at[i]);
    if (find_place(m, &r->accesses.at[i], hash) != NOWHERE)
      continue;
    table_add(&m->by_range, hash, m->places.size);
    VEC_PUSH(m->places, r->accesses.at[i]);
  }
  return m->places.size > known;
}

static int rising(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_ordered(const struct rf_maker *m, uint64_t from, uint64_t to) {
  for (size_t i = 0; i < m->ordered.size; i++)
    if (m->ordered.at[i].addr < to &&
        from < m->ordered.at[i].addr + m->ordered.at[i].size)
      return true;
  return false;
}

/* Between two ends there may be a gap that no event touches, and some places
 * are only known from other executions: such atoms have no items. */
static void cut_atoms(struct rf_maker *m, struct reads_from *r) {
  m->ends.size = r->atoms.size = 0;
  for (size_t i = 0; i < m->places.size; i++) {
    VEC_PUSH(m->ends, m->places.at[i].addr);
    VEC_PUSH(m->ends, m->places.at[i].addr + m->places.at[i].size);
  }
  if (m->ends.size)
    qsort(m->ends.at, m->ends.size, sizeof *m->ends.at, rising);
  for (size_t i = 1; i < m->ends.size; i++)
    if (m->ends.at[i] != m->ends.at[i - 1])
      VEC_PUSH(r->atoms,
               (struct rf_atom){
                   .from = m->ends.at[i - 1],
                   .to = m->ends.at[i],
                   .ordered = is_ordered(m, m->ends.at[i - 1], m->ends.at[i])});
  /* From now on a place's mode is its first atom. */
  for (size_t i = 0; i < m->places.size; i++)
    rf_atoms(r, m->places.at[i].addr, m->places.at[i].size,
             &m->places.at[i].mode);
}

uint32_t rf_atoms(const struct reads_from *r, uint64_t addr, uint32_t size,
                  uint32_t *first) {
  uint32_t low = 0, high = (uint32_t)r->atoms.size;
  while (low < high) { /* the first that ends behind addr */
    uint32_t middle = low + (high - low) / 2;
    if (r->atoms.at[middle].to <= addr)
      low = middle + 1;
    else
      high = middle;
  }
  *first = low;
  while (low < r->atoms.size && r->atoms.at[low].from < addr + size)
    low++;
  return low - *first;
}

/* ---- items -------------------------------------------------------------- */

/* The event's item for this atom. */
static struct rf_item *item_for(struct rf_maker *m, struct reads_from *r,
                                uint32_t event, uint32_t atom) {
  uint32_t newest = m->newest.at[atom];
  if (newest && r->items.at[newest - 1].event == event)
    return &r->items.at[newest - 1];
  VEC_PUSH(r->items,
           (struct rf_item){.atom = atom, .event = event, .older = newest});
  uint32_t self = (uint32_t)r->items.size;
  if (event < r->length) {
    *(newest ? &r->items.at[newest - 1].next : &r->atoms.at[atom].first) = self;
    m->newest.at[atom] = self;
  }
  return &VEC_TOP(r->items);
}

static bool is_blind(const struct access *a) {
  return (a->mode & ACCESS_WRITE) && (a->mode & ACCESS_BLIND);
}

bool rf_looks(const struct reads_from *r, const struct access *a,
              uint32_t atom) {
  bool looks = !is_blind(a);
  for (; !looks && atom < r->atoms.size &&
         r->atoms.at[atom].from < a->addr + a->size;
       atom++)
    looks = r->atoms.at[atom].ordered;
  return looks;
}

static void touch(struct rf_maker *m, struct reads_from *r, uint32_t event,
                  const struct access *a) {
  uint32_t atom = m->places.at[find_place(m, a, place_hash(a))].mode;
  bool looks = rf_looks(r, a, atom);
  bool writes = a->mode & ACCESS_WRITE;
  for (; atom < r->atoms.size && r->atoms.at[atom].from < a->addr + a->size;
       atom++) {
    struct rf_item *item = item_for(m, r, event, atom);
    item->writes |= writes;
    if (looks) {
      item->reads = true;
      item->from = m->last.at[atom];
    }
  }
}

static void find_items(struct rf_maker *m, struct reads_from *r,
                       uint32_t first) {
  for (uint32_t i = first; i < r->events.size; i++) {
    struct rf_event *d = &r->events.at[i];
    d->first_item = (uint32_t)r->items.size;
    for (uint32_t k = 0; k < d->accesses + d->marks; k++)
      touch(m, r, i, &r->accesses.at[d->first_access + k]);
    d->items = (uint32_t)r->items.size - d->first_item;
    for (uint32_t k = d->first_item; k < r->items.size && i < r->length; k++)
      if (r->items.at[k].writes)
        m->last.at[r->items.at[k].atom] = k + 1;
  }
}

/* The newest item of an atom is taken away. */
static void drop_item(struct rf_maker *m, struct reads_from *r,
                      const struct rf_item *item) {
  uint32_t newest = m->newest.at[item->atom] = item->older, last = newest;
  *(newest ? &r->items.at[newest - 1].next : &r->atoms.at[item->atom].first) =
      0;
  if (!item->writes)
    return; /* the last write is another one */
  while (last && !r->items.at[last - 1].writes)
    last = r->items.at[last - 1].older;
  m->last.at[item->atom] = last;
}

/* Puts the writes to every atom side by side, in the order of processes. */
static void sort_writes(struct rf_maker *m, struct reads_from *r) {
  uint32_t count = 0;
  VEC_CLEARED(m->ends_of_writes, r->atoms.size + 1);
  uint32_t *end = m->ends_of_writes.at;
  for (size_t i = 0; i < r->items.size; i++)
    if (r->items.at[i].writes && r->items.at[i].event < r->length) {
      end[r->items.at[i].atom + 1]++;
      count++;
    }
  for (size_t i = 0; i < r->atoms.size; i++)
    end[i + 1] += end[i]; /* so far the beginnings */
  VEC_SIZED(r->writes, count);
  for (size_t i = 0; i < r->events.size; i++) {
    uint32_t event = r->of_process.at[i];
    const struct rf_event *e = &r->events.at[event];
    for (uint32_t k = e->first_item; k < e->first_item + e->items; k++)
      if (r->items.at[k].writes && event < r->length)
        r->writes.at[end[r->items.at[k].atom]++] =
            (struct rf_write){event, e->index, k};
  }
}

static void find_writers(struct rf_maker *m, struct reads_from *r) {
  r->writers.size = r->first_writer.size = 0;
  uint32_t i = 0;
  for (uint32_t atom = 0; atom < r->atoms.size; atom++) {
    VEC_PUSH(r->first_writer, (uint32_t)r->writers.size);
    for (uint32_t last = NOWHERE; i < m->ends_of_writes.at[atom]; i++) {
      uint32_t p = r->events.at[r->writes.at[i].event].proc;
      if (p != last)
        VEC_PUSH(r->writers, (struct rf_writer){p, i, 0});
      VEC_TOP(r->writers).count++;
      last = p;
    }
  }
  VEC_PUSH(r->first_writer, (uint32_t)r->writers.size);
}

uint32_t rf_writes_within(const struct reads_from *r, const struct rf_writer *w,
                          uint32_t most) {
  const struct rf_write *writes = r->writes.at + w->first;
  uint32_t low = 0, high = w->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (writes[middle].index <= most)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- cones -------------------------------------------------------------- */

static void join(struct reads_from *r, uint32_t *cone, uint32_t one_more) {
  if (!one_more)
    return;
  const struct rf_event *d = &r->events.at[one_more - 1];
  if (cone[d->proc] >= d->index)
    return; /* the event is in the cone, and its cone with it */
  const uint32_t *other = rf_cone(r, one_more - 1);
  for (uint32_t p = 0; p < r->processes; p++)
    if (cone[p] < other[p])
      cone[p] = other[p];
}

static void find_cones(struct reads_from *r, uint32_t first) {
  size_t kept = (size_t)first * r->processes;
  size_t more = (r->events.size - first) * r->processes;
  r->cones.size = kept;
  VEC_RESERVE(r->cones, more);
  r->cones.size += more;
  if (more)
    memset(r->cones.at + kept, 0, more * sizeof *r->cones.at);
  for (uint32_t i = first; i < r->events.size; i++) {
    const struct rf_event *d = &r->events.at[i];
    uint32_t *cone = rf_cone(r, i);
    join(r, cone, d->previous);
    join(r, cone, d->cause);
    for (uint32_t k = 0; k < d->items && i < r->length; k++) {
      const struct rf_item *item = &r->items.at[d->first_item + k];
      if (item->reads && item->from)
        join(r, cone, r->items.at[item->from - 1].event + 1);
    }
    cone[d->proc] = d->index;
  }
}

/* ---- pairs -------------------------------------------------------------- */

static int by_address(const void *a, const void *b) {
  const struct annotation_segment *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Merges neighbours that the same write left. */
static uint32_t merge_segments(struct rf_maker *m) {
  uint32_t kept = 0;
  struct annotation_segment *at = m->segments.at;
  if (m->segments.size > 1)
    qsort(at, m->segments.size, sizeof *at, by_address);
  for (size_t i = 1; i < m->segments.size; i++) {
    if (at[i].from > at[kept].to || at[i].write != at[kept].write)
      at[++kept] = at[i];
    else if (at[kept].to < at[i].to)
      at[kept].to = at[i].to;
  }
  return kept + 1;
}

static uint32_t pair_of_segments(struct rf_maker *m, const struct rf_event *e) {
  if (!m->segments.size)
    return 0;
  uint32_t count = merge_segments(m);
  return annotation_pair_number(
      &m->pairs, (struct annotation_pair){
                     e->proc, e->index, false,
                     annotation_observed(&m->pairs, m->segments.at, count)});
}

static uint64_t observed_write(const struct reads_from *r,
                               const struct rf_item *item) {
  if (!item->from)
    return INITIAL;
  const struct rf_event *w = &r->events.at[r->items.at[item->from - 1].event];
  return write_name(w->proc, w->index);
}

uint32_t rf_pair(struct rf_maker *m, const struct reads_from *r, uint32_t event,
                 const struct rf_item *items, uint32_t count) {
  const struct rf_event *e = &r->events.at[event];
  if (count == 1 && items->reads) /* mostly */
    return annotation_pair_number(
        &m->pairs, (struct annotation_pair){e->proc, e->index, false,
                                            observed_write(r, items)});
  m->segments.size = 0;
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads)
      VEC_PUSH(m->segments,
               (struct annotation_segment){r->atoms.at[items[i].atom].from,
                                           r->atoms.at[items[i].atom].to,
                                           observed_write(r, &items[i])});
  return pair_of_segments(m, e);
}

/* Adds the part of an access from here to the next end of an atom, or to its
 * own end. */
static uint64_t add_part(struct rf_maker *m, const struct reads_from *r,
                         const struct access *a, uint64_t from,
                         const struct rf_item *items, uint32_t count) {
  uint32_t atom;
  uint64_t to = a->addr + a->size, write = INITIAL;
  rf_atoms(r, from, 1, &atom);
  if (atom < r->atoms.size && r->atoms.at[atom].from > from) {
    to = r->atoms.at[atom].from < to ? r->atoms.at[atom].from : to;
  } else if (atom < r->atoms.size) {
    to = r->atoms.at[atom].to < to ? r->atoms.at[atom].to : to;
    for (uint32_t i = 0; i < count; i++)
      if (items[i].atom == atom)
        write = observed_write(r, &items[i]);
  }
  if (!is_blind(a) || is_ordered(m, a->addr, a->addr + a->size))
    VEC_PUSH(m->segments, (struct annotation_segment){from, to, write});
  return to;
}

uint32_t rf_pair_tried(struct rf_maker *m, const struct reads_from *r,
                       uint32_t event, const struct access *a,
                       uint32_t accesses, const struct rf_item *items,
                       uint32_t count) {
  m->segments.size = 0;
  for (uint32_t i = 0; i < accesses; i++)
    for (uint64_t from = a[i].addr; from < a[i].addr + a[i].size;)
      from = add_part(m, r, &a[i], from, items, count);
  return pair_of_segments(m, &r->events.at[event]);
}

static void find_pairs(struct rf_maker *m, struct reads_from *r,
                       uint32_t first) {
  for (uint32_t i = first; i < r->events.size; i++) {
    struct rf_event *d = &r->events.at[i];
    if (d->items)
      d->pair = rf_pair(m, r, i, &r->items.at[d->first_item], d->items);
    if (d->choices > 1 && i < r->length)
      d->choice_pair = annotation_pair_number(
          &m->pairs,
          (struct annotation_pair){d->proc, d->index, true, d->choice});
  }
}

/* ---- all of it ---------------------------------------------------------- */

static bool has_failed(const struct rf_maker *m, size_t event) {
  for (size_t i = 0; i < m->failure_count; i++)
    if (m->failures[i] == event)
      return true;
  return false;
}

/* Did the memory end before the event? */
static bool has_ended(const struct reads_from *r, size_t event,
                      const struct access *a) {
  for (size_t i = 0; i < event; i++) {
    const struct rf_event *d = &r->events.at[i];
    for (uint32_t k = 0; op_is(d->op, OPCLASS_LIFETIME) && k < d->accesses; k++)
      if (access_conflict(&r->accesses.at[d->first_access + k], a))
        return true;
  }
  return false;
}

static bool must_order(const struct rf_maker *m, const struct rf_event *d,
                       const struct access *a) {
  return (d->flags & STEP_AWAIT) ||
         (m->blocks_order && (d->flags & STEP_BLOCK) &&
          (a->mode & ACCESS_WRITE));
}

static bool is_known(const struct rf_maker *m, const struct access *a) {
  for (size_t i = 0; i < m->ordered.size; i++) {
    const struct access *o = &m->ordered.at[i];
    if (o->addr <= a->addr && a->addr + a->size <= o->addr + o->size)
      return true;
  }
  return false;
}

/* Enters the process of a look, as one that looks there; false if that is new.
 */
static bool is_known_looker(struct rf_maker *m, const struct rf_event *d,
                            const struct access *a) {
  for (size_t i = 0; i < m->lookers.size; i++)
    if (m->lookers.at[i].addr == a->addr && m->lookers.at[i].size == a->size &&
        m->lookers.at[i].proc == d->proc)
      return true;
  VEC_PUSH(m->lookers, (struct rf_looker){a->addr, a->size, d->proc});
  return false;
}

static bool find_ordered(struct rf_maker *m, const struct reads_from *r,
                         uint32_t first) {
  bool known = true;
  for (size_t i = first; i < r->events.size; i++) {
    const struct rf_event *d = &r->events.at[i];
    for (uint32_t k = 0; k < d->accesses; k++) {
      const struct access *a = &r->accesses.at[d->first_access + k];
      if (d->flags & STEP_LOOK)
        known &= is_known_looker(m, d, a);
      if (is_known(m, a) ||
          (!must_order(m, d, a) && !(has_failed(m, i) && has_ended(r, i, a))))
        continue;
      VEC_PUSH(m->ordered, *a);
      known = false;
    }
  }
  return known;
}

/* Keeps the first `length` events. */
static void cut_back(struct rf_maker *m, uint32_t length) {
  struct reads_from *r = &m->now;
  if (length < r->events.size) {
    const struct rf_event *d = &r->events.at[length];
    for (size_t i = r->items.size; i-- > d->first_item;)
      if (r->items.at[i].event < r->length)
        drop_item(m, r, &r->items.at[i]);
    r->items.size = d->first_item;
    r->accesses.size = d->first_access;
  }
  r->events.size = r->length = length;
}

/* Cuts the bytes into atoms anew.  Places that are not touched any more must
 * not pile up. */
static void cut_anew(struct rf_maker *m) {
  struct reads_from *r = &m->now;
  if (m->places.size > PLACES_SPARE + 2 * r->accesses.size) {
    forget_places(m);
    find_places(m, r, 0);
  }
  cut_atoms(m, r);
  VEC_CLEARED(m->last, r->atoms.size);
  VEC_CLEARED(m->newest, r->atoms.size);
  r->items.size = 0;
}

/* Turns the last run into that of this trace. */
static bool go_on(struct rf_maker *m, const struct trace *t,
                  struct system *system) {
  struct reads_from *r = &m->now;
  uint32_t kept = r->processes == system->processes ? r->length : 0;
  cut_back(m, t->unchanged < kept ? t->unchanged : kept);
  uint32_t first = r->length, access = (uint32_t)r->accesses.size;
  add_events(m, r, t, system);
  bool known = find_ordered(m, r, first);
  if (!known)
    forget_places(m);
  if (find_places(m, r, known ? access : 0)) {
    cut_anew(m);
    first = 0;
  }
  find_items(m, r, first);
  find_cones(r, first);
  find_pairs(m, r, first);
  return known;
}

#define COPY(to, from)                                             \
  do {                                                             \
    VEC_SIZED(to, (from).size);                                    \
    if ((from).size)                                               \
      memcpy((to).at, (from).at, (from).size * sizeof *(from).at); \
  } while (0)

bool rf_make(struct rf_maker *m, struct reads_from *r, struct trace *t,
             struct system *system) {
  bool known = go_on(m, t, system);
  trace_mark(t);
  r->length = m->now.length;
  r->processes = m->now.processes;
  COPY(r->events, m->now.events);
  COPY(r->items, m->now.items);
  COPY(r->accesses, m->now.accesses);
  COPY(r->atoms, m->now.atoms);
  COPY(r->cones, m->now.cones);
  sort_by_process(r, t);
  sort_writes(m, r);
  find_writers(m, r);
  return known;
}

/* ---- checking ----------------------------------------------------------- */

static void check_atom(const struct reads_from *r, uint32_t atom) {
  const struct rf_atom *a = &r->atoms.at[atom];
  uint32_t last = 0, older = 0;
  ensure(a->from < a->to &&
         (atom == 0 || r->atoms.at[atom - 1].to <= a->from)); /* R1 */
  for (uint32_t n = a->first; n; n = r->items.at[n - 1].next) {
    const struct rf_item *item = &r->items.at[n - 1];
    ensure(item->atom == atom && item->older == older &&
           item->event < r->length &&
           (!older || r->items.at[older - 1].event < item->event)); /* R2 */
    ensure(!item->reads || item->from == last);                     /* R3 */
    last = item->writes ? n : last;
    older = n;
  }
}

static void check_within(const struct reads_from *r, uint32_t event,
                         uint32_t one_more) {
  for (uint32_t p = 0; one_more && p < r->processes; p++)
    ensure(rf_cone(r, one_more - 1)[p] <= rf_cone(r, event)[p]); /* R4 */
}

static void check_cone(const struct reads_from *r, uint32_t event) {
  const struct rf_event *e = &r->events.at[event];
  ensure(rf_cone(r, event)[e->proc] == e->index &&
         rf_event(r, e->proc, e->index) == event);
  check_within(r, event, e->previous);
  check_within(r, event, e->cause);
  for (uint32_t i = 0; event < r->length && i < e->items; i++) {
    const struct rf_item *item = &r->items.at[e->first_item + i];
    if (item->reads && item->from)
      check_within(r, event, r->items.at[item->from - 1].event + 1);
  }
}

void rf_check(const struct reads_from *r) {
  for (uint32_t atom = 0; atom < r->atoms.size; atom++)
    check_atom(r, atom);
  for (uint32_t i = 0; i < r->events.size; i++)
    check_cone(r, i);
}
