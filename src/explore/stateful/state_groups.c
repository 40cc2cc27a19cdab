#include "explore/stateful/state_groups.h"

#include <stdlib.h>

#include "util/ensure.h"

static void put(struct state_groups *g, struct state_group group) {
  size_t i = state_groups_home(g, group.local);
  while (g->at[i].live)
    i = state_groups_after(g, i);
  g->at[i] = group;
}

/* From a free slot on, so that groups with one local part keep their order. */
static void grow(struct state_groups *g) {
  struct state_groups old = *g;
  size_t first = 0;
  g->capacity = compact_larger(old.capacity);
  g->at = calloc(g->capacity, sizeof *g->at);
  if (!g->at)
    out_of_memory();
  while (old.used && old.at[first].live)
    first++;
  for (size_t i = 0, at = first; i < old.capacity; i++) {
    if (old.at[at].live)
      put(g, old.at[at]);
    at = state_groups_after(&old, at);
  }
  free(old.at);
}

void state_groups_add(struct state_groups *g, uint32_t local, uint32_t live) {
  for (STATE_GROUPS_EACH(known, g, local))
    if (known == live)
      return;
  if (!compact_has_room(g->capacity, g->used + 1))
    grow(g);
  put(g, (struct state_group){local, live + 1});
  g->used++;
}

void state_groups_free(struct state_groups *g) {
  free(g->at);
  *g = (struct state_groups){0};
}
