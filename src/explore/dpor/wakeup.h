/* Wakeup trees: the sequences that are still to be explored below a node.
 *
 * Children are explored in order.  Inserting a sequence goes down the tree:
 * into the first child that is a weak initial of the sequence.  If that step is
 * in the sequence, it is taken out.  At a leaf the insertion ends, since the
 * rest is planned already.  Where no child fits, the rest becomes the last
 * branch.
 *
 * Tree nodes come from one pool and are numbered from 1; 0 is no node.  What is
 * planned takes most of the memory, and the same steps are planned again and
 * again.  So each step is kept once, with its footprint.
 *
 * Invariants:
 *   W1  every tree node of the pool is in one tree, or in the list of unused
 *       ones.
 *   W2  no two siblings are the same step.
 *   W3  on every way down a tree, the steps of a process follow each other,
 *       beginning with its next one at the node of the tree.
 */
#ifndef EXPLORE_DPOR_WAKEUP_H
#define EXPLORE_DPOR_WAKEUP_H

#include "explore/dpor/reversal.h"
#include "util/table.h"

/* keep */
struct wakeup {
  uint32_t step;  /* its number */
  uint32_t child; /* first of the subtree */
  uint32_t next;  /* sibling */
};

/* keep */
struct wakeup_step {
  uint32_t proc;
  uint32_t index;
  uint32_t choice; /* or ANY_CHOICE */
  uint32_t accesses;
  size_t first; /* the footprint: wakeup_pool.accesses from here */
};

struct wakeup_pool {
  VEC(struct wakeup) nodes;      /* nodes.at[0] is not used */
  uint32_t unused;               /* list of free nodes, linked by next */
  VEC(struct wakeup_step) steps; /* all that were ever planned */
  VEC(struct access) accesses;
  struct table by_contents; /* of the steps */
};

void wakeup_init(struct wakeup_pool *);
void wakeup_free(struct wakeup_pool *);

/* How much memory the trees take, or took when they were largest. */
size_t wakeup_bytes(const struct wakeup_pool *);

/* Inserts the rest of v below *root.  Returns NOWHERE if something was
 * inserted.  Otherwise returns the length of the prefix of the trace on which
 * "nothing to insert" depends; NOWHERE if it depends on the whole trace. */
uint32_t wakeup_insert(struct wakeup_pool *, uint32_t *root,
                       struct reversal *v);

/* The same, but inserts only the first step of v, unless a branch begins with a
 * step that can begin v. */
uint32_t wakeup_begin(struct wakeup_pool *, uint32_t *root, struct reversal *v);

/* For algorithms with their own kind of sequence.  The children of a node (0:
 * of the tree) form a list. */
uint32_t wakeup_children(const struct wakeup_pool *, uint32_t root,
                         uint32_t parent);
/* How many branches the tree has at its root. */
size_t wakeup_count(const struct wakeup_pool *, uint32_t root);
uint32_t wakeup_next(const struct wakeup_pool *, uint32_t node);
/* Its footprint stays where it is until something is planned. */
struct option wakeup_option(const struct wakeup_pool *, uint32_t node);
uint32_t wakeup_append(struct wakeup_pool *, uint32_t *root, uint32_t parent,
                       const struct option *);

/* The first step of the first branch; the tree is not empty. */
struct option wakeup_first(const struct wakeup_pool *, uint32_t root);

/* Removes the root of the first branch, and returns its children as a tree. */
uint32_t wakeup_take(struct wakeup_pool *, uint32_t *root);

/* Drops the whole tree. */
void wakeup_drop(struct wakeup_pool *, uint32_t root);

/* Checks the invariants.  `root` gives the tree of the node that the search has
 * after the first `length` events of the trace. */
void wakeup_check(const struct wakeup_pool *, const struct trace *,
                  uint32_t (*root)(const void *search, size_t length),
                  const void *search);

#endif
