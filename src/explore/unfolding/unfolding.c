#include "explore/unfolding/unfolding.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

#define ODD 0x9e3779b97f4a7c15u /* 2^64 / golden ratio, made odd */

/* So many occurrences may live before the next collection, if `live` ones do
 * now: a collection then costs no more than entering the occurrences did.  In a
 * hostile build every search for an alternative is followed by a collection. */
static size_t threshold(size_t live) {
  return HOSTILE || planted(UNFOLD_DROP) ? 0 : 2 * live + 4096;
}

/* The bytes that one occurrence touches, by the trace's cells.  The visits of
 * another occurrence are looked up in it if both have too many to compare all
 * with all. */
struct unfolding_marks {
  uint32_t now;
  VEC(struct unfolding_mark {
    uint32_t when;
    uint8_t touched;
    uint8_t written;
  })
  cells;
};

void unfolding_init(struct unfolding *u, uint32_t skip, uint64_t *looked_at) {
  memset(u, 0, sizeof *u);
  ensure(skip);
  u->skip = skip;
  u->looked_at = looked_at;
  VEC_PUSH(u->occurrences, (struct occurrence){0});
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
  table_free(&u->names);
  table_free(&u->keys);
}

/* ---- names -------------------------------------------------------------- */

/* Has the new event the past of the previous one?  It must say so if it has
 * (U3).  Then it needs no past of its own. */
static void find_same_past(const struct unfolding *u, struct new_event *d) {
  if (d->same_past)
    return;
  while (d->past.size && !VEC_TOP(d->past))
    d->past.size--; /* U1 */
  const struct occurrence *x = occurrence_at(u, d->previous);
  d->same_past = d->previous && x->width == d->past.size &&
                 (!x->width || !memcmp(&u->pasts.at[x->past], d->past.at,
                                       x->width * sizeof *d->past.at));
}

static uint64_t stir(uint64_t hash, uint64_t word) {
  return (hash ^ (hash >> 29) ^ word) * ODD;
}

static uint32_t name_hash(const struct new_event *d) {
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
                     const struct new_event *d) {
  return x->previous == d->previous && x->proc == d->proc &&
         x->choice == d->choice && x->width == d->past.size &&
         (!x->width || !memcmp(&u->pasts.at[x->past], d->past.at,
                               x->width * sizeof *d->past.at));
}

static uint32_t find_name(const struct unfolding *u,
                          const struct new_event *d) {
  for (TABLE_EACH(x, &u->names, d->hash))
    if (is_named(u, occurrence_at(u, (uint32_t)x), d))
      return (uint32_t)x;
  return 0;
}

static uint32_t find_heir(const struct unfolding *u,
                          const struct new_event *d) {
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

uint32_t unfolding_find(const struct unfolding *u, struct new_event *d) {
  find_same_past(u, d);
  if (d->same_past)
    return find_heir(u, d);
  d->hash = name_hash(d);
  return find_name(u, d);
}

static bool is_heir(const struct unfolding *u, uint32_t number) {
  return occurrence_at(u, number)->owner != number;
}

/* Those that are left, anew. */
static void enter_names(struct unfolding *u) {
  table_clear(&u->names);
  for (uint32_t x = 1; x < u->occurrences.size; x++)
    if (occurrence_at(u, x)->used && !is_heir(u, x))
      table_add(&u->names, occurrence_at(u, x)->hash, x);
}

/* ---- places ------------------------------------------------------------- */

static uint32_t key_hash(uint32_t cell, uint32_t writer) {
  return (uint32_t)((((uint64_t)cell * ODD ^ writer) * ODD) >> 32);
}

static uint32_t add_place(struct unfolding *u, uint32_t cell, uint32_t writer,
                          uint32_t hash) {
  table_add(&u->keys, hash, u->places.size);
  VEC_PUSH(u->places, (struct unfolding_place){cell, writer, 0, 0});
  return (uint32_t)u->places.size - 1;
}

/* The place of this cell and writer. */
static uint32_t find_place(struct unfolding *u, uint32_t cell,
                           uint32_t writer) {
  uint32_t hash = key_hash(cell, writer);
  for (TABLE_EACH(n, &u->keys, hash))
    if (u->places.at[n].cell == cell && u->places.at[n].writer == writer)
      return (uint32_t)n;
  return add_place(u, cell, writer, hash);
}

static void link_visit(struct unfolding *u, uint32_t v) {
  struct unfolding_place *place = &u->places.at[u->visits.at[v].place];
  u->visits.at[v].older = place->newest;
  place->newest = v + 1;
  place->count++;
}

/* ---- occurrences -------------------------------------------------------- */

static uint32_t new_number(struct unfolding *u) {
  if (u->unused.size)
    return VEC_POP(u->unused);
  VEC_PUSH(u->occurrences, (struct occurrence){0});
  return (uint32_t)u->occurrences.size - 1;
}

static uint32_t height_of(const struct unfolding *u,
                          const struct new_event *d) {
  uint32_t height = occurrence_at(u, d->previous)->height;
  for (size_t p = 0; !d->same_past && p < d->past.size; p++)
    if (height < occurrence_at(u, d->past.at[p])->height)
      height = occurrence_at(u, d->past.at[p])->height;
  return height + 1;
}

static uint32_t skip_from(const struct unfolding *u, uint32_t previous) {
  if (!previous || occurrence_at(u, previous)->index % u->skip == 0)
    return previous;
  return occurrence_at(u, previous)->skip;
}

/* A leap goes as far as the two leaps before it together, if these have the
 * same length; otherwise it goes to the previous occurrence.  Then any ancestor
 * is a number of leaps and steps away that grows with the logarithm of its
 * distance (Myers, An applicative random-access stack, 1983). */
static uint32_t leap_from(const struct unfolding *u, uint32_t previous) {
  uint32_t one = occurrence_at(u, previous)->leap;
  uint32_t two = occurrence_at(u, one)->leap;
  uint32_t distance = occurrence_index(u, previous) - occurrence_index(u, one);
  return distance == occurrence_index(u, one) - occurrence_index(u, two)
             ? two
             : previous;
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
                     const struct new_event *d) {
  struct occurrence *x = occurrence_at(u, number);
  x->owner = number;
  x->hash = d->hash;
  x->past = (uint32_t)u->pasts.size;
  x->width = (uint32_t)d->past.size;
  VEC_RESERVE(u->pasts, d->past.size);
  for (size_t p = 0; p < d->past.size; p++)
    u->pasts.at[u->pasts.size++] = d->past.at[p];
  table_add(&u->names, d->hash, number);
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
                         const struct new_event *d) {
  for (size_t i = 0; i < d->visits.size; i++) {
    struct new_event_visit v = d->visits.at[i];
    VEC_PUSH(u->visits,
             (struct unfolding_visit){.place = find_place(u, v.cell, v.writer),
                                      .occurrence = number,
                                      .mask = v.mask,
                                      .mode = v.mode,
                                      .update = v.update});
    link_visit(u, (uint32_t)u->visits.size - 1);
  }
}

uint32_t unfolding_add(struct unfolding *u, const struct new_event *d) {
  uint32_t number = new_number(u);
  u->occurrences.at[number] =
      (struct occurrence){.proc = d->proc,
                          .index = occurrence_index(u, d->previous) + 1,
                          .height = height_of(u, d),
                          .previous = d->previous,
                          .skip = skip_from(u, d->previous),
                          .leap = leap_from(u, d->previous),
                          .choice = d->choice,
                          .choices = d->choices,
                          .visits = (uint32_t)u->visits.size,
                          .visit_count = (uint32_t)d->visits.size,
                          .used = true};
  if (d->same_past)
    share_past(u, number);
  else
    own_past(u, number, d);
  enter_visits(u, number, d);
  count_new(u, u->occurrences.at[number].index);
  return number;
}

enum { FAR = 64 }; /* nearer ancestors are found faster by skips */

uint32_t unfolding_ancestor(struct unfolding *u, uint32_t number,
                            uint32_t index) {
  const struct occurrence *x = occurrence_at(u, number);
  uint32_t distance = x->index - index;
  u->counts.queries++;
  u->counts.distance += distance;
  if (u->counts.farthest < distance)
    u->counts.farthest = distance;
  while (x->index > index) {
    if (x->index - index > FAR && occurrence_index(u, x->leap) >= index)
      number = x->leap;
    else
      number = occurrence_index(u, x->skip) >= index ? x->skip : x->previous;
    u->counts.steps++;
    x = occurrence_at(u, number);
  }
  return number;
}

static struct unfolding_mark *mark_of(struct unfolding_marks *m,
                                      uint32_t cell) {
  while (m->cells.size <= cell)
    VEC_PUSH(m->cells, (struct unfolding_mark){0});
  struct unfolding_mark *mark = &m->cells.at[cell];
  if (mark->when != m->now)
    *mark = (struct unfolding_mark){.when = m->now};
  return mark;
}

static uint32_t visit_cell(const struct unfolding *u,
                           const struct unfolding_visit *v) {
  return u->places.at[v->place].cell;
}

static bool dependent_by_marks(const struct unfolding *u,
                               const struct occurrence *x,
                               const struct occurrence *y) {
  u->marks->now++;
  for (uint32_t i = 0; i < x->visit_count; i++) {
    const struct unfolding_visit *v = &u->visits.at[x->visits + i];
    struct unfolding_mark *mark = mark_of(u->marks, visit_cell(u, v));
    mark->touched |= v->mask;
    if (v->mode & ACCESS_WRITE)
      mark->written |= v->mask;
  }
  for (uint32_t i = 0; i < y->visit_count; i++) {
    const struct unfolding_visit *v = &u->visits.at[y->visits + i];
    const struct unfolding_mark *mark = mark_of(u->marks, visit_cell(u, v));
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
      const struct unfolding_visit *a = &u->visits.at[x->visits + i];
      const struct unfolding_visit *b = &u->visits.at[y->visits + j];
      if (visit_cell(u, a) == visit_cell(u, b) && visits_conflict(a, b))
        return true;
    }
  return false;
}

/* ---- dropping ----------------------------------------------------------- */

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

/* Copies the past and the visits of x to the new arrays. */
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

/* The owner of an heir's past is before it in its process, and kept (U2). */
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

/* Enters the places that are still visited anew.  `newest` of an old place
 * becomes 1 + the number of its new one. */
static void move_places(struct unfolding *u) {
  swap(&u->places, &u->old_places, sizeof u->places);
  u->places.size = 0;
  table_clear(&u->keys);
  for (size_t i = 0; i < u->old_places.size; i++)
    u->old_places.at[i].newest = 0;
  for (uint32_t v = 0; v < u->visits.size; v++) {
    struct unfolding_place *old = &u->old_places.at[u->visits.at[v].place];
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
  enter_names(u);
  u->threshold = threshold(u->live);
}

/* ---- checking ----------------------------------------------------------- */

static bool is_kept(const struct unfolding *u, uint32_t x, uint32_t proc) {
  return !x || (x < u->occurrences.size && occurrence_at(u, x)->used &&
                occurrence_at(u, x)->proc == proc);
}

static void check_past(const struct unfolding *u, const struct occurrence *x) {
  const uint32_t *past = &u->pasts.at[x->past];
  ensure(!x->width || past[x->width - 1]); /* U1 */
  for (uint32_t p = 0; p < x->width; p++)
    ensure(p == x->proc ? !past[p] : is_kept(u, past[p], p)); /* U1, U2 */
}

static bool is_entered(const struct unfolding *u, uint32_t number) {
  for (TABLE_EACH(x, &u->names, occurrence_at(u, number)->hash))
    if (x == number)
      return true;
  return false;
}

/* An owner's past is not that of the one before, and it is found by its name;
 * an heir is found from the one before. */
static void check_name(const struct unfolding *u, uint32_t number) {
  const struct occurrence *x = occurrence_at(u, number);
  const struct occurrence *previous = occurrence_at(u, x->previous);
  if (is_heir(u, number)) {
    uint32_t heir = previous->heir;
    while (heir && heir != number)
      heir = occurrence_at(u, heir)->sibling;
    ensure(heir && x->owner == previous->owner); /* U3 */
    return;
  }
  ensure(
      !x->previous || x->width != previous->width ||
      (x->width && memcmp(&u->pasts.at[x->past], &u->pasts.at[previous->past],
                          x->width * sizeof *u->pasts.at))); /* U3 */
  ensure(is_entered(u, number));
}

static void check_place(const struct unfolding *u, uint32_t place) {
  uint32_t count = 0;
  for (uint32_t v = u->places.at[place].newest; v;
       v = u->visits.at[v - 1].older, count++)
    ensure(u->visits.at[v - 1].place == place &&
           occurrence_at(u, u->visits.at[v - 1].occurrence)->used);
  ensure(count == u->places.at[place].count);
}

void unfolding_check(const struct unfolding *u) {
  size_t live = 0;
  for (uint32_t number = 1; number < u->occurrences.size; number++) {
    const struct occurrence *x = occurrence_at(u, number);
    if (!x->used)
      continue;
    live++;
    ensure(is_kept(u, x->previous, x->proc) && is_kept(u, x->owner, x->proc) &&
           x->index == occurrence_index(u, x->previous) + 1); /* U2 */
    check_past(u, x);
    check_name(u, number);
    for (uint32_t i = 0; i < x->visit_count; i++)
      ensure(u->visits.at[x->visits + i].occurrence == number);
  }
  ensure(live == u->live);
  for (uint32_t i = 0; i < u->places.size; i++)
    check_place(u, i);
}
