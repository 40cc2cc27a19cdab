/* Wakeup trees: what is still to be explored below a node, as a tree of steps.
 *
 * Children are explored in order.  A sequence is inserted step by step: it goes
 * down into the first child that is a weak initial of it (taking that step out
 * of the sequence if it is in it); at a leaf it ends, since what it asks for is
 * planned already; where no child fits, what is left of it becomes the last
 * branch.
 *
 * Tree nodes come from one pool and are numbered from 1; 0 is no node.
 */
#ifndef CORE_WAKEUP_H
#define CORE_WAKEUP_H

#include "core/reversal.h"

/* keep */
struct wakeup {
  uint32_t proc;
  uint32_t index;
  uint32_t choice; /* or ANY_CHOICE */
  uint32_t child;  /* first of the subtree */
  uint32_t next;   /* sibling */
  uint32_t accesses;
  struct access one;   /* the footprint if it is a single access ... */
  struct access *more; /* ... else these */
};

struct wakeup_pool {
  VEC(struct wakeup) nodes; /* nodes.at[0] is not used */
  uint32_t unused;          /* list of free nodes, linked by next */
};

void wakeup_init(struct wakeup_pool *);
void wakeup_free(struct wakeup_pool *);

/* Inserts what is left of v below *root.  Returns the length of the trace that
 * the answer "nothing to insert" rests on; NOWHERE if all of it, or if
 * something was inserted. */
uint32_t wakeup_insert(struct wakeup_pool *, uint32_t *root,
                       struct reversal *v);

/* The same, but only the beginning of v is inserted, unless a branch begins it.
 */
uint32_t wakeup_begin(struct wakeup_pool *, uint32_t *root, struct reversal *v);

/* For explorers with sequences of their own.  The children of a node (0: of the
 * tree) form a list; a step is appended as the last of them. */
uint32_t wakeup_children(const struct wakeup_pool *, uint32_t root,
                         uint32_t parent);
uint32_t wakeup_next(const struct wakeup_pool *, uint32_t node);
struct option wakeup_option(const struct wakeup_pool *, uint32_t node);
uint32_t wakeup_append(struct wakeup_pool *, uint32_t *root, uint32_t parent,
                       const struct option *);

/* The step that the first branch of a tree that is not empty begins with. */
struct option wakeup_first(const struct wakeup_pool *, uint32_t root);

/* Drops the first branch of *root without its subtree, which it returns. */
uint32_t wakeup_take(struct wakeup_pool *, uint32_t *root);

/* Drops the whole tree. */
void wakeup_drop(struct wakeup_pool *, uint32_t root);

#endif
