#include "explore/unfolding/alternatives.h"

#include <stdlib.h>

/* ---- rivals ------------------------------------------------------------- */

struct rival_iterator rivals_begin(const struct unfolding *u,
                                   uint32_t sleeper) {
  const struct occurrence *d = occurrence_at(u, sleeper);
  struct rival_iterator r = {u, d->visits, d->visits + d->visit_count, 0};
  if (r.visit < r.end)
    r.other = u->places.at[u->visits.at[r.visit].place].newest;
  return r;
}

uint32_t rivals_next(struct rival_iterator *r) {
  const struct unfolding *u = r->u;
  while (r->visit < r->end) {
    const struct unfolding_visit *mine = &u->visits.at[r->visit];
    while (r->other) {
      const struct unfolding_visit *other = &u->visits.at[r->other - 1];
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

static bool try_to_add(struct alternatives *a, struct configuration *c,
                       uint32_t x) {
  a->steps++;
  return configuration_extend(c, x);
}

/* ---- the rivals of one sleeper
 * ------------------------------------------------------------
 */

/* One sleeper alone: any rival will do. */
static bool add_any(struct alternatives *a, struct configuration *c,
                    uint32_t sleeper) {
  struct rival_iterator r = rivals_begin(c->u, sleeper);
  for (uint32_t x; (x = rivals_next(&r));)
    if (try_to_add(a, c, x))
      return true;
  return false;
}

/* Lists the rivals of a sleeper that the configuration allows; false if there
 * is none. */
static bool find_rivals(struct alternatives *a, struct configuration *c,
                        uint32_t sleeper) {
  size_t size = configuration_size(c), first = a->rivals.size;
  struct rival_iterator r = rivals_begin(c->u, sleeper);
  for (uint32_t x; (x = rivals_next(&r));)
    if (try_to_add(a, c, x)) {
      configuration_truncate(c, size);
      VEC_PUSH(a->rivals, x);
    }
  if (a->rivals.size == first)
    return false;
  VEC_PUSH(a->sleepers, (struct sleeper_rivals){
                            .sleeper = sleeper,
                            .first = (uint32_t)first,
                            .count = (uint32_t)(a->rivals.size - first)});
  return true;
}

/* ---- all of them -------------------------------------------------------- */

static int smaller_first(const void *a, const void *b) {
  const struct sleeper_rivals *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  return x->first < y->first ? -1 : 1;
}

static bool is_justified(const struct alternatives *a,
                         const struct configuration *c,
                         const struct sleeper_rivals *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (occurrence_at(c->u, a->rivals.at[s->first + i])->inside)
      return true;
  return false;
}

/* Adds the next rival of the sleeper that is compatible with the configuration.
 */
static bool add_next(struct alternatives *a, struct configuration *c,
                     struct sleeper_rivals *s) {
  configuration_truncate(c, s->base);
  while (s->next < s->count)
    if (try_to_add(a, c, a->rivals.at[s->first + s->next++]))
      return true;
  return false;
}

static bool search(struct alternatives *a, struct configuration *c,
                   uint32_t count) {
  uint32_t at = 0;
  bool down = true; /* the sleeper is reached from the one before, not from the
                       one after it */
  while (at < count) {
    struct sleeper_rivals *s = &a->sleepers.at[at];
    if (down) {
      s->base = configuration_size(c);
      s->next = is_justified(a, c, s) ? s->count : 0;
    }
    if ((down && s->next) || add_next(a, c, s)) {
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

static bool build_and_search(struct alternatives *a, struct configuration *c,
                             const uint32_t *sleepers, uint32_t count,
                             uint32_t most) {
  a->sleepers.size = a->rivals.size = 0;
  for (uint32_t i = count; i-- > 0;)
    if (!find_rivals(a, c, sleepers[i]))
      return false;
  qsort(a->sleepers.at, a->sleepers.size, sizeof *a->sleepers.at,
        smaller_first);
  return search(a, c, most < count ? most : count);
}

bool alternatives_search(struct alternatives *a, struct configuration *c,
                         const uint32_t *sleepers, uint32_t count,
                         uint32_t most) {
  return count == 1 ? add_any(a, c, sleepers[0])
                    : build_and_search(a, c, sleepers, count, most);
}

void alternatives_free(struct alternatives *a) {
  VEC_FREE(a->sleepers);
  VEC_FREE(a->rivals);
}
