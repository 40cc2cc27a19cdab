#include "core/comb.h"

#include <stdlib.h>

/* ---- rivals ---------------------------------------------------------------
 */

struct rivals rivals_of(const struct unfolding *u, uint32_t sleeper) {
  const struct occurrence *d = occurrence_at(u, sleeper);
  struct rivals r = {u, d->visits, d->visits + d->visit_count, 0};
  if (r.visit < r.end)
    r.other = u->places.at[u->visits.at[r.visit].place].newest;
  return r;
}

uint32_t next_rival(struct rivals *r) {
  const struct unfolding *u = r->u;
  while (r->visit < r->end) {
    const struct visit *mine = &u->visits.at[r->visit];
    while (r->other) {
      const struct visit *other = &u->visits.at[r->other - 1];
      r->other = other->older;
      const struct occurrence *x = occurrence_at(u, other->occurrence);
      if (visits_conflict(mine, other) && !x->inside && !x->asleep)
        return other->occurrence;
    }
    if (++r->visit < r->end)
      r->other = u->places.at[u->visits.at[r->visit].place].newest;
  }
  return 0;
}

static bool try_to_add(struct comb *c, struct front *f, uint32_t x) {
  c->steps++;
  return front_extend(f, x);
}

/* ---- one spike ------------------------------------------------------------
 */

/* Any tooth will do, and the others are not looked at. */
static bool add_any(struct comb *c, struct front *f, uint32_t sleeper) {
  struct rivals r = rivals_of(f->u, sleeper);
  for (uint32_t x; (x = next_rival(&r));)
    if (try_to_add(c, f, x))
      return true;
  return false;
}

/* False: it is empty. */
static bool build_spike(struct comb *c, struct front *f, uint32_t sleeper) {
  size_t size = front_size(f), first = c->teeth.size;
  struct rivals r = rivals_of(f->u, sleeper);
  for (uint32_t x; (x = next_rival(&r));)
    if (try_to_add(c, f, x)) {
      front_truncate(f, size);
      VEC_PUSH(c->teeth, x);
    }
  if (c->teeth.size == first)
    return false;
  VEC_PUSH(c->spikes,
           (struct spike){.sleeper = sleeper,
                          .first = (uint32_t)first,
                          .count = (uint32_t)(c->teeth.size - first)});
  return true;
}

/* ---- all of them ----------------------------------------------------------
 */

static int smaller_first(const void *a, const void *b) {
  const struct spike *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  return x->first < y->first ? -1 : 1;
}

static bool is_justified(const struct comb *c, const struct front *f,
                         const struct spike *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (occurrence_at(f->u, c->teeth.at[s->first + i])->inside)
      return true;
  return false;
}

/* Adds the next tooth of the spike that goes with what is there. */
static bool add_next(struct comb *c, struct front *f, struct spike *s) {
  front_truncate(f, s->base);
  while (s->next < s->count)
    if (try_to_add(c, f, c->teeth.at[s->first + s->next++]))
      return true;
  return false;
}

static bool search(struct comb *c, struct front *f, uint32_t count) {
  uint32_t at = 0;
  bool down = true; /* the spike is new, not returned to */
  while (at < count) {
    struct spike *s = &c->spikes.at[at];
    if (down) {
      s->base = front_size(f);
      s->next = is_justified(c, f, s) ? s->count : 0;
    }
    if ((down && s->next) || add_next(c, f, s)) {
      down = true;
      at++;
    } else if (at == 0) {
      return false;
    } else {
      down = false;
      at--;
    }
  }
  return true;
}

static bool build_and_search(struct comb *c, struct front *f,
                             const uint32_t *sleepers, uint32_t count,
                             uint32_t most) {
  c->spikes.size = c->teeth.size = 0;
  for (uint32_t i = count; i-- > 0;)
    if (!build_spike(c, f, sleepers[i]))
      return false;
  qsort(c->spikes.at, c->spikes.size, sizeof *c->spikes.at, smaller_first);
  return search(c, f, most < count ? most : count);
}

bool comb_search(struct comb *c, struct front *f, const uint32_t *sleepers,
                 uint32_t count, uint32_t most) {
  return count == 1 ? add_any(c, f, sleepers[0])
                    : build_and_search(c, f, sleepers, count, most);
}

void comb_free(struct comb *c) {
  VEC_FREE(c->spikes);
  VEC_FREE(c->teeth);
}
