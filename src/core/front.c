#include "core/front.h"

#include <string.h>

#include "util/ensure.h"

/* ---- cells ----------------------------------------------------------------
 */

static uint32_t newest(const struct front *f, uint32_t cell) {
  return cell < f->cells.size ? f->cells.at[cell] : NO_TOUCH;
}

static uint32_t newest_write(const struct front *f, uint32_t cell) {
  uint32_t r = newest(f, cell);
  if (r == NO_TOUCH || (f->touches.at[r].mode & ACCESS_WRITE))
    return r;
  return f->touches.at[r].written;
}

/* ---- life -----------------------------------------------------------------
 */

void front_init(struct front *f, struct unfolding *u) {
  memset(f, 0, sizeof *f);
  f->u = u;
}

void front_free(struct front *f) {
  for (size_t p = 0; p < f->lines.size; p++)
    VEC_FREE(f->lines.at[p].at);
  VEC_FREE(f->lines);
  VEC_FREE(f->members);
  VEC_FREE(f->touches);
  VEC_FREE(f->cells);
  VEC_FREE(f->missing);
}

/* ---- where something touches ----------------------------------------------
 */

void front_past(const struct front *f, struct draft *d,
                const struct count *count) {
  d->previous = front_at(f, d->proc, count->index - 1);
  if (d->alike)
    return;
  d->past.size = 0;
  VEC_RESERVE(d->past, count->width);
  for (uint32_t p = 0; p < count->width; p++)
    d->past.at[d->past.size++] =
        p == d->proc ? 0 : front_at(f, p, count->of[p]);
}

static bool counts(const struct draft *d, const struct count *count,
                   const struct front_touch *t) {
  if (t->proc == d->proc)
    return t->index < count->index;
  return t->proc < count->width && t->index <= count->of[t->proc];
}

void front_visit(const struct front *f, struct draft *d,
                 const struct count *count, uint32_t cell, uint8_t bytes,
                 uint32_t mode) {
  for (uint32_t r = newest_write(f, cell); r != NO_TOUCH && bytes;
       r = f->touches.at[r].written) {
    const struct front_touch *t = &f->touches.at[r];
    if (!(t->mask & bytes) || !counts(d, count, t))
      continue;
    draft_visit(d, cell, t->occurrence, t->mask & bytes, mode);
    bytes &= (uint8_t)~t->mask;
  }
  draft_visit(d, cell, 0, bytes, mode);
}

/* ---- growing --------------------------------------------------------------
 */

/* The same process reads the bytes again: others need to know only that. */
static bool outdated(const struct front_touch *old,
                     const struct front_touch *new) {
  return old->proc == new->proc && !(old->mask & ~new->mask) &&
         !((old->mode | new->mode) & ACCESS_WRITE);
}

static void add_touch(struct front *f, uint32_t number,
                      const struct occurrence *x, const struct visit *v) {
  uint32_t cell = f->u->places.at[v->place].cell;
  while (f->cells.size <= cell)
    VEC_PUSH(f->cells, NO_TOUCH);
  uint32_t older = f->cells.at[cell];
  struct front_touch t = {.occurrence = number,
                          .proc = x->proc,
                          .index = x->index,
                          .cell = cell,
                          .older = older,
                          .matters = older,
                          .written = newest_write(f, cell),
                          .mask = v->mask,
                          .mode = v->mode};
  if (older != NO_TOUCH && outdated(&f->touches.at[older], &t))
    t.matters = f->touches.at[older].matters;
  VEC_PUSH(f->touches, t);
  f->cells.at[cell] = (uint32_t)f->touches.size - 1;
}

void front_push(struct front *f, uint32_t number) {
  struct occurrence *x = occurrence_at(f->u, number);
  while (f->lines.size <= x->proc) {
    VEC_RESERVE(f->lines, 1);
    memset(&f->lines.at[f->lines.size++], 0, sizeof *f->lines.at);
  }
  VEC_PUSH(f->members,
           (struct front_member){number, (uint32_t)f->touches.size});
  VEC_PUSH(f->lines.at[x->proc].at, number);
  ensure(f->lines.at[x->proc].at.size == x->index); /* F2 */
  x->inside = true;
  for (uint32_t i = 0; i < x->visit_count; i++)
    add_touch(f, number, x, &f->u->visits.at[x->visits + i]);
}

void front_truncate(struct front *f, size_t size) {
  while (f->members.size > size) {
    struct front_member m = VEC_POP(f->members);
    struct occurrence *x = occurrence_at(f->u, m.occurrence);
    while (f->touches.size > m.first_touch) {
      struct front_touch t = VEC_POP(f->touches);
      f->cells.at[t.cell] = t.older;
    }
    f->lines.at[x->proc].at.size--;
    x->inside = false;
  }
}

/* ---- joining --------------------------------------------------------------
 */

static bool in_past(const struct front *f, const struct occurrence *x,
                    const struct front_touch *t) {
  if (t->proc == x->proc)
    return t->index < x->index;
  return t->proc < x->width &&
         occurrence_index(f->u, f->u->pasts.at[x->past + t->proc]) >= t->index;
}

/* Is all that conflicts with this visit of x in the past of x? */
static bool visit_is_free(const struct front *f, const struct occurrence *x,
                          const struct visit *v) {
  uint32_t cell = f->u->places.at[v->place].cell;
  bool writes = v->mode & ACCESS_WRITE;
  uint8_t bytes = v->mask;
  uint32_t r = writes ? newest(f, cell) : newest_write(f, cell);
  while (r != NO_TOUCH && bytes) {
    const struct front_touch *t = &f->touches.at[r];
    if (t->mask & bytes) {
      if (!in_past(f, x, t))
        return false;
      if (t->mode & ACCESS_WRITE)
        bytes &= (uint8_t)~t->mask;
    }
    r = writes ? t->matters : t->written;
  }
  return true;
}

static bool is_free(const struct front *f, const struct occurrence *x) {
  for (uint32_t i = 0; i < x->visit_count; i++)
    if (!visit_is_free(f, x, &f->u->visits.at[x->visits + i]))
      return false;
  return true;
}

/* Of the process's tree up to x: what is not in the front yet.  False if it has
 * gone another way there, or something sleeps. */
static bool gather_line(struct front *f, uint32_t number) {
  const struct occurrence *x = occurrence_at(f->u, number);
  uint32_t have = front_line(f, x->proc);
  if (x->index <= have)
    return front_at(f, x->proc, x->index) == number;
  if (have &&
      unfolding_ancestor(f->u, number, have) != front_at(f, x->proc, have))
    return false;
  for (; x->index > have; x = occurrence_at(f->u, number)) {
    if (x->asleep)
      return false;
    VEC_PUSH(f->missing, number);
    number = x->previous;
  }
  return true;
}

static bool gather(struct front *f, uint32_t number) {
  const struct occurrence *x = occurrence_at(f->u, number);
  f->missing.size = 0;
  for (uint32_t p = 0; p < x->width; p++)
    if (f->u->pasts.at[x->past + p] &&
        !gather_line(f, f->u->pasts.at[x->past + p]))
      return false;
  return gather_line(f, number);
}

/* Causes first. */
static void sort_missing(struct front *f) {
  for (size_t i = 1; i < f->missing.size; i++) {
    uint32_t x = f->missing.at[i];
    uint32_t height = occurrence_at(f->u, x)->height;
    size_t j = i;
    for (; j && occurrence_at(f->u, f->missing.at[j - 1])->height > height; j--)
      f->missing.at[j] = f->missing.at[j - 1];
    f->missing.at[j] = x;
  }
}

bool front_extend(struct front *f, uint32_t number) {
  size_t size = front_size(f);
  if (!gather(f, number))
    return false;
  sort_missing(f);
  for (size_t i = 0; i < f->missing.size; i++) {
    if (!is_free(f, occurrence_at(f->u, f->missing.at[i]))) {
      front_truncate(f, size);
      return false;
    }
    front_push(f, f->missing.at[i]);
  }
  return true;
}

/* Of the process's tree up to y: does what is not in the front neither sleep
 * nor depend on the newest member? */
static bool line_is_independent(const struct front *f, uint32_t y,
                                uint32_t newest_member) {
  const struct occurrence *o = occurrence_at(f->u, y);
  uint32_t have = front_line(f, o->proc);
  for (; y && (o = occurrence_at(f->u, y))->index > have; y = o->previous)
    if (o->asleep || unfolding_dependent(f->u, y, newest_member))
      return false;
  return true;
}

enum front_answer front_still_allows(struct front *f, uint32_t number) {
  const struct occurrence *x = occurrence_at(f->u, number);
  uint32_t last = VEC_TOP(f->members).occurrence;
  const struct occurrence *m = occurrence_at(f->u, last);
  uint32_t y = x->proc == m->proc ? number : occurrence_past(f->u, x, m->proc);
  if (occurrence_index(f->u, y) >= m->index)
    return number != last && unfolding_ancestor(f->u, y, m->index) == last
               ? FRONT_LEADS_THERE
               : FRONT_FORBIDS;
  for (uint32_t p = 0; p < x->width; p++)
    if (p != m->proc && f->u->pasts.at[x->past + p] &&
        !line_is_independent(f, f->u->pasts.at[x->past + p], last))
      return FRONT_FORBIDS;
  return line_is_independent(f, number, last) ? FRONT_ALLOWS : FRONT_FORBIDS;
}
