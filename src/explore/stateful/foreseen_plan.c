#include "explore/stateful/foreseen_plan.h"

#include <stdlib.h>

#include "util/planted.h"

/* ---- links ----------------------------------------------------------------
 */

/* The bytes of a granule that the event reads or writes so that an access of
 * this kind conflicts with it. */
static uint8_t conflicting(const struct trace *t, const struct event *e,
                           uint64_t granule, bool writes) {
  const struct access *a = event_access(t, e);
  uint8_t bytes = 0;
  for (uint32_t i = 0; i < e->accesses; i++)
    if ((writes || (a[i].mode & ACCESS_WRITE)) &&
        granule >= access_first_granule(&a[i]) &&
        granule <= access_last_granule(&a[i]))
      bytes |= access_mask(&a[i], granule);
  return bytes;
}

/* Does the next step of the process conflict with e, whatever comes before it?
 * A compare-and-swap may only read. */
static bool must_follow(const struct foreseen_plan *p, uint32_t q,
                        const struct event *e) {
  struct system *system = p->foreseen.x->system;
  struct step next;
  if (!system->ops->pending(system, q, &next) ||
      (next.flags & (STEP_BLOCK | STEP_CONDITIONAL | STEP_LOOK | STEP_AWAIT)))
    return false;
  return footprint_conflict(next.access, next.accesses,
                            event_access(&p->foreseen.x->trace, e),
                            e->accesses);
}

static void find_unordered(struct foreseen_plan *p, const struct event *e) {
  uint32_t processes = p->foreseen.x->system->processes;
  p->unordered = 0;
  for (uint32_t q = 0; q < processes; q++)
    if (!foreseen_knows(&p->foreseen, q, e) && !must_follow(p, q, e))
      p->unordered |= carrier_bit(q);
}

/* An event that conflicts with e happens after it, and is not in v. */
static void add_link(struct foreseen_plan *p, const struct event *e,
                     const struct future_access *a) {
  const struct trace *t = &p->foreseen.x->trace;
  bool writes = a->mode & ACCESS_WRITE, cause = a->wants == WANTS_CAUSE;
  uint8_t bytes = a->bytes;
  if (!cause)
    bytes &= (uint8_t)~conflicting(t, e, a->granule, writes);
  if (bytes || cause)
    VEC_PUSH(p->links, (struct foreseen_link){a->granule, a->proc, bytes,
                                              a->first, a->last, writes});
}

static void find_links(struct foreseen_plan *p, const struct known_states *k,
                       struct known_future future, const struct event *e) {
  const struct future_access *a;
  size_t count;
  p->links.size = 0;
  for (size_t n = 0; known_accesses(k, future, n, &a, &count); n++)
    for (size_t i = 0; i < count && (p->unordered & carrier_bit(a->proc)); i++)
      if (!foreseen_settled(&p->foreseen, &a[i], e))
        add_link(p, e, &a[i]);
}

static bool raise_reach(struct foreseen_plan *p, uint32_t proc, uint8_t last) {
  uint32_t reach = (uint32_t)last + 1;
  if (!(p->unordered & carrier_bit(proc)) || p->reach[proc] >= reach)
    return false;
  p->reach[proc] = reach;
  return true;
}

/* May the later link be on the chain? */
static bool is_reached(const struct foreseen_plan *p,
                       const struct foreseen_link *l) {
  return p->reach[l->proc] > l->first;
}

/* The event of a link may be before another one on the chain. */
static bool follow(struct foreseen_plan *p, const struct foreseen_link *later) {
  bool grown = false;
  if (!later->bytes)
    return raise_reach(p, (uint32_t)later->granule, FUTURE_FAR);
  for (size_t i = 0; i < p->links.size; i++) {
    const struct foreseen_link *l = &p->links.at[i];
    if (l->granule == later->granule && (l->bytes & later->bytes) &&
        (l->writes || later->writes) && l->proc != later->proc)
      grown |= raise_reach(p, l->proc, l->last);
  }
  return grown;
}

/* The processes with which a chain to f can begin. */
static uint64_t beginnings(struct foreseen_plan *p,
                           const struct future_access *f) {
  bool writes = (f->mode & ACCESS_WRITE) || (f->reordered & REORDERED_WRITES);
  struct foreseen_link link = {f->granule, f->proc, f->bytes,
                               f->first,   f->last, writes};
  uint64_t all = carrier_bit(f->proc);
  for (uint32_t q = 0; q < 64; q++)
    p->reach[q] = 0;
  p->reach[f->proc] = (uint32_t)f->last + 1;
  bool grown = true;
  follow(p, &link);
  while (grown && !planted(STATE_CHAIN)) {
    grown = false;
    for (size_t i = 0; i < p->links.size; i++)
      if (is_reached(p, &p->links.at[i]))
        grown |= follow(p, &p->links.at[i]);
  }
  for (uint32_t q = 0; q < 64; q++)
    if (p->reach[q] && !planted(STATE_CHAIN))
      all |= carrier_bit(q);
  return all;
}

/* ---- planning -------------------------------------------------------------
 */

/* The first event of K, or NOWHERE. */
static uint32_t first_beside(const struct trace *t, uint32_t position) {
  const struct event *e = &t->events.at[position];
  for (uint32_t i = position + 1; i < t->events.size; i++)
    if (!happens_before(t, e, &t->events.at[i]))
      return i;
  return NOWHERE;
}

static void plan_beside(struct foreseen_plan *p, uint32_t position,
                        uint32_t beside) {
  const struct trace *t = &p->foreseen.x->trace;
  reversal_of_unknown(&p->b->v, t, position);
  if (!backtrack_has(p->b, reversal_is_initial))
    backtrack_add(p->b, t->events.at[beside].proc);
}

/* May f, without e before it, be a step that touches something else? */
static bool is_unsure(const struct trace *t, const struct event *e,
                      const struct future_access *f) {
  if (!(f->reordered & REORDERED_WRITES))
    return f->reordered & REORDERED_MOVES;
  uint8_t written = conflicting(t, e, f->granule, false);
  return (written & f->bytes) && (f->bytes & ~written);
}

static bool some_unsure(const struct foreseen_plan *p, size_t from, size_t to) {
  const struct trace *t = &p->foreseen.x->trace;
  const struct event *e = &t->events.at[p->races.at[from].position];
  for (size_t i = from; i < to; i++)
    if (is_unsure(t, e, p->races.at[i].access) ||
        p->races.at[i].access->proc >= 64)
      return true;
  return false;
}

/* The races of one event, `from` to `to` of the list. */
static void plan_event(struct foreseen_plan *p, const struct known_states *k,
                       struct known_future future, size_t from, size_t to) {
  uint32_t position = p->races.at[from].position;
  const struct trace *t = &p->foreseen.x->trace;
  if (p->b->nodes.at[position].covered.try_all)
    return;
  if (some_unsure(p, from, to)) {
    p->b->nodes.at[position].covered.try_all = true;
    return;
  }
  uint32_t beside = first_beside(t, position);
  if (beside != NOWHERE) {
    plan_beside(p, position, beside);
    return;
  }
  const struct event *e = &t->events.at[position];
  uint64_t wanted = 0;
  find_unordered(p, e);
  find_links(p, k, future, e);
  for (size_t i = from; i < to; i++)
    wanted |= beginnings(p, p->races.at[i].access);
  backtrack_want(p->b, position, wanted);
}

static int by_position(const void *a, const void *b) {
  const struct foreseen_race *x = a, *y = b;
  return (x->position > y->position) - (x->position < y->position);
}

static void find_races(struct foreseen_plan *p, const struct known_states *k,
                       struct known_future future) {
  const struct future_access *a;
  size_t count;
  p->races.size = 0;
  for (size_t n = 0; known_accesses(k, future, n, &a, &count); n++)
    for (size_t i = 0; i < count; i++) {
      foreseen_races(&p->foreseen, &a[i], &p->found);
      for (size_t r = 0; r < p->found.list.size; r++)
        VEC_PUSH(p->races, (struct foreseen_race){p->found.list.at[r], &a[i]});
    }
}

void foreseen_plan(struct foreseen_plan *p, const struct known_states *k,
                   struct known_future future) {
  find_races(p, k, future);
  if (p->races.size && !planted(STATE_RACES))
    qsort(p->races.at, p->races.size, sizeof *p->races.at, by_position);
  for (size_t i = 0, end; i < p->races.size && !planted(STATE_RACES); i = end) {
    for (end = i + 1; end < p->races.size &&
                      p->races.at[end].position == p->races.at[i].position;
         end++)
      ;
    plan_event(p, k, future, i, end);
  }
}

void foreseen_plan_free(struct foreseen_plan *p) {
  positions_free(&p->found);
  VEC_FREE(p->races);
  VEC_FREE(p->links);
}
