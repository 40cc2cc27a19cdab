/* Lists of extensions: see unfold.c. */
#ifndef EXPLORE_UNFOLDING_EXTENSIONS_H
#define EXPLORE_UNFOLDING_EXTENSIONS_H

#include <stdint.h>

#include "util/vec.h"

/* keep.  An occurrence in conflict with a step of a node.  The nodes' lists lie
 * in one array; at[0] begins the list of unused ones. */
struct unfold_extension {
  uint32_t occurrence;
  uint32_t known; /* how many of the node's sleepers slept when it was found */
  uint32_t next;
};

typedef VEC(struct unfold_extension) extension_lists;

/* A list is the number of its first extension, or 0. */
static inline void extension_add(extension_lists *all, uint32_t *list,
                                 uint32_t x, uint32_t known) {
  uint32_t at = all->at[0].next;
  if (at) {
    all->at[0].next = all->at[at].next;
  } else {
    at = (uint32_t)all->size;
    VEC_PUSH(*all, (struct unfold_extension){0});
  }
  all->at[at] = (struct unfold_extension){x, known, *list};
  *list = at;
}

static inline void extension_strike(extension_lists *all, uint32_t *at) {
  uint32_t struck = *at;
  *at = all->at[struck].next;
  all->at[struck].next = all->at[0].next;
  all->at[0].next = struck;
}

static inline void extension_drop(extension_lists *all, uint32_t *list) {
  while (*list)
    extension_strike(all, list);
}

#endif
