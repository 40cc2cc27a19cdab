/* Done sets: steps from a node whose branches have been explored, kept at the
 * nodes below as long as they may make a sequence redundant.
 *
 * A sleep set for the order of settle.h.  The difference: a blind write does
 * not wake a blind write to the same byte, since nobody may ever see in which
 * order they were.  Even when the sleeper is taken at last, after other blind
 * writes, what follows is redundant unless it is seen there.  So a sleeper
 * stays until something on the path depends on it for certain.
 *
 * Storage is as in sleep.h.
 */
#ifndef CORE_DONE_H
#define CORE_DONE_H

#include "core/course.h"

/* keep */
struct done_step {
  uint32_t proc;
  uint32_t index;
  uint32_t choice;
  uint32_t at; /* how long the trace was at its node */
  uint32_t accesses;
  struct access one; /* the footprint if it is a single access ... */
  uint32_t first;    /* ... else done.accesses from here */
};

struct done_range {
  uint32_t start;
  uint32_t end;
};

/* What a node knows of the stack. */
struct done_node {
  struct done_range inherited;
  struct done_range own;
  uint32_t accesses_end;
};

struct done {
  VEC(struct done_step) steps;
  VEC(struct access) accesses;
  struct course path; /* scratch: without items */
};

/* The node reached from `parent` by the newest event of the trace. */
void done_child(struct done *, const struct done_node *parent,
                const struct trace *, struct done_node *child);

/* Back at a node: everything above it is forgotten. */
void done_return(struct done *, const struct done_node *);

/* The branch of `node` that began with this event is explored. */
void done_add(struct done *, struct done_node *node, const struct trace *,
              uint32_t position);

/* The i-th step of the node as an option, and from where on; false if there are
 * fewer. */
bool done_get(const struct done *, const struct done_node *, uint32_t i,
              struct option *, uint32_t *from);

void done_free(struct done *);

#endif
