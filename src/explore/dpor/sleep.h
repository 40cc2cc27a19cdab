/* Sleep sets: steps that need not be taken, because all executions that begin
 * with them have been explored.
 *
 * A node inherits sleepers from its parent, and adds one whenever a branch of
 * its own is done.  A step to a child wakes the sleepers that depend on the
 * step.  All sleepers lie on one stack: those of a node above those of its
 * ancestors.  A child that wakes no sleeper shares the range of its parent.
 *
 * Invariants:
 *   S1  a sleeper is the next step of its process.
 *   S2  no step is in one sleep set twice.
 *   S3  an inherited sleeper does not depend on the event before the node,
 *       unless sleep_child_if() left it asleep.
 */
#ifndef EXPLORE_DPOR_SLEEP_H
#define EXPLORE_DPOR_SLEEP_H

#include "explore/dpor/reversal.h"
#include "util/packed.h"

/* keep */
struct sleeper {
  uint32_t proc;
  uint32_t index;
  uint32_t choice;
  uint32_t choices; /* of its step: how many alternatives */
  uint32_t cause;   /* of its event: see trace.h */
  uint32_t accesses;
  struct access one_access; /* the footprint if it is a single access ... */
  uint32_t first;           /* ... else sleep.accesses from here */
  uint64_t history;         /* of its event: see trace.h */
  uint64_t value;           /* what it stored, if ... */
  bool stores;              /* ... it is one plain or atomic store */
  uint16_t op;
  /* For explore/context/covered_sleep.h: */
  uint32_t asleep_at;   /* the length of the trace where it asleep_at asleep */
  uint32_t commuted_at; /* the length of the trace when it last stayed asleep
                           although it depends on the step, because the two
                           commute there; or 0 */
  uint32_t commuted_before; /* the same, the time before */
  uint64_t since; /* when the search began the branch of the sleeper */
};

struct sleep_range {
  uint32_t start;
  uint32_t end;
};

/* The ranges of a node on the stack. */
struct sleep_node {
  struct sleep_range inherited;
  struct sleep_range done;
  uint32_t accesses_end;
};

struct sleep {
  VEC(struct sleeper) sleepers;
  VEC(struct access) accesses;
};

/* The root's node: its sleep set is empty. */
void sleep_root(struct sleep *, struct sleep_node *);

/* The node reached from `parent` by the newest event of the trace. */
void sleep_child(struct sleep *, const struct sleep_node *parent,
                 const struct trace *, struct sleep_node *child);

/* The same, but a sleeper that depends on the event stays asleep if `stays`
 * says so. */
void sleep_child_if(struct sleep *, const struct sleep_node *parent,
                    const struct trace *, struct sleep_node *child,
                    bool (*stays)(void *, struct sleeper *), void *context);

/* Back at a node: forgets all sleepers above it on the stack. */
void sleep_return(struct sleep *, const struct sleep_node *);

/* The branch of `node` that began with this event is done. */
void sleep_add(struct sleep *, struct sleep_node *node, const struct trace *,
               const struct event *);

/* Writes down the sleepers of the node from this one on; or reads sleepers of
 * the node, which is the last one on the stack, as if its branches were done,
 * unless they sleep there. */
void sleep_write(const struct sleep *, const struct sleep_node *, uint32_t from,
                 struct packed *);
void sleep_read(struct sleep *, struct sleep_node *, struct packed *);

/* The i-th sleeper of the node; NULL if there are fewer. */
const struct sleeper *sleep_at(const struct sleep *, const struct sleep_node *,
                               uint32_t i);

/* The same as an option; false if there are fewer. */
bool sleep_get(const struct sleep *, const struct sleep_node *, uint32_t i,
               struct option *);

bool sleep_contains(const struct sleep *, const struct sleep_node *,
                    uint32_t proc);

/* The first alternative of the next step of `proc` that does not sleep; false
 * if all of them sleep. */
bool sleep_alternative(const struct sleep *, const struct sleep_node *,
                       uint32_t proc, uint32_t *choice);

/* Does this alternative sleep? */
bool sleep_has(const struct sleep *, const struct sleep_node *, uint32_t proc,
               uint32_t choice);

void sleep_free(struct sleep *);

/* Checks the invariants for the node after the first `length` events of the
 * trace; S3 only if `strict`. */
void sleep_check(const struct sleep *, const struct sleep_node *,
                 const struct trace *, uint32_t length, bool strict);

#endif
