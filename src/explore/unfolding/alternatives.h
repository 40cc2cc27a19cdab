/* Alternatives: what can be added to a configuration C so that none of the
 * sleeping occurrences D can follow.
 *
 * Every d of D is possible after C.  An alternative is a set J such that C + J
 * has no conflicts, contains none of D, and has for each d a rival: an
 * occurrence in conflict with d.  So for each d the rivals that C allows are
 * listed, and an alternative takes one of each list, with its past, such that
 * all of them are compatible.  Finding one is NP-hard.  A bound on the number
 * of lists gives an answer that may turn out not to be enough, but never loses
 * an execution: if there is an alternative, one is found.
 *
 *   paper                       here
 *   comb                        struct alternatives
 *   spike                       struct sleeper_rivals
 *   J                           the members added to the configuration
 *   k-partial alternative       `most` lists, the shortest
 */
#ifndef EXPLORE_UNFOLDING_ALTERNATIVES_H
#define EXPLORE_UNFOLDING_ALTERNATIVES_H

#include "explore/unfolding/configuration.h"

/* Goes through the rivals of a sleeper. */
struct rival_iterator {
  const struct unfolding *u;
  uint32_t visit, end; /* of the sleeper */
  uint32_t other;      /* visit of the same place + 1 */
};

struct rival_iterator rivals_begin(const struct unfolding *, uint32_t sleeper);

/* The next rival, or 0.  A rival may come more than once if it and the sleeper
 * touch several places.  Members of the configuration are in the sleeper's
 * past, and left out; so are occurrences that sleep. */
uint32_t rivals_next(struct rival_iterator *);

/* keep */
struct sleeper_rivals {
  uint32_t sleeper;
  uint32_t first; /* of its rivals, in alternatives.rivals */
  uint32_t count;
  uint32_t next; /* rival to try */
  size_t base;   /* size of the configuration without this rival */
};

struct alternatives {
  VEC(struct sleeper_rivals) sleepers;
  VEC(uint32_t) rivals; /* occurrences */
  uint64_t steps;       /* attempts to add a rival */
};

void alternatives_free(struct alternatives *);

/* Searches an alternative to the `count` sleepers, the newest of them last, and
 * adds it to the configuration; false if there is none.  Only the `most`
 * sleepers with the fewest rivals are looked at. */
bool alternatives_search(struct alternatives *, struct configuration *,
                         const uint32_t *sleepers, uint32_t count,
                         uint32_t most);

#endif
