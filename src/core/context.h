/* Context: do two dependent steps commute in the state where they meet?
 *
 * Dependence is overlap of footprints, and takes steps for dependent that make
 * no difference in either order: two stores of one value, additions, a test
 * that comes out the same.  Here both orders are run, and what they lead to is
 * compared.  Two steps commute in a state if in either order both are possible,
 * touch the same bytes and lead to the same state.
 *
 * Only operations on data can commute.  With race detection on, those that
 * synchronise, or would beside a fence, cannot: who synchronised with whom is
 * not in the state.
 */
#ifndef CORE_CONTEXT_H
#define CORE_CONTEXT_H

#include "core/explore.h"
#include "core/sleep.h"

/* keep.  Whether two steps commute in these circumstances: see context.c. */
struct known_commute {
  uint64_t one;
  uint64_t other;
  bool yes;
};

/* keep */
struct context {
  struct explorer *x;
  struct known_commute *known; /* a cache */
};

/* From now on events that commute do not order each other in `order`: the
 * explorer's trace, or another trace of the same execution. */
void context_init(struct context *, struct explorer *, struct trace *order);
void context_free(struct context *);

/* Does the newest event commute with a step that could have been taken instead
 * of it?  If so, its history becomes the one that it has after the event. */
bool context_commutes_instead(struct context *, struct sleeper *);

/* Anticipated cuts.  All that begins with the event e is explored: is it known
 * that nothing else need be tried in its place?  The system, not the trace, is
 * taken back to the state before e to find out. */
bool context_covers_all(const struct context *, const struct event *e);

/* The sleepers of a path: the node after i steps is i strides from the root. */
struct sleepers {
  const struct sleep *sleep;
  const struct sleep_node *root;
  size_t stride;
};

/* Two events of the trace commute in the state where they met.  Could they meet
 * in a state where they do not, because a third that touches the same bytes is
 * ordered with neither, or slept meanwhile and could have come in between? */
bool context_may_differ(const struct trace *, const struct race *,
                        struct sleepers);

#endif
