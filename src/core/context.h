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

void context_init(struct context *, struct explorer *);
void context_free(struct context *);

/* How two dependent steps relate. */
enum commute {
  COMMUTE_NOT,
  COMMUTE_HERE,   /* in the state where they meet */
  COMMUTE_ALWAYS, /* in every state */
};

/* Does the newest event commute with a step that could have been taken instead
 * of it?  If so, its history becomes the one that it has after the event. */
enum commute context_commutes_instead(struct context *, struct sleeper *);

/* Is it plain that two events which conflict commute in no state? */
bool context_firm(const struct context *, const struct event *,
                  const struct event *);

#endif
