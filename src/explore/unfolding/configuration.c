#include "explore/unfolding/configuration.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

/* ---- cells -------------------------------------------------------------- */

static uint32_t newest(const struct configuration *c, uint32_t cell) {
  return cell < c->cells.size ? c->cells.at[cell] : NO_TOUCH;
}

static uint32_t newest_write(const struct configuration *c, uint32_t cell) {
  uint32_t r = newest(c, cell);
  if (r == NO_TOUCH || (c->touches.at[r].mode & ACCESS_WRITE))
    return r;
  return c->touches.at[r].written;
}

/* Does a write hide the older ones from all that touch its bytes later?  They
 * are in its past. */
static bool settles(const struct configuration_touch *t) {
  return (t->mode & ACCESS_WRITE) && (!t->update || planted(UNFOLD_UPDATE));
}

/* ---- life --------------------------------------------------------------- */

void configuration_init(struct configuration *c, struct unfolding *u) {
  memset(c, 0, sizeof *c);
  c->u = u;
}

void configuration_free(struct configuration *c) {
  for (size_t p = 0; p < c->processes.size; p++)
    VEC_FREE(c->processes.at[p].at);
  VEC_FREE(c->processes);
  VEC_FREE(c->members);
  VEC_FREE(c->touches);
  VEC_FREE(c->cells);
  VEC_FREE(c->missing);
}

/* ---- where something touches -------------------------------------------- */

void configuration_past(const struct configuration *c, struct new_event *d,
                        const struct past_counts *count) {
  d->previous = configuration_at(c, d->proc, count->index - 1);
  if (d->same_past)
    return;
  d->past.size = 0;
  VEC_RESERVE(d->past, count->width);
  for (uint32_t p = 0; p < count->width; p++)
    d->past.at[d->past.size++] =
        p == d->proc ? 0 : configuration_at(c, p, count->of[p]);
}

static bool counts(const struct new_event *d, const struct past_counts *count,
                   const struct configuration_touch *t) {
  if (t->proc == d->proc)
    return t->index < count->index;
  return t->proc < count->width && t->index <= count->of[t->proc];
}

void configuration_visit(const struct configuration *c, struct new_event *d,
                         const struct past_counts *count, uint32_t cell,
                         uint8_t bytes, struct new_event_mode how) {
  for (uint32_t r = newest_write(c, cell); r != NO_TOUCH && bytes;
       r = c->touches.at[r].written) {
    const struct configuration_touch *t = &c->touches.at[r];
    if (!(t->mask & bytes) || !settles(t) || !counts(d, count, t))
      continue;
    new_event_visit(d, cell, t->occurrence, t->mask & bytes, how);
    bytes &= (uint8_t)~t->mask;
  }
  new_event_visit(d, cell, 0, bytes, how);
}

/* ---- growing ------------------------------------------------------------ */

/* Does `new` outdate `old`?  The same process reads or updates the bytes again:
 * occurrences that have to follow the one have to follow the other. */
static bool outdated(const struct configuration_touch *old,
                     const struct configuration_touch *new) {
  return old->proc == new->proc && !(old->mask & ~new->mask) &&
         old->update == new->update &&
         (new->update || !((old->mode | new->mode) & ACCESS_WRITE));
}

static void add_touch(struct configuration *c, uint32_t number,
                      const struct occurrence *x,
                      const struct unfolding_visit *v) {
  uint32_t cell = c->u->places.at[v->place].cell;
  while (c->cells.size <= cell)
    VEC_PUSH(c->cells, NO_TOUCH);
  uint32_t older = c->cells.at[cell];
  struct configuration_touch t = {.occurrence = number,
                                  .proc = x->proc,
                                  .index = x->index,
                                  .cell = cell,
                                  .older = older,
                                  .matters = older,
                                  .written = newest_write(c, cell),
                                  .mask = v->mask,
                                  .mode = v->mode,
                                  .update = v->update};
  if (older != NO_TOUCH && outdated(&c->touches.at[older], &t))
    t.matters = c->touches.at[older].matters;
  if (t.update && t.written == older && t.matters != older)
    t.written = c->touches.at[older].written;
  VEC_PUSH(c->touches, t);
  c->cells.at[cell] = (uint32_t)c->touches.size - 1;
}

void configuration_push(struct configuration *c, uint32_t number) {
  struct occurrence *x = occurrence_at(c->u, number);
  while (c->processes.size <= x->proc) {
    VEC_RESERVE(c->processes, 1);
    memset(&c->processes.at[c->processes.size++], 0, sizeof *c->processes.at);
  }
  VEC_PUSH(c->members,
           (struct configuration_member){number, (uint32_t)c->touches.size});
  VEC_PUSH(c->processes.at[x->proc].at, number);
  ensure(c->processes.at[x->proc].at.size == x->index); /* F2 */
  x->inside = true;
  for (uint32_t i = 0; i < x->visit_count; i++)
    add_touch(c, number, x, &c->u->visits.at[x->visits + i]);
}

void configuration_truncate(struct configuration *c, size_t size) {
  while (c->members.size > size) {
    struct configuration_member m = VEC_POP(c->members);
    struct occurrence *x = occurrence_at(c->u, m.occurrence);
    while (c->touches.size > m.first_touch) {
      struct configuration_touch t = VEC_POP(c->touches);
      c->cells.at[t.cell] = t.older;
    }
    c->processes.at[x->proc].at.size--;
    x->inside = false;
  }
}

/* ---- joining ------------------------------------------------------------ */

static bool in_past(const struct configuration *c, const struct occurrence *x,
                    const struct configuration_touch *t) {
  if (t->proc == x->proc)
    return t->index < x->index;
  return t->proc < x->width &&
         occurrence_index(c->u, c->u->pasts.at[x->past + t->proc]) >= t->index;
}

/* Is every member that conflicts with this visit of x in the past of x? */
static bool visit_is_free(const struct configuration *c,
                          const struct occurrence *x,
                          const struct unfolding_visit *v) {
  uint32_t cell = c->u->places.at[v->place].cell;
  bool writes = v->mode & ACCESS_WRITE;
  uint8_t bytes = v->mask;
  uint32_t r = writes ? newest(c, cell) : newest_write(c, cell);
  while (r != NO_TOUCH && bytes) {
    const struct configuration_touch *t = &c->touches.at[r];
    if ((t->mask & bytes) && !(v->update && v->update == t->update)) {
      if (!in_past(c, x, t))
        return false;
      if (settles(t))
        bytes &= (uint8_t)~t->mask;
    }
    r = writes ? t->matters : t->written;
  }
  return true;
}

static bool is_free(const struct configuration *c, const struct occurrence *x) {
  for (uint32_t i = 0; i < x->visit_count; i++)
    if (!visit_is_free(c, x, &c->u->visits.at[x->visits + i]))
      return false;
  return true;
}

/* Collects x and its ancestors that are not in the configuration yet.  False if
 * the configuration has other occurrences of the process instead, or one of
 * them sleeps. */
static bool gather_ancestors(struct configuration *c, uint32_t number) {
  const struct occurrence *x = occurrence_at(c->u, number);
  uint32_t have = configuration_length(c, x->proc);
  if (x->index <= have)
    return configuration_at(c, x->proc, x->index) == number;
  if (have && unfolding_ancestor(c->u, number, have) !=
                  configuration_at(c, x->proc, have))
    return false;
  for (; x->index > have; x = occurrence_at(c->u, number)) {
    if (x->asleep)
      return false;
    VEC_PUSH(c->missing, (struct configuration_missing){
                             x->height, (uint32_t)c->missing.size, number});
    number = x->previous;
  }
  return true;
}

static bool gather(struct configuration *c, uint32_t number) {
  const struct occurrence *x = occurrence_at(c->u, number);
  c->missing.size = 0;
  for (uint32_t p = 0; p < x->width; p++)
    if (c->u->pasts.at[x->past + p] &&
        !gather_ancestors(c, c->u->pasts.at[x->past + p]))
      return false;
  return gather_ancestors(c, number);
}

static int by_height(const void *a, const void *b) {
  const struct configuration_missing *x = a, *y = b;
  return x->height != y->height
             ? (x->height > y->height) - (x->height < y->height)
             : (x->order > y->order) - (x->order < y->order);
}

/* Causes first. */
static void sort_missing(struct configuration *c) {
  if (c->missing.size > 1)
    qsort(c->missing.at, c->missing.size, sizeof *c->missing.at, by_height);
}

bool configuration_extend(struct configuration *c, uint32_t number) {
  size_t size = configuration_size(c);
  if (!gather(c, number))
    return false;
  sort_missing(c);
  for (size_t i = 0; i < c->missing.size; i++) {
    if (!is_free(c, occurrence_at(c->u, c->missing.at[i].occurrence))) {
      configuration_truncate(c, size);
      return false;
    }
    configuration_push(c, c->missing.at[i].occurrence);
  }
  return true;
}

/* Of y and its ancestors, those outside the configuration: are they all awake,
 * and independent of the newest member? */
static bool ancestors_are_independent(const struct configuration *c, uint32_t y,
                                      uint32_t newest_member) {
  const struct occurrence *o = occurrence_at(c->u, y);
  uint32_t have = configuration_length(c, o->proc);
  for (; y && (o = occurrence_at(c->u, y))->index > have; y = o->previous)
    if (o->asleep || unfolding_dependent(c->u, y, newest_member))
      return false;
  return true;
}

enum configuration_answer configuration_still_allows(struct configuration *c,
                                                     uint32_t number) {
  const struct occurrence *x = occurrence_at(c->u, number);
  uint32_t last = VEC_TOP(c->members).occurrence;
  const struct occurrence *m = occurrence_at(c->u, last);
  uint32_t y = x->proc == m->proc ? number : occurrence_past(c->u, x, m->proc);
  if (occurrence_index(c->u, y) >= m->index)
    return number != last && unfolding_ancestor(c->u, y, m->index) == last
               ? CONFIGURATION_LEADS_THERE
               : CONFIGURATION_FORBIDS;
  for (uint32_t p = 0; p < x->width; p++)
    if (p != m->proc && c->u->pasts.at[x->past + p] &&
        !ancestors_are_independent(c, c->u->pasts.at[x->past + p], last))
      return CONFIGURATION_FORBIDS;
  return ancestors_are_independent(c, number, last) ? CONFIGURATION_ALLOWS
                                                    : CONFIGURATION_FORBIDS;
}

/* ---- checking ----------------------------------------------------------- */

static bool is_before(const struct configuration *c, const struct occurrence *a,
                      const struct occurrence *b) {
  return occurrence_index(c->u, occurrence_past(c->u, b, a->proc)) >= a->index;
}

/* Is x, the member at `at`, after all that it follows from and all members that
 * it depends on? */
static void check_member(const struct configuration *c, size_t at) {
  uint32_t number = c->members.at[at].occurrence;
  const struct occurrence *x = occurrence_at(c->u, number);
  ensure(x->used && x->inside);
  ensure(configuration_at(c, x->proc, x->index) == number);          /* F2 */
  ensure(configuration_at(c, x->proc, x->index - 1) == x->previous); /* F1 */
  for (uint32_t p = 0; p < x->width; p++) {
    uint32_t past = occurrence_past(c->u, x, p);
    ensure(p == x->proc || !past ||
           configuration_at(c, p, occurrence_index(c->u, past)) ==
               past); /* F1 */
  }
  for (size_t i = 0; i < at; i++)
    ensure(!unfolding_dependent(c->u, c->members.at[i].occurrence, number) ||
           is_before(c, occurrence_at(c->u, c->members.at[i].occurrence), x));
}

void configuration_check(const struct configuration *c) {
  size_t inside = 0;
  for (size_t i = 0; i < c->members.size; i++)
    check_member(c, i);
  for (size_t x = 1; x < c->u->occurrences.size; x++)
    inside += c->u->occurrences.at[x].used && c->u->occurrences.at[x].inside;
  ensure(inside == c->members.size);
}
