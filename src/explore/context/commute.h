/* Do two dependent steps commute in the state where they meet?
 *
 * Steps are dependent if their footprints overlap in a byte that one of them
 * writes.  Some dependent steps make no difference in either order: two stores
 * of one value, additions, a test with the same result.  Here both orders are
 * run, and the states that they lead to are compared.  Two steps commute in a
 * state if in either order both are possible, touch the same bytes and lead to
 * the same state.
 *
 * Only operations on data can commute.  With race detection on, operations that
 * synchronise, or would do so beside a fence, cannot: the state does not say
 * which of them synchronised.
 */
#ifndef EXPLORE_CONTEXT_COMMUTE_H
#define EXPLORE_CONTEXT_COMMUTE_H

#include "core/search.h"
#include "explore/dpor/sleep.h"

/* keep.  Whether two steps commute in these circumstances: see commute.c. */
struct commute_answer {
  uint64_t one;
  uint64_t other;
  bool yes;
};

/* keep */
struct commute_cache {
  struct explorer *x;
  struct commute_answer *known; /* a cache */
};

void commute_init(struct commute_cache *, struct explorer *);
void commute_free(struct commute_cache *);

/* How two dependent steps relate. */
enum commute {
  COMMUTE_NOT,
  COMMUTE_HERE,   /* in the state where they meet */
  COMMUTE_ALWAYS, /* in every state */
};

/* Does the newest event commute with a sleeper, which could have been taken
 * instead of it?  If so, the sleeper's history becomes the one that it has
 * after the event. */
enum commute commute_instead(struct commute_cache *, struct sleeper *);

/* Do two conflicting events certainly commute in no state? */
bool commute_never(const struct commute_cache *, const struct event *,
                   const struct event *);

#endif
