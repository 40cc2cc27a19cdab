/* Sleep sets: steps that need not be taken because what begins with them has
 * been explored already.
 *
 * Each node has the sleepers it inherits and those added when a branch of its
 * own is done.  Stepping to a child wakes the sleepers that depend on the step.
 * Storage is one stack: a node's sleepers lie above those of its ancestors, and
 * a child that wakes nobody shares its parent's.
 */
#ifndef CORE_SLEEP_H
#define CORE_SLEEP_H

#include "core/reversal.h"

/* keep */
struct sleeper {
  uint32_t proc;
  uint32_t index;
  uint32_t choice;
  uint32_t choices; /* how many alternatives its step has */
  uint32_t cause;   /* of its event: see trace.h */
  uint32_t accesses;
  struct access one; /* the footprint if it is a single access ... */
  uint32_t first;    /* ... else sleep.accesses from here */
  uint64_t history;  /* of its event: see trace.h */
  uint64_t value;    /* what it stored, if ... */
  bool stores;       /* ... it is one plain or atomic store */
  uint16_t op;
  /* For core/cover.h: */
  uint32_t fell;      /* the length of the trace where it fell asleep */
  uint32_t soft;      /* the length at which it last stayed asleep past a step
                         that it only commutes with, or 0 ... */
  uint32_t soft_from; /* ... and the last time before that */
  uint64_t since;     /* when the branch that begins with it was begun */
};

struct sleep_range {
  uint32_t start;
  uint32_t end;
};

/* What a node knows of the stack. */
struct sleep_node {
  struct sleep_range inherited;
  struct sleep_range done;
  uint32_t accesses_end;
};

struct sleep {
  VEC(struct sleeper) sleepers;
  VEC(struct access) accesses;
};

/* The root's node: nobody sleeps. */
void sleep_root(struct sleep *, struct sleep_node *);

/* The node reached from `parent` by the newest event of the trace. */
void sleep_child(struct sleep *, const struct sleep_node *parent,
                 const struct trace *, struct sleep_node *child);

/* The same, but a sleeper that depends on the event stays asleep where `stays`
 * says so. */
void sleep_child_if(struct sleep *, const struct sleep_node *parent,
                    const struct trace *, struct sleep_node *child,
                    bool (*stays)(void *, struct sleeper *), void *context);

/* Back at a node: everything above it is forgotten. */
void sleep_return(struct sleep *, const struct sleep_node *);

/* The branch of `node` that began with this event is done. */
void sleep_add(struct sleep *, struct sleep_node *node, const struct trace *,
               const struct event *);

/* The i-th sleeper of the node; NULL if there are fewer. */
const struct sleeper *sleep_at(const struct sleep *, const struct sleep_node *,
                               uint32_t i);

/* The same as an option; false if there are fewer. */
bool sleep_get(const struct sleep *, const struct sleep_node *, uint32_t i,
               struct option *);

bool sleep_contains(const struct sleep *, const struct sleep_node *,
                    uint32_t proc);

/* The first alternative of the next step of `proc` that does not sleep; false:
 * all of them do. */
bool sleep_alternative(const struct sleep *, const struct sleep_node *,
                       uint32_t proc, uint32_t *choice);

/* Does this alternative sleep? */
bool sleep_has(const struct sleep *, const struct sleep_node *, uint32_t proc,
               uint32_t choice);

void sleep_free(struct sleep *);

#endif
