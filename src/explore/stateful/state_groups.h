/* Which sets of live bytes do known states have that have this local part?
 *
 * A hash table without elements: most states have a local part of their own, so
 * eight bytes for each is all that there is.  A local part is a hash of 32
 * bits.
 */
#ifndef EXPLORE_STATEFUL_STATE_GROUPS_H
#define EXPLORE_STATEFUL_STATE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "util/compact_table.h"

/* keep */
struct state_group {
  uint32_t local;
  uint32_t live; /* 1 + the number of the set; 0: a free slot */
};

struct state_groups {
  struct state_group *at;
  size_t capacity;
  size_t used;
};

/* The sets of live bytes of this local part, for the head of a for loop, in the
 * order in which they were added.  None may be added in it. */
#define STATE_GROUPS_EACH(live, groups, local)                     \
  size_t live##_slot = state_groups_home(groups, local), live = 0; \
  state_groups_candidate(groups, local, &live##_slot, &live);      \
  live##_slot = state_groups_after(groups, live##_slot)

/* Adds the group, unless it is there. */
void state_groups_add(struct state_groups *, uint32_t local, uint32_t live);
/* There are none then. */
void state_groups_free(struct state_groups *);

static inline uint64_t state_groups_bytes(const struct state_groups *g) {
  return compact_slot_bytes(g->capacity, g->used, sizeof *g->at);
}

static inline size_t state_groups_home(const struct state_groups *g,
                                       uint32_t local) {
  return (size_t)((uint64_t)local * g->capacity >> 32);
}

static inline size_t state_groups_after(const struct state_groups *g,
                                        size_t slot) {
  return slot + 1 < g->capacity ? slot + 1 : 0;
}

static inline void state_groups_fetch(const struct state_groups *g,
                                      uint32_t local) {
  if (g->capacity)
    __builtin_prefetch(&g->at[state_groups_home(g, local)]);
}

/* Moves on to the next slot with this local part; 0 if there is none. */
static inline int state_groups_candidate(const struct state_groups *g,
                                         uint32_t local, size_t *slot,
                                         size_t *live) {
  if (!g->capacity)
    return 0;
  for (; g->at[*slot].live; *slot = state_groups_after(g, *slot))
    if (g->at[*slot].local == local) {
      *live = g->at[*slot].live - 1;
      return 1;
    }
  return 0;
}

#endif
