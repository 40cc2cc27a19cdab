#include "core/flow.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/rng.h"

void flow_maker_init(struct flow_maker *m) {
  *m = (struct flow_maker){.bucket_count = BUCKETS_FIRST};
  pairs_init(&m->pairs);
  m->buckets = calloc(m->bucket_count, sizeof *m->buckets);
  ensure(m->buckets);
}

void flow_maker_free(struct flow_maker *m) {
  pairs_free(&m->pairs);
  flow_free(&m->now);
  free(m->buckets);
  VEC_FREE(m->ordered);
  VEC_FREE(m->places);
  VEC_FREE(m->used);
  VEC_FREE(m->ends);
  VEC_FREE(m->last);
  VEC_FREE(m->newest);
  VEC_FREE(m->ends_of_writes);
  VEC_FREE(m->segments);
}

void flow_free(struct flow *r) {
  VEC_FREE(r->deeds);
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

/* Places that are kept for other executions, besides as many again as there
 * are accesses in this one. */
enum { PLACES_SPARE = 1000 };

/* ---- deeds ----------------------------------------------------------------
 */

static void add_accesses(struct flow *r, const struct access *a, uint32_t count,
                         bool overwrites) {
  VEC_RESERVE(r->accesses, count);
  for (uint32_t i = 0; i < count; i++) {
    struct access copy = a[i];
    if (overwrites && (copy.mode & ACCESS_WRITE))
      copy.mode |= ACCESS_BLIND;
    r->accesses.at[r->accesses.size++] = copy;
  }
}

static void add_event(struct flow *r, const struct trace *t,
                      const struct event *e) {
  VEC_PUSH(r->deeds, (struct deed){.proc = e->proc,
                                   .index = e->index,
                                   .previous = e->previous,
                                   .cause = e->cause,
                                   .first_access = (uint32_t)r->accesses.size,
                                   .accesses = e->accesses,
                                   .op = e->op,
                                   .choice = e->choice,
                                   .choices = e->choices,
                                   .flags = e->flags,
                                   .wants = e->wants,
                                   .offers = e->offers});
  add_accesses(r, event_access(t, e), e->accesses, e->overwrites);
}

/* An operation that waits, as if it were taken. */
static void add_waiting(struct flow *r, const struct trace *t, uint32_t p,
                        const struct step *step) {
  uint32_t length = process_length(t, p);
  VEC_PUSH(
      r->deeds,
      (struct deed){.proc = p,
                    .index = length + 1,
                    .previous = length ? process_event(t, p, length) + 1 : 0,
                    .cause = step->cause,
                    .first_access = (uint32_t)r->accesses.size,
                    .accesses = step->accesses,
                    .choices = step->choices,
                    .flags = step->flags,
                    .wants = step->wants});
  add_accesses(r, step->access, step->accesses, false);
}

static void add_deeds(struct flow *r, const struct trace *t,
                      struct system *system) {
  VEC_RESERVE(r->deeds, t->events.size - r->length);
  for (size_t i = r->length; i < t->events.size; i++)
    add_event(r, t, &t->events.at[i]);
  r->length = (uint32_t)r->deeds.size;
  r->processes = system->processes;
  for (uint32_t p = 0; p < system->processes; p++) {
    struct step step;
    if (!system->ops->enabled(system, p) &&
        system->ops->pending(system, p, &step) && step.accesses)
      add_waiting(r, t, p, &step);
  }
}

/* Who waits at the end stands behind all that was taken. */
static void sort_by_process(struct flow *r, const struct trace *t) {
  uint32_t at = 0, waiting = r->length;
  VEC_SIZED(r->first_of_process, r->processes + 1);
  VEC_SIZED(r->of_process, r->deeds.size);
  for (uint32_t p = 0; p < r->processes; p++) {
    r->first_of_process.at[p] = at;
    for (uint32_t k = 1; k <= process_length(t, p); k++)
      r->of_process.at[at++] = process_event(t, p, k);
    if (waiting < r->deeds.size && r->deeds.at[waiting].proc == p)
      r->of_process.at[at++] = waiting++;
  }
  r->first_of_process.at[r->processes] = at;
}

/* ---- atoms ----------------------------------------------------------------
 */

static uint32_t *find_place(struct flow_maker *m, const struct access *a) {
  size_t b = rng_mix(a->addr ^ ((uint64_t)a->size << 48));
  for (b &= m->bucket_count - 1; m->buckets[b];
       b = (b + 1) & (m->bucket_count - 1)) {
    const struct access *other = &m->places.at[m->buckets[b] - 1];
    if (other->addr == a->addr && other->size == a->size)
      break;
  }
  return &m->buckets[b];
}

static void enlarge(struct flow_maker *m) {
  free(m->buckets);
  m->bucket_count *= 2;
  m->buckets = calloc(m->bucket_count, sizeof *m->buckets);
  ensure(m->buckets);
  m->used.size = 0;
  for (uint32_t i = 0; i < m->places.size; i++) {
    uint32_t *bucket = find_place(m, &m->places.at[i]);
    *bucket = i + 1;
    VEC_PUSH(m->used, (uint32_t)(bucket - m->buckets));
  }
}

static void forget_places(struct flow_maker *m) {
  for (size_t i = 0; i < m->used.size; i++)
    m->buckets[m->used.at[i]] = 0;
  m->used.size = m->places.size = 0;
}

/* Every range once; programs touch few places many times.  True if one of those
 * from this access on is new. */
static bool find_places(struct flow_maker *m, const struct flow *r,
                        uint32_t first) {
  size_t known = m->places.size;
  for (size_t i = first; i < r->accesses.size; i++) {
    uint32_t *bucket = find_place(m, &r->accesses.at[i]);
    if (*bucket)
      continue;
    VEC_PUSH(m->places, r->accesses.at[i]);
    VEC_PUSH(m->used, (uint32_t)(bucket - m->buckets));
    *bucket = (uint32_t)m->places.size;
    if (2 * m->places.size > m->bucket_count)
      enlarge(m);
  }
  return m->places.size > known;
}

static int rising(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_ordered(const struct flow_maker *m, uint64_t from, uint64_t to) {
  for (size_t i = 0; i < m->ordered.size; i++)
    if (m->ordered.at[i].addr < to &&
        from < m->ordered.at[i].addr + m->ordered.at[i].size)
      return true;
  return false;
}

/* Between two ends there may be a gap that nobody touches, and places may be
 * known from other executions: atoms without items. */
static void cut_atoms(struct flow_maker *m, struct flow *r) {
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
               (struct atom){
                   .from = m->ends.at[i - 1],
                   .to = m->ends.at[i],
                   .ordered = is_ordered(m, m->ends.at[i - 1], m->ends.at[i])});
  /* From now on a place's mode is its first atom. */
  for (size_t i = 0; i < m->places.size; i++)
    flow_atoms(r, m->places.at[i].addr, m->places.at[i].size,
               &m->places.at[i].mode);
}

uint32_t flow_atoms(const struct flow *r, uint64_t addr, uint32_t size,
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

/* ---- items ----------------------------------------------------------------
 */

/* The event's item for this atom. */
static struct item *item_for(struct flow_maker *m, struct flow *r,
                             uint32_t deed, uint32_t atom) {
  uint32_t newest = m->newest.at[atom];
  if (newest && r->items.at[newest - 1].event == deed)
    return &r->items.at[newest - 1];
  VEC_PUSH(r->items,
           (struct item){.atom = atom, .event = deed, .older = newest});
  uint32_t self = (uint32_t)r->items.size;
  if (deed < r->length) {
    *(newest ? &r->items.at[newest - 1].next : &r->atoms.at[atom].first) = self;
    m->newest.at[atom] = self;
  }
  return &VEC_TOP(r->items);
}

static bool is_blind(const struct access *a) {
  return (a->mode & ACCESS_WRITE) && (a->mode & ACCESS_BLIND);
}

bool flow_looks(const struct flow *r, const struct access *a, uint32_t atom) {
  bool looks = !is_blind(a);
  for (; !looks && atom < r->atoms.size &&
         r->atoms.at[atom].from < a->addr + a->size;
       atom++)
    looks = r->atoms.at[atom].ordered;
  return looks;
}

static void touch(struct flow_maker *m, struct flow *r, uint32_t deed,
                  const struct access *a) {
  uint32_t atom = m->places.at[*find_place(m, a) - 1].mode;
  bool writes = a->mode & ACCESS_WRITE, looks = flow_looks(r, a, atom);
  for (; atom < r->atoms.size && r->atoms.at[atom].from < a->addr + a->size;
       atom++) {
    struct item *item = item_for(m, r, deed, atom);
    item->writes |= writes;
    if (looks) {
      item->reads = true;
      item->from = m->last.at[atom];
    }
  }
}

static void find_items(struct flow_maker *m, struct flow *r, uint32_t first) {
  for (uint32_t i = first; i < r->deeds.size; i++) {
    struct deed *d = &r->deeds.at[i];
    d->first_item = (uint32_t)r->items.size;
    for (uint32_t k = 0; k < d->accesses; k++)
      touch(m, r, i, &r->accesses.at[d->first_access + k]);
    d->items = (uint32_t)r->items.size - d->first_item;
    for (uint32_t k = d->first_item; k < r->items.size && i < r->length; k++)
      if (r->items.at[k].writes)
        m->last.at[r->items.at[k].atom] = k + 1;
  }
}

/* The newest item of an atom is taken away. */
static void drop_item(struct flow_maker *m, struct flow *r,
                      const struct item *item) {
  uint32_t newest = m->newest.at[item->atom] = item->older, last = newest;
  *(newest ? &r->items.at[newest - 1].next : &r->atoms.at[item->atom].first) =
      0;
  while (last && !r->items.at[last - 1].writes)
    last = r->items.at[last - 1].older;
  m->last.at[item->atom] = last;
}

/* Puts the writes of every atom side by side, in the order of processes. */
static void sort_writes(struct flow_maker *m, struct flow *r) {
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
  for (size_t i = 0; i < r->deeds.size; i++) {
    uint32_t deed = r->of_process.at[i];
    const struct deed *e = &r->deeds.at[deed];
    for (uint32_t k = e->first_item; k < e->first_item + e->items; k++)
      if (r->items.at[k].writes && deed < r->length)
        r->writes.at[end[r->items.at[k].atom]++] =
            (struct write){deed, e->index, k};
  }
}

static void find_writers(struct flow_maker *m, struct flow *r) {
  r->writers.size = r->first_writer.size = 0;
  uint32_t i = 0;
  for (uint32_t atom = 0; atom < r->atoms.size; atom++) {
    VEC_PUSH(r->first_writer, (uint32_t)r->writers.size);
    for (uint32_t last = NOWHERE; i < m->ends_of_writes.at[atom]; i++) {
      uint32_t p = r->deeds.at[r->writes.at[i].deed].proc;
      if (p != last)
        VEC_PUSH(r->writers, (struct writer){p, i, 0});
      VEC_TOP(r->writers).count++;
      last = p;
    }
  }
  VEC_PUSH(r->first_writer, (uint32_t)r->writers.size);
}

uint32_t flow_writes_within(const struct flow *r, const struct writer *w,
                            uint32_t most) {
  const struct write *writes = r->writes.at + w->first;
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

/* ---- cones ----------------------------------------------------------------
 */

static void join(struct flow *r, uint32_t *cone, uint32_t one_more) {
  if (!one_more)
    return;
  const struct deed *d = &r->deeds.at[one_more - 1];
  if (cone[d->proc] >= d->index)
    return; /* it is there, and its cone with it */
  const uint32_t *other = flow_cone(r, one_more - 1);
  for (uint32_t p = 0; p < r->processes; p++)
    if (cone[p] < other[p])
      cone[p] = other[p];
}

static void find_cones(struct flow *r, uint32_t first) {
  size_t kept = (size_t)first * r->processes;
  size_t more = (r->deeds.size - first) * r->processes;
  r->cones.size = kept;
  VEC_RESERVE(r->cones, more);
  r->cones.size += more;
  if (more)
    memset(r->cones.at + kept, 0, more * sizeof *r->cones.at);
  for (uint32_t i = first; i < r->deeds.size; i++) {
    const struct deed *d = &r->deeds.at[i];
    uint32_t *cone = flow_cone(r, i);
    join(r, cone, d->previous);
    join(r, cone, d->cause);
    for (uint32_t k = 0; k < d->items && i < r->length; k++) {
      const struct item *item = &r->items.at[d->first_item + k];
      if (item->reads && item->from)
        join(r, cone, r->items.at[item->from - 1].event + 1);
    }
    cone[d->proc] = d->index;
  }
}

/* ---- pairs ----------------------------------------------------------------
 */

static int by_address(const void *a, const void *b) {
  const struct segment *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Neighbours that the same write left are one. */
static uint32_t merge_segments(struct flow_maker *m) {
  uint32_t kept = 0;
  struct segment *at = m->segments.at;
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

static uint32_t pair_of_segments(struct flow_maker *m, const struct deed *e) {
  if (!m->segments.size)
    return 0;
  uint32_t count = merge_segments(m);
  return pair_number(
      &m->pairs,
      (struct pair){e->proc, e->index, false,
                    pairs_observed(&m->pairs, m->segments.at, count)});
}

static uint64_t observed_write(const struct flow *r, const struct item *item) {
  if (!item->from)
    return INITIAL;
  const struct deed *w = &r->deeds.at[r->items.at[item->from - 1].event];
  return write_name(w->proc, w->index);
}

uint32_t flow_pair(struct flow_maker *m, const struct flow *r, uint32_t deed,
                   const struct item *items, uint32_t count) {
  const struct deed *e = &r->deeds.at[deed];
  if (count == 1 && items->reads) /* mostly */
    return pair_number(&m->pairs, (struct pair){e->proc, e->index, false,
                                                observed_write(r, items)});
  m->segments.size = 0;
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads)
      VEC_PUSH(m->segments, (struct segment){r->atoms.at[items[i].atom].from,
                                             r->atoms.at[items[i].atom].to,
                                             observed_write(r, &items[i])});
  return pair_of_segments(m, e);
}

/* The part of an access from here to the next atom's end, or all of it. */
static uint64_t add_part(struct flow_maker *m, const struct flow *r,
                         const struct access *a, uint64_t from,
                         const struct item *items, uint32_t count) {
  uint32_t atom;
  uint64_t to = a->addr + a->size, write = INITIAL;
  flow_atoms(r, from, 1, &atom);
  if (atom < r->atoms.size && r->atoms.at[atom].from > from) {
    to = r->atoms.at[atom].from < to ? r->atoms.at[atom].from : to;
  } else if (atom < r->atoms.size) {
    to = r->atoms.at[atom].to < to ? r->atoms.at[atom].to : to;
    for (uint32_t i = 0; i < count; i++)
      if (items[i].atom == atom)
        write = observed_write(r, &items[i]);
  }
  if (!is_blind(a) || is_ordered(m, a->addr, a->addr + a->size))
    VEC_PUSH(m->segments, (struct segment){from, to, write});
  return to;
}

uint32_t flow_pair_tried(struct flow_maker *m, const struct flow *r,
                         uint32_t deed, const struct access *a,
                         uint32_t accesses, const struct item *items,
                         uint32_t count) {
  m->segments.size = 0;
  for (uint32_t i = 0; i < accesses; i++)
    for (uint64_t from = a[i].addr; from < a[i].addr + a[i].size;)
      from = add_part(m, r, &a[i], from, items, count);
  return pair_of_segments(m, &r->deeds.at[deed]);
}

static void find_pairs(struct flow_maker *m, struct flow *r, uint32_t first) {
  for (uint32_t i = first; i < r->deeds.size; i++) {
    struct deed *d = &r->deeds.at[i];
    if (d->items)
      d->pair = flow_pair(m, r, i, &r->items.at[d->first_item], d->items);
    if (d->choices > 1 && i < r->length)
      d->choice_pair = pair_number(
          &m->pairs, (struct pair){d->proc, d->index, true, d->choice});
  }
}

/* ---- all of it ------------------------------------------------------------
 */

static bool must_order(const struct flow_maker *m, const struct deed *d,
                       const struct access *a) {
  return (d->flags & STEP_AWAIT) ||
         (m->blocks_order && (d->flags & STEP_BLOCK) &&
          (a->mode & ACCESS_WRITE));
}

static bool is_known(const struct flow_maker *m, const struct access *a) {
  for (size_t i = 0; i < m->ordered.size; i++) {
    const struct access *o = &m->ordered.at[i];
    if (o->addr <= a->addr && a->addr + a->size <= o->addr + o->size)
      return true;
  }
  return false;
}

static bool find_ordered(struct flow_maker *m, const struct flow *r,
                         uint32_t first) {
  bool known = true;
  for (size_t i = first; i < r->deeds.size; i++) {
    const struct deed *d = &r->deeds.at[i];
    for (uint32_t k = 0; k < d->accesses; k++) {
      const struct access *a = &r->accesses.at[d->first_access + k];
      if (!must_order(m, d, a) || is_known(m, a))
        continue;
      VEC_PUSH(m->ordered, *a);
      known = false;
    }
  }
  return known;
}

/* Keeps the first `length` events. */
static void cut_back(struct flow_maker *m, uint32_t length) {
  struct flow *r = &m->now;
  if (length < r->deeds.size) {
    const struct deed *d = &r->deeds.at[length];
    for (size_t i = r->items.size; i-- > d->first_item;)
      if (r->items.at[i].event < r->length)
        drop_item(m, r, &r->items.at[i]);
    r->items.size = d->first_item;
    r->accesses.size = d->first_access;
  }
  r->deeds.size = r->length = length;
}

/* Cuts the bytes anew, and forgets how they were cut.  Places that were touched
 * once and are not any more must not pile up. */
static void cut_anew(struct flow_maker *m) {
  struct flow *r = &m->now;
  if (m->places.size > PLACES_SPARE + 2 * r->accesses.size) {
    forget_places(m);
    find_places(m, r, 0);
  }
  cut_atoms(m, r);
  VEC_CLEARED(m->last, r->atoms.size);
  VEC_CLEARED(m->newest, r->atoms.size);
  r->items.size = 0;
}

/* Takes the flow that was made last to the end of this trace. */
static bool go_on(struct flow_maker *m, const struct trace *t,
                  struct system *system) {
  struct flow *r = &m->now;
  uint32_t kept = r->processes == system->processes ? r->length : 0;
  cut_back(m, t->shortest < kept ? t->shortest : kept);
  uint32_t first = r->length, access = (uint32_t)r->accesses.size;
  add_deeds(r, t, system);
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

bool flow_make(struct flow_maker *m, struct flow *r, struct trace *t,
               struct system *system) {
  bool known = go_on(m, t, system);
  t->shortest = (uint32_t)t->events.size;
  r->length = m->now.length;
  r->processes = m->now.processes;
  COPY(r->deeds, m->now.deeds);
  COPY(r->items, m->now.items);
  COPY(r->accesses, m->now.accesses);
  COPY(r->atoms, m->now.atoms);
  COPY(r->cones, m->now.cones);
  sort_by_process(r, t);
  sort_writes(m, r);
  find_writers(m, r);
  return known;
}
