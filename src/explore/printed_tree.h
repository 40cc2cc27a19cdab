/* Wakeup trees of sequences that are written out: see core/wakeup.h.
 *
 * A node is an act of the sequence that was inserted, which it holds.  Nodes
 * come from one pool and are numbered from 1; 0 is no node. */
#ifndef EXPLORE_PRINTED_TREE_H
#define EXPLORE_PRINTED_TREE_H

#include "explore/printed_sequence.h"

/* keep */
struct branch {
  struct sequence *of; /* NULL: the node is not in use */
  uint32_t act;
  uint32_t child; /* first of the subtree */
  uint32_t next;  /* sibling */
};

struct tree_pool {
  VEC(struct branch) nodes; /* nodes.at[0] is not used */
  uint32_t unused;          /* list of free nodes, linked by next */
};

void tree_init(struct tree_pool *);
void tree_free(struct tree_pool *);

/* Goes down into the first child that is a weak initial of what is left of v;
 * ends at a leaf, or adds the rest as the last branch. */
void tree_insert(struct tree_pool *, uint32_t *root, struct sequence *v,
                 bool observers);

/* Adds the first act of the sequence as the last branch. */
void tree_add(struct tree_pool *, uint32_t *root, struct sequence *);

static inline const struct act *tree_first(const struct tree_pool *pool,
                                           uint32_t root) {
  const struct branch *b = &pool->nodes.at[root];
  return &b->of->acts.at[b->act];
}

/* Drops the first branch of *root without its subtree, which it returns. */
uint32_t tree_take(struct tree_pool *, uint32_t *root);

/* Drops the whole tree. */
void tree_drop(struct tree_pool *, uint32_t root);

#endif
