/* Wakeup trees of sequences that are written out: see explore/dpor/wakeup.h.
 *
 * A node is an act of the sequence that was inserted, which it holds.  Nodes
 * come from one pool and are numbered from 1; 0 is no node. */
#ifndef EXPLORE_ASPRINTED_PRINTED_TREE_H
#define EXPLORE_ASPRINTED_PRINTED_TREE_H

#include "explore/asprinted/printed_sequence.h"

/* keep */
struct printed_branch {
  struct printed_sequence *of; /* NULL: the node is not in use */
  uint32_t act;
  uint32_t child; /* first of the subtree */
  uint32_t next;  /* sibling */
};

struct printed_tree_pool {
  VEC(struct printed_branch) nodes; /* nodes.at[0] is not used */
  uint32_t unused;                  /* list of free nodes, linked by next */
};

void printed_tree_init(struct printed_tree_pool *);
void printed_tree_free(struct printed_tree_pool *);

/* Goes down into the first child that is a weak initial of the rest of v; ends
 * at a leaf, or adds the rest as the last branch. */
void printed_tree_insert(struct printed_tree_pool *, uint32_t *root,
                         struct printed_sequence *v, bool observers);

/* Adds the first act of the sequence as the last branch. */
void printed_tree_add(struct printed_tree_pool *, uint32_t *root,
                      struct printed_sequence *);

static inline const struct printed_act *
printed_tree_first(const struct printed_tree_pool *pool, uint32_t root) {
  const struct printed_branch *b = &pool->nodes.at[root];
  return &b->of->acts.at[b->act];
}

/* Removes the root of the first branch, and returns its children as a tree. */
uint32_t printed_tree_take(struct printed_tree_pool *, uint32_t *root);

/* Drops the whole tree. */
void printed_tree_drop(struct printed_tree_pool *, uint32_t root);

#endif
