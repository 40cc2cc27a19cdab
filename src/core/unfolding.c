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

/* ---- tables ---------------------------------------------------------------
 */

static void table_resize(struct table *t, size_t size) {
  if (size != t->size) {
    free(t->slots);
    t->slots = malloc(size * sizeof *t->slots);
    ensure(t->slots);
    t->size = size;
  }
  memset(t->slots, 0, size * sizeof *t->slots);
}

static size_t slot_of(const struct table *t, uint64_t hash) {
  return (hash >> 32) & (t->size - 1);
}

static size_t next_slot(const struct table *t, size_t slot) {
  return (slot + 1) & (t->size - 1);
}

void unfolding_init(struct unfolding *u) {
  memset(u, 0, sizeof *u);
  VEC_PUSH(u->occurrences, (struct occurrence){0});
  table_resize(&u->names, BUCKETS_FIRST);
  table_resize(&u->keys, BUCKETS_FIRST);
  u->threshold = threshold(0);
}

void unfolding_free(struct unfolding *u) {
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

static uint64_t name_hash(uint32_t proc, uint32_t choice, const uint32_t *past,
                          uint32_t width) {
  uint64_t hash = ((uint64_t)proc << 32 | choice) * ODD;
  for (uint32_t p = 0; p < width; p++)
    hash = (hash ^ (hash >> 29) ^ past[p]) * ODD;
  return hash;
}

static uint64_t hash_of(const struct unfolding *u, const struct occurrence *x) {
  return name_hash(x->proc, x->choice, &u->pasts.at[x->past], x->width);
}

static bool is_named(const struct unfolding *u, const struct occurrence *x,
                     const struct draft *d) {
  return x->proc == d->proc && x->choice == d->choice &&
         x->width == d->past.size &&
         (!x->width || !memcmp(&u->pasts.at[x->past], d->past.at,
                               x->width * sizeof *d->past.at));
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t find_name(struct unfolding *u, struct draft *d) {
  while (d->past.size && !VEC_TOP(d->past))
    d->past.size--; /* U1 */
  size_t slot = slot_of(&u->names, name_hash(d->proc, d->choice, d->past.at,
                                             (uint32_t)d->past.size));
  while (u->names.slots[slot] &&
         !is_named(u, occurrence_at(u, u->names.slots[slot]), d))
    slot = next_slot(&u->names, slot);
  return slot;
}

static void enter_names(struct unfolding *u, size_t size) {
  table_resize(&u->names, size);
  for (uint32_t x = 1; x < u->occurrences.size; x++) {
    if (!occurrence_at(u, x)->used)
      continue;
    size_t slot = slot_of(&u->names, hash_of(u, occurrence_at(u, x)));
    while (u->names.slots[slot])
      slot = next_slot(&u->names, slot);
    u->names.slots[slot] = x;
  }
}

/* ---- places ---------------------------------------------------------------
 */

static uint64_t key_hash(uint32_t cell, uint32_t writer) {
  return ((uint64_t)cell * ODD ^ writer) * ODD;
}

static void enter_keys(struct unfolding *u, size_t size) {
  table_resize(&u->keys, size);
  for (uint32_t i = 0; i < u->places.size; i++) {
    const struct place *p = &u->places.at[i];
    size_t slot = slot_of(&u->keys, key_hash(p->cell, p->writer));
    while (u->keys.slots[slot])
      slot = next_slot(&u->keys, slot);
    u->keys.slots[slot] = i + 1;
  }
}

uint32_t unfolding_place(struct unfolding *u, uint32_t cell, uint32_t writer) {
  size_t slot = slot_of(&u->keys, key_hash(cell, writer));
  for (uint32_t one; (one = u->keys.slots[slot]);
       slot = next_slot(&u->keys, slot))
    if (u->places.at[one - 1].cell == cell &&
        u->places.at[one - 1].writer == writer)
      return one - 1;
  VEC_PUSH(u->places, (struct place){cell, writer, 0, 0});
  u->keys.slots[slot] = (uint32_t)u->places.size;
  if (2 * u->places.size > u->keys.size)
    enter_keys(u, 2 * u->keys.size);
  return (uint32_t)u->places.size - 1;
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
  uint32_t height = 0;
  for (size_t p = 0; p < d->past.size; p++) {
    uint32_t y = d->past.at[p];
    if (y && height < occurrence_at(u, y)->height)
      height = occurrence_at(u, y)->height;
  }
  return height + 1;
}

static uint32_t skip_from(const struct unfolding *u, uint32_t previous) {
  if (!previous || occurrence_at(u, previous)->index % UNFOLDING_SKIP == 0)
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

static void copy_draft(struct unfolding *u, uint32_t number,
                       const struct draft *d) {
  VEC_RESERVE(u->pasts, d->past.size);
  if (d->past.size)
    memcpy(&u->pasts.at[u->pasts.size], d->past.at,
           d->past.size * sizeof *d->past.at);
  u->pasts.size += d->past.size;
  for (size_t i = 0; i < d->visits.size; i++) {
    VEC_PUSH(u->visits, d->visits.at[i]);
    VEC_TOP(u->visits).occurrence = number;
    link_visit(u, (uint32_t)u->visits.size - 1);
  }
}

uint32_t unfolding_enter(struct unfolding *u, struct draft *d) {
  size_t slot = find_name(u, d);
  if (u->names.slots[slot])
    return u->names.slots[slot];
  uint32_t number = new_number(u);
  uint32_t previous = d->proc < d->past.size ? d->past.at[d->proc] : 0;
  u->occurrences.at[number] =
      (struct occurrence){.proc = d->proc,
                          .index = occurrence_index(u, previous) + 1,
                          .height = height_of(u, d),
                          .skip = skip_from(u, previous),
                          .choice = d->choice,
                          .choices = d->choices,
                          .width = (uint32_t)d->past.size,
                          .past = (uint32_t)u->pasts.size,
                          .visits = (uint32_t)u->visits.size,
                          .visit_count = (uint32_t)d->visits.size,
                          .used = true};
  copy_draft(u, number, d);
  u->names.slots[slot] = number;
  count_new(u, u->occurrences.at[number].index);
  if (2 * u->live > u->names.size)
    enter_names(u, 2 * u->names.size);
  return number;
}

bool unfolding_agrees(const struct unfolding *u, uint32_t number,
                      const struct draft *d) {
  const struct occurrence *x = occurrence_at(u, number);
  if (x->visit_count != d->visits.size)
    return false;
  for (uint32_t i = 0; i < x->visit_count; i++) {
    const struct visit *a = &u->visits.at[x->visits + i];
    const struct visit *b = &d->visits.at[i];
    if (a->place != b->place || a->mask != b->mask || a->mode != b->mode)
      return false;
  }
  return true;
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
    number = occurrence_index(u, x->skip) >= index ? x->skip
                                                   : occurrence_previous(u, x);
    x = occurrence_at(u, number);
  }
  return number;
}

bool unfolding_dependent(const struct unfolding *u, uint32_t one,
                         uint32_t other) {
  const struct occurrence *x = occurrence_at(u, one);
  const struct occurrence *y = occurrence_at(u, other);
  if (x->proc == y->proc)
    return true;
  for (uint32_t i = 0; i < x->visit_count; i++)
    for (uint32_t j = 0; j < y->visit_count; j++) {
      const struct visit *a = &u->visits.at[x->visits + i];
      const struct visit *b = &u->visits.at[y->visits + j];
      if (u->places.at[a->place].cell == u->places.at[b->place].cell &&
          visits_conflict(a, b))
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
  VEC_PUSH(u->to_keep, x);
}

void unfolding_keep(struct unfolding *u, uint32_t number) {
  mark(u, number);
  while (u->to_keep.size) {
    const struct occurrence *x = occurrence_at(u, VEC_POP(u->to_keep));
    for (uint32_t p = 0; p < x->width && !planted(UNFOLD_DROP); p++)
      mark(u, u->pasts.at[x->past + p]); /* U2 */
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
static void move_parts(struct unfolding *u, struct occurrence *x) {
  uint32_t past = (uint32_t)u->pasts.size, visits = (uint32_t)u->visits.size;
  VEC_RESERVE(u->pasts, x->width);
  for (uint32_t p = 0; p < x->width; p++)
    u->pasts.at[u->pasts.size++] = u->old_pasts.at[x->past + p];
  VEC_RESERVE(u->visits, x->visit_count);
  for (uint32_t i = 0; i < x->visit_count; i++)
    u->visits.at[u->visits.size++] = u->old_visits.at[x->visits + i];
  x->past = past;
  x->visits = visits;
}

/* The places that are still visited, anew. */
static void move_places(struct unfolding *u) {
  swap(&u->places, &u->old_places, sizeof u->places);
  u->places.size = 0;
  table_resize(&u->keys, u->keys.size);
  for (uint32_t v = 0; v < u->visits.size; v++) {
    struct place old = u->old_places.at[u->visits.at[v].place];
    u->visits.at[v].place = unfolding_place(u, old.cell, old.writer);
    link_visit(u, v);
  }
}

void unfolding_drop_others(struct unfolding *u) {
  swap(&u->pasts, &u->old_pasts, sizeof u->pasts);
  swap(&u->visits, &u->old_visits, sizeof u->visits);
  u->pasts.size = u->visits.size = 0;
  for (uint32_t number = 1; number < u->occurrences.size; number++) {
    struct occurrence *x = occurrence_at(u, number);
    if (x->used && !x->keep) {
      x->used = false;
      VEC_PUSH(u->unused, number);
      u->live--;
    } else if (x->used) {
      move_parts(u, x);
      x->keep = false;
    }
  }
  move_places(u);
  enter_names(u, u->names.size);
  u->threshold = threshold(u->live);
}
