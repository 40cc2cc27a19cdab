#include "explore/stateful/guards.h"

#include "util/planted.h"

#define GUARD_ATOMIC (UINT64_C(1) << 63)

/* After so many searches in vain nothing is guarded. */
enum { MOST_LOSSES = 4 };

/* ---- places --------------------------------------------------------------
 */

static struct guarded *place_at(struct guards *g, uint64_t granule) {
  uint32_t hash = table_hash(granule);
  for (TABLE_EACH(n, &g->by_granule, hash))
    if (g->list.at[n].granule == granule)
      return &g->list.at[n];
  table_add(&g->by_granule, hash, g->list.size);
  struct guarded added = {
      .granule = granule, .guards = ~g->bad, .proc = NOWHERE};
  VEC_PUSH(g->list, added);
  return &VEC_TOP(g->list);
}

static bool is_covered(const struct guarded *place) {
  return place->guards || !place->shared;
}

static void restrict_to(struct guards *g, struct guarded *place,
                        uint64_t guards) {
  if (!planted(STATE_UNDER) || !guards)
    place->guards &= guards;
  if (place->relied && !is_covered(place))
    g->lost = true;
}

bool guards_cover(struct guards *g, uint64_t granule) {
  if (g->off)
    return false;
  struct guarded *place = place_at(g, granule);
  place->relied |= is_covered(place);
  return is_covered(place);
}

/* ---- locks ---------------------------------------------------------------
 */

static uint64_t lock_of(struct guards *g, const struct access *a) {
  uint64_t granule = access_first_granule(a);
  struct object lock = {.granule = granule, .bytes = access_mask(a, granule)};
  uint64_t bit = carrier_bit(object_enter(&g->locks, lock)) & ~GUARD_ATOMIC;
  place_at(g, granule)->locks |= bit;
  return bit;
}

static bool is_of_lock(const struct event *e) {
  return e->op == OP_LOCK || e->op == OP_TRYLOCK || e->op == OP_UNLOCK ||
         e->op == OP_WAIT || e->op == OP_TIMEOUT || e->op == OP_SPURIOUS;
}

/* It guards nothing. */
static void discard(struct guards *g, uint64_t lock) {
  if (!(lock & ~g->bad))
    return;
  g->bad |= lock;
  for (size_t i = 0; i < g->list.size; i++)
    restrict_to(g, &g->list.at[i], ~lock);
}

/* A failed try only reads.  A wait leaves the mutex, and locks it again. */
static uint64_t held_after(struct guards *g, const struct event *e,
                           const struct access *a, uint64_t held,
                           uint64_t others) {
  if (!(a->mode & ACCESS_WRITE) || !is_of_lock(e))
    return held;
  uint64_t lock = lock_of(g, a);
  switch (e->op) {
  case OP_LOCK:
  case OP_TRYLOCK:
    discard(g, lock & others);
    return held | lock;
  case OP_UNLOCK:
    discard(g, lock & ~held);
    return held & ~lock;
  default:
    return held & ~lock;
  }
}

/* ---- a step --------------------------------------------------------------
 */

static void touch(struct guards *g, const struct event *e,
                  const struct access *a, uint64_t held) {
  uint64_t guards = held | (a->mode & ACCESS_ATOMIC ? GUARD_ATOMIC : 0);
  for (uint64_t n = access_first_granule(a); n <= access_last_granule(a); n++) {
    struct guarded *place = place_at(g, n);
    place->shared |= place->proc != NOWHERE && place->proc != e->proc;
    place->proc = e->proc;
    restrict_to(g, place, guards);
    if (place->locks && (a->mode & ACCESS_WRITE) && !is_of_lock(e))
      discard(g, place->locks);
  }
}

uint64_t guards_stepped(struct guards *g, const struct trace *t,
                        const struct event *e, struct guards_step step) {
  const struct access *a = event_access(t, e);
  uint64_t held = step.held;
  if (g->off)
    return 0;
  for (uint32_t i = 0; i < e->accesses && !step.alone; i++)
    touch(g, e, &a[i], held & ~g->bad);
  for (uint32_t i = 0; i < e->accesses; i++)
    held = held_after(g, e, &a[i], held, step.others);
  return held;
}

/* ---- life ----------------------------------------------------------------
 */

void guards_begin_anew(struct guards *g) {
  if (g->lost)
    g->off |= ++g->losses == MOST_LOSSES;
  g->lost = false;
  for (size_t i = 0; i < g->list.size; i++)
    g->list.at[i].relied = false;
}

void guards_free(struct guards *g) {
  VEC_FREE(g->locks.list);
  VEC_FREE(g->list);
  table_free(&g->by_granule);
}
