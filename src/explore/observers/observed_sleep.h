/* Sleep sets for the order of observed_order.h: steps of a node whose branches
 * have been explored, kept at the nodes below while they may make a sequence
 * redundant.
 *
 * The difference to sleep.h: a blind write does not wake a blind write to the
 * same bytes, since their order may never be seen.  Even when the sleeper is
 * taken at last, after other blind writes, the execution is redundant unless it
 * is seen there.  So a sleeper stays until an event of the path certainly
 * depends on it.
 *
 * Storage is as in sleep.h.
 *
 * Invariants:
 *   Z1  a sleeper was the next step of its process where it fell asleep.
 *   Z2  no step sleeps twice since the same node.
 *   Z3  if its process has not moved since, no event since conflicts with it
 *       otherwise than as a rival.
 */
#ifndef EXPLORE_OBSERVERS_OBSERVED_SLEEP_H
#define EXPLORE_OBSERVERS_OBSERVED_SLEEP_H

#include "explore/observers/observed_sequence.h"

/* keep */
struct observed_sleeper {
  uint32_t proc;
  uint32_t index;
  uint32_t choice;
  uint32_t at; /* the length of the trace where it fell asleep */
  uint32_t accesses;
  struct access one_access; /* the footprint if it is a single access ... */
  uint32_t first;           /* ... else observed_sleep.accesses from here */
};

struct observed_sleep_range {
  uint32_t start;
  uint32_t end;
};

/* The ranges of a node on the stack. */
struct observed_sleep_node {
  struct observed_sleep_range inherited;
  struct observed_sleep_range own;
  uint32_t accesses_end;
};

struct observed_sleep {
  VEC(struct observed_sleeper) sleepers;
  VEC(struct access) accesses;
  struct observed_sequence path; /* scratch: without items */
};

/* The node reached from `parent` by the newest event of the trace. */
void observed_sleep_child(struct observed_sleep *,
                          const struct observed_sleep_node *parent,
                          const struct trace *,
                          struct observed_sleep_node *child);

/* Back at a node: forgets all sleepers above it on the stack. */
void observed_sleep_return(struct observed_sleep *,
                           const struct observed_sleep_node *);

/* The branch of `node` that began with this event is explored. */
void observed_sleep_add(struct observed_sleep *,
                        struct observed_sleep_node *node, const struct trace *,
                        uint32_t position);

/* The i-th sleeper of the node as an option, and where it fell asleep; false if
 * there are fewer. */
bool observed_sleep_get(const struct observed_sleep *,
                        const struct observed_sleep_node *, uint32_t i,
                        struct option *, uint32_t *from);

void observed_sleep_free(struct observed_sleep *);

/* Checks the invariants for the node after the first `length` events of the
 * trace. */
void observed_sleep_check(const struct observed_sleep *,
                          const struct observed_sleep_node *,
                          const struct trace *, uint32_t length);

#endif
