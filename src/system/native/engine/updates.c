/* Updates that commute: read-modify-writes of one kind, such as additions,
 * whose result the program does not use.
 *
 * Two of them to one place have no order (ACCESS_KIND): reads and other writes
 * of the place have one with each.  Where more than the value of the place is
 * looked at, the order counts after all:
 *
 *   - A loop waits for the place.  Which value made it go on is asked for all
 *     values that were there before (round.c), and whether a write changed
 *     anything (spin.c).
 *   - A data race was found or not because one update came before another
 *     (core/datarace.h).
 *
 * That shows only when it happens; then the search begins anew.  What is
 * ordered is kept by granules of 8 bytes.
 *
 * Updates before main are ordered: what a thread of a constructor announces
 * stays as it is when the search begins anew.
 */
#include "engine.h"
#include "learnt.h"

#include "core/trace.h"
#include "util/table.h"

/* keep */
struct updated {
  uint64_t granule;
  bool relied_on; /* an update of it had a kind */
  bool ordered;
};

static struct {
  struct table index;
  VEC(struct updated) list;
  bool all_ordered;
} granules; /* keep */

static struct updated *find(uint64_t granule) {
  uint32_t hash = table_hash(granule);
  for (TABLE_EACH(n, &granules.index, hash))
    if (granules.list.at[n].granule == granule)
      return &granules.list.at[n];
  table_add(&granules.index, hash, granules.list.size);
  VEC_PUSH(granules.list, (struct updated){.granule = granule});
  return &VEC_TOP(granules.list);
}

static bool is_ordered(const struct access *a) {
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
    if (find(g)->ordered)
      return true;
  return false;
}

uint32_t update_kind(const struct access *a, uint32_t kind) {
  if (!engine.updates || engine.mode != MODE_EXPLORE || self->atomic_depth ||
      granules.all_ordered || is_ordered(a))
    return 0;
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
    find(g)->relied_on = true;
  return kind;
}

void updates_order(const struct access *a) {
  if (!engine.updates)
    return;
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++) {
    struct updated *u = find(g);
    engine.stale =
        engine.stale || ((u->relied_on || engine.frozen) && !u->ordered);
    u->ordered = true;
  }
}

void updates_order_all(void) {
  granules.all_ordered = true;
}

void updates_learnt(struct packed *p) {
  size_t count = packed_count(p, granules.list.size, sizeof(struct updated));
  PACKED(p, granules.all_ordered);
  for (size_t i = 0; i < count && !p->bad; i++) {
    struct updated u = {0};
    if (p->to)
      u = granules.list.at[i];
    PACKED(p, u);
    *find(u.granule) = u;
  }
}
