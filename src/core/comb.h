/* Alternatives: what can be added to a configuration C so that none of the
 * sleeping occurrences D can follow.
 *
 * Every d of D is possible after C.  An alternative is a set J, C + J without
 * conflicts and without any of D, in which each d has a rival: something in
 * conflict with it.  The comb has a spike for each d, its teeth the rivals of d
 * that C allows.  An alternative takes a tooth of each spike, with its past,
 * such that all go together.  Finding one is NP-hard; a bound on the number of
 * spikes gives an answer that may turn out not to be enough, never one that
 * loses something: if there is an alternative, one is found.
 *
 *   paper                       here
 *   comb, spike                 struct comb, struct spike
 *   J                           what the front has more than before
 *   k-partial alternative       `most` spikes, the smallest
 */
#ifndef CORE_COMB_H
#define CORE_COMB_H

#include "core/front.h"

/* Goes through the rivals of a sleeper. */
struct rivals {
  const struct unfolding *u;
  uint32_t visit, end; /* of the sleeper */
  uint32_t other;      /* visit of the same place + 1 */
};

struct rivals rivals_of(const struct unfolding *, uint32_t sleeper);

/* The next one, or 0.  It may come more than once if both touch several places.
 * What is in the front is in the sleeper's past, and left out, as are those who
 * sleep. */
uint32_t next_rival(struct rivals *);

/* keep */
struct spike {
  uint32_t sleeper;
  uint32_t first; /* of its teeth, in comb.teeth */
  uint32_t count;
  uint32_t next; /* tooth to try */
  size_t base;   /* size of the front without it */
};

struct comb {
  VEC(struct spike) spikes;
  VEC(uint32_t) teeth; /* occurrences */
  uint64_t steps;      /* how often something was tried */
};

void comb_free(struct comb *);

/* Searches an alternative to the `count` sleepers, the newest of them last, and
 * adds it to the front; false if there is none. */
bool comb_search(struct comb *, struct front *, const uint32_t *sleepers,
                 uint32_t count, uint32_t most);

#endif
