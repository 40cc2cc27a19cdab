#include "core/unfolding.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

#define ODD 0x9e3779b97f4a7c15u /* 2^64 / golden ratio, made odd */

/* So many occurrences may live before the next collection, if so many live now:
 * a collection costs as much as entering what it looks at.  In a hostile build
 * it comes at once. */
static size_t threshold(size_t live) {
  return HOSTILE || planted(UNFOLD_DROP) ? 0 : 2 * live + 4096;
}

/* What one occurrence touches, by the trace's cells: each visit of another is
 * then looked up, where there are too many for comparing all with all. */
struct marks {
  uint32_t now;
  VEC(struct mark {
    uint32_t when;
    uint8_t touched;
    uint8_t written;
  })
  cells;
};

/* ---- tables ---------------------------------------------------------------
 */

static void table_empty(struct table *t, size_t size) {
  if (size != t->size) {
    free(t->slots);
    t->slots = malloc(size * sizeof *t->slots);
    ensure(t->slots);
    t->size = size;
  }
  t->used = 0;
  memset(t->slots, 0, size * sizeof *t->slots);
}

static size_t first_slot(const struct table *t, uint32_t hash) {
  return hash & (t->size - 1);
}

static size_t next_slot(const struct table *t, size_t slot) {
  return (slot + 1) & (t->size - 1);
}

/* Something that is not there yet. */
static void table_add(struct table *t, uint32_t number, uint32_t hash) {
  size_t slot = first_slot(t, hash);
  while (t->slots[slot].number)
    slot = next_slot(t, slot);
  t->slots[slot] = (struct slot){number, hash};
  t->used++;
}

static bool table_is_full(const struct table *t) {
  return 2 * t->used >= t->size;
}

void unfolding_init(struct unfolding *u, uint32_t skip, uint64_t *looked_at) {
  memset(u, 0, sizeof *u);
  ensure(skip);
  u->skip = skip;
  u->looked_at = looked_at;
  VEC_PUSH(u->occurrences, (struct occurrence){0});
  table_empty(&u->names, BUCKETS_FIRST);
  table_empty(&u->keys, BUCKETS_FIRST);
  u->threshold = threshold(0);
  u->marks = calloc(1, sizeof *u->marks);
  ensure(u->marks);
}

void unfolding_free(struct unfolding *u) {
  VEC_FREE(u->marks->cells);
  free(u->marks);
  VEC_FREE(u->occurrences);
  VEC_FREE(u->pasts);
  VEC_FREE(u->visits);
  VEC_FREE(u->places);
  VEC_FREE(u->unused);
  VEC_FREE(u->old_pasts);
  VEC_FREE(u->old_visits);
  VEC_FREE(u->old_places);
  VEC_FREE(u->to_keep);
  free(u->names.slots);
  free(u->keys.slots);
}

/* ---- names ----------------------------------------------------------------
 */

/* Is what the draft knows of other processes what the previous one knew?  It
 * must say so if it is (U3).  Then it needs no past. */
static void find_alike(const struct unfolding *u, struct draft *d) {
  if (d->alike)
    return;
  while (d->past.size && !VEC_TOP(d->past))
    d->past.size--; /* U1 */
  const struct occurrence *x = occurrence_at(u, d->previous);
  d->alike = d->previous && x->width == d->past.size &&
             (!x->width || !memcmp(&u->pasts.at[x->past], d->past.at,
                                   x->width * sizeof *d->past.at));
}

static uint64_t stir(uint64_t hash, uint64_t word) {
  return (hash ^ (hash >> 29) ^ word) * ODD;
}

static uint32_t name_hash(const struct draft *d) {
  uint64_t hash = ((uint64_t)d->proc << 32 | d->choice) * ODD;
  hash = stir(hash, d->previous);
  size_t p = 0;
  for (; p + 1 < d->past.size; p += 2)
    hash = stir(hash, (uint64_t)d->past.at[p] << 32 | d->past.at[p + 1]);
  if (p < d->past.size)
    hash = stir(hash, d->past.at[p]);
  return (uint32_t)(hash >> 32);
}

static bool is_named(const struct unfolding *u, const struct occurrence *x,
                     const struct draft *d) {
  return x->previous == d->previous && x->proc == d->proc &&
         x->choice == d->choice && x->width == d->past.size &&
         (!x->width || !memcmp(&u->pasts.at[x->past], d->past.at,
                               x->width * sizeof *d->past.at));
}

static uint32_t find_name(const struct unfolding *u, const struct draft *d) {
  size_t slot = first_slot(&u->names, d->hash);
  for (struct slot s; (s = u->names.slots[slot]).number;
       slot = next_slot(&u->names, slot))
    if (s.hash == d->hash && is_named(u, occurrence_at(u, s.number), d))
      return s.number;
  return 0;
}

static uint32_t find_heir(const struct unfolding *u, const struct draft *d) {
  uint32_t x = occurrence_at(u, d->previous)->heir;
  while (x && occurrence_at(u, x)->choice != d->choice)
    x = occurrence_at(u, x)->sibling;
  return x;
}

static void link_heir(struct unfolding *u, uint32_t number) {
  struct occurrence *x = occurrence_at(u, number);
  struct occurrence *previous = occurrence_at(u, x->previous);
  x->sibling = previous->heir;
  previous->heir = number;
}

uint32_t unfolding_find(const struct unfolding *u, struct draft *d) {
  find_alike(u, d);
  if (d->alike)
    return find_heir(u, d);
  d->hash = name_hash(d);
  return find_name(u, d);
}

static bool is_heir(const struct unfolding *u, uint32_t number) {
  return occurrence_at(u, number)->owner != number;
}

static void enter_names(struct unfolding *u, size_t size) {
  table_empty(&u->names, size);
  for (uint32_t x = 1; x < u->occurrences.size; x++)
    if (occurrence_at(u, x)->used && !is_heir(u, x))
      table_add(&u->names, x, occurrence_at(u, x)->hash);
}

/* ---- places ---------------------------------------------------------------
 */

static uint32_t key_hash(uint32_t cell, uint32_t writer) {
  return (uint32_t)((((uint64_t)cell * ODD ^ writer) * ODD) >> 32);
}

static void enter_keys(struct unfolding *u, size_t size) {
  table_empty(&u->keys, size);
  for (uint32_t i = 0; i < u->places.size; i++) {
    const struct place *p = &u->places.at[i];
    table_add(&u->keys, i + 1, key_hash(p->cell, p->writer));
  }
}

static uint32_t add_place(struct unfolding *u, uint32_t cell, uint32_t writer,
                          uint32_t hash) {
  VEC_PUSH(u->places, (struct place){cell, writer, 0, 0});
  if (table_is_full(&u->keys))
    enter_keys(u, 2 * u->keys.size);
  else
    table_add(&u->keys, (uint32_t)u->places.size, hash);
  return (uint32_t)u->places.size - 1;
}

/* The place of this cell and writer. */
static uint32_t find_place(struct unfolding *u, uint32_t cell,
                           uint32_t writer) {
  uint32_t hash = key_hash(cell, writer);
  size_t slot = first_slot(&u->keys, hash);
  for (struct slot s; (s = u->keys.slots[slot]).number;
       slot = next_slot(&u->keys, slot))
    if (s.hash == hash && u->places.at[s.number - 1].cell == cell &&
        u->places.at[s.number - 1].writer == writer)
      return s.number - 1;
  return add_place(u, cell, writer, hash);
}

static void link_visit(struct unfolding *u, uint32_t v) {
  struct place *place = &u->places.at[u->visits.at[v].place];
  u->visits.at[v].older = place->newest;
  place->newest = v + 1;
  place->count++;
}

/* ---- occurrences ----------------------------------------------------------
 */

static uint32_t new_number(struct unfolding *u) {
  if (u->unused.size)
    return VEC_POP(u->unused);
  VEC_PUSH(u->occurrences, (struct occurrence){0});
  return (uint32_t)u->occurrences.size - 1;
}

static uint32_t height_of(const struct unfolding *u, const struct draft *d) {
  uint32_t height = occurrence_at(u, d->previous)->height;
  for (size_t p = 0; !d->alike && p < d->past.size; p++)
    if (height < occurrence_at(u, d->past.at[p])->height)
      height = occurrence_at(u, d->past.at[p])->height;
  return height + 1;
}

static uint32_t skip_from(const struct unfolding *u, uint32_t previous) {
  if (!previous || occurrence_at(u, previous)->index % u->skip == 0)
    return previous;
  return occurrence_at(u, previous)->skip;
}

static void count_new(struct unfolding *u, uint32_t index) {
  u->live++;
  u->counts.entered++;
  if (u->counts.most < u->live)
    u->counts.most = u->live;
  if (u->counts.depth < index)
    u->counts.depth = index;
}

static void own_past(struct unfolding *u, uint32_t number,
                     const struct draft *d) {
  struct occurrence *x = occurrence_at(u, number);
  x->owner = number;
  x->hash = d->hash;
  x->past = (uint32_t)u->pasts.size;
  x->width = (uint32_t)d->past.size;
  VEC_RESERVE(u->pasts, d->past.size);
  for (size_t p = 0; p < d->past.size; p++)
    u->pasts.at[u->pasts.size++] = d->past.at[p];
  if (table_is_full(&u->names))
    enter_names(u, 2 * u->names.size);
  else
    table_add(&u->names, number, d->hash);
}

static void share_past(struct unfolding *u, uint32_t number) {
  struct occurrence *x = occurrence_at(u, number);
  const struct occurrence *previous = occurrence_at(u, x->previous);
  x->owner = previous->owner;
  x->past = previous->past;
  x->width = previous->width;
  link_heir(u, number);
}

static void enter_visits(struct unfolding *u, uint32_t number,
                         const struct draft *d) {
  for (size_t i = 0; i < d->visits.size; i++) {
    struct draft_visit v = d->visits.at[i];
    VEC_PUSH(u->visits, (struct visit){.place = find_place(u, v.cell, v.writer),
                                       .occurrence = number,
                                       .mask = v.mask,
                                       .mode = v.mode});
    link_visit(u, (uint32_t)u->visits.size - 1);
  }
}

uint32_t unfolding_add(struct unfolding *u, const struct draft *d) {
  uint32_t number = new_number(u);
  u->occurrences.at[number] =
      (struct occurrence){.proc = d->proc,
                          .index = occurrence_index(u, d->previous) + 1,
                          .height = height_of(u, d),
                          .previous = d->previous,
                          .skip = skip_from(u, d->previous),
                          .choice = d->choice,
                          .choices = d->choices,
                          .visits = (uint32_t)u->visits.size,
                          .visit_count = (uint32_t)d->visits.size,
                          .used = true};
  if (d->alike)
    share_past(u, number);
  else
    own_past(u, number, d);
  enter_visits(u, number, d);
  count_new(u, u->occurrences.at[number].index);
  return number;
}

uint32_t unfolding_ancestor(struct unfolding *u, uint32_t number,
                            uint32_t index) {
  const struct occurrence *x = occurrence_at(u, number);
  uint32_t distance = x->index - index;
  u->counts.queries++;
  u->counts.distance += distance;
  if (u->counts.farthest < distance)
    u->counts.farthest = distance;
  while (x->index > index) {
    number = occurrence_index(u, x->skip) >= index ? x->skip : x->previous;
    u->counts.steps++;
    x = occurrence_at(u, number);
  }
  return number;
}

static struct mark *mark_of(struct marks *m, uint32_t cell) {
  while (m->cells.size <= cell)
    VEC_PUSH(m->cells, (struct mark){0});
  struct mark *mark = &m->cells.at[cell];
  if (mark->when != m->now)
    *mark = (struct mark){.when = m->now};
  return mark;
}

static uint32_t visit_cell(const struct unfolding *u, const struct visit *v) {
  return u->places.at[v->place].cell;
}

static bool dependent_by_marks(const struct unfolding *u,
                               const struct occurrence *x,
                               const struct occurrence *y) {
  u->marks->now++;
  for (uint32_t i = 0; i < x->visit_count; i++) {
    const struct visit *v = &u->visits.at[x->visits + i];
    struct mark *mark = mark_of(u->marks, visit_cell(u, v));
    mark->touched |= v->mask;
    if (v->mode & ACCESS_WRITE)
      mark->written |= v->mask;
  }
  for (uint32_t i = 0; i < y->visit_count; i++) {
    const struct visit *v = &u->visits.at[y->visits + i];
    const struct mark *mark = mark_of(u->marks, visit_cell(u, v));
    if (v->mask & (v->mode & ACCESS_WRITE ? mark->touched : mark->written))
      return true;
  }
  return false;
}

bool unfolding_dependent(const struct unfolding *u, uint32_t one,
                         uint32_t other) {
  const struct occurrence *x = occurrence_at(u, one);
  const struct occurrence *y = occurrence_at(u, other);
  if (x->proc == y->proc)
    return true;
  if (x->visit_count > 8 && y->visit_count > 8)
    return dependent_by_marks(u, x, y);
  for (uint32_t i = 0; i < x->visit_count; i++)
    for (uint32_t j = 0; j < y->visit_count; j++) {
      const struct visit *a = &u->visits.at[x->visits + i];
      const struct visit *b = &u->visits.at[y->visits + j];
      if (visit_cell(u, a) == visit_cell(u, b) && visits_conflict(a, b))
        return true;
    }
  return false;
}

/* ---- dropping -------------------------------------------------------------
 */

static void mark(struct unfolding *u, uint32_t x) {
  if (!x || occurrence_at(u, x)->keep)
    return;
  occurrence_at(u, x)->keep = true;
  ++*u->looked_at;
  VEC_PUSH(u->to_keep, x);
}

void unfolding_keep(struct unfolding *u, uint32_t number) {
  mark(u, number);
  while (u->to_keep.size) {
    uint32_t next = VEC_POP(u->to_keep);
    const struct occurrence *x = occurrence_at(u, next);
    if (planted(UNFOLD_DROP))
      continue;
    mark(u, x->previous); /* U2 */
    for (uint32_t p = 0; x->owner == next && p < x->width; p++)
      mark(u, u->pasts.at[x->past + p]);
  }
}

static void swap(void *a, void *b, size_t size) {
  char *x = a, *y = b;
  for (size_t i = 0; i < size; i++) {
    char c = x[i];
    x[i] = y[i];
    y[i] = c;
  }
}

/* What x has in the two arrays that are being copied. */
static void move_parts(struct unfolding *u, uint32_t number) {
  struct occurrence *x = occurrence_at(u, number);
  uint32_t past = (uint32_t)u->pasts.size, visits = (uint32_t)u->visits.size;
  if (x->owner == number) {
    VEC_RESERVE(u->pasts, x->width);
    for (uint32_t p = 0; p < x->width; p++)
      u->pasts.at[u->pasts.size++] = u->old_pasts.at[x->past + p];
    x->past = past;
  }
  VEC_RESERVE(u->visits, x->visit_count);
  for (uint32_t i = 0; i < x->visit_count; i++)
    u->visits.at[u->visits.size++] = u->old_visits.at[x->visits + i];
  x->visits = visits;
}

/* Whose past an heir shares is before it in its process, and kept (U2). */
static void move_heirs(struct unfolding *u) {
  for (uint32_t x = 1; x < u->occurrences.size; x++)
    occurrence_at(u, x)->heir = 0;
  for (uint32_t x = 1; x < u->occurrences.size; x++)
    if (occurrence_at(u, x)->used && is_heir(u, x)) {
      occurrence_at(u, x)->past =
          occurrence_at(u, occurrence_at(u, x)->owner)->past;
      link_heir(u, x);
    }
}

/* The places that are still visited, anew.  An old one remembers which is new
 * in its stead. */
static void move_places(struct unfolding *u) {
  swap(&u->places, &u->old_places, sizeof u->places);
  u->places.size = 0;
  table_empty(&u->keys, u->keys.size);
  for (size_t i = 0; i < u->old_places.size; i++)
    u->old_places.at[i].newest = 0;
  for (uint32_t v = 0; v < u->visits.size; v++) {
    struct place *old = &u->old_places.at[u->visits.at[v].place];
    if (!old->newest)
      old->newest = 1 + add_place(u, old->cell, old->writer,
                                  key_hash(old->cell, old->writer));
    u->visits.at[v].place = old->newest - 1;
    ++*u->looked_at;
    link_visit(u, v);
  }
}

void unfolding_drop_others(struct unfolding *u) {
  swap(&u->pasts, &u->old_pasts, sizeof u->pasts);
  swap(&u->visits, &u->old_visits, sizeof u->visits);
  u->pasts.size = u->visits.size = 0;
  for (uint32_t number = 1; number < u->occurrences.size; number++) {
    struct occurrence *x = occurrence_at(u, number);
    ++*u->looked_at;
    if (x->used && !x->keep) {
      x->used = false;
      VEC_PUSH(u->unused, number);
      u->live--;
    } else if (x->used) {
      move_parts(u, number);
      x->keep = false;
    }
  }
  move_heirs(u);
  move_places(u);
  enter_names(u, u->names.size);
  u->threshold = threshold(u->live);
}
