/* What is known, where an execution stands, of accesses that may still be in
 * data races: a part of the state, if data races are looked for and cycles are
 * closed. */
#ifndef EXPLORE_STATEFUL_RACE_KNOWLEDGE_H
#define EXPLORE_STATEFUL_RACE_KNOWLEDGE_H

#include "core/search.h"
#include "explore/stateful/guards.h"

/* keep */
struct race_knowledge {
  VEC(struct knower) knowers; /* scratch */
};

/* Adds its digest to that of a state.  From two states with the same sum the
 * same data races come.  To be called only if all events of the trace order
 * others in a way that is understood here. */
void race_knowledge_add(struct race_knowledge *, const struct explorer *,
                        struct guards *, struct digest128 *sum);
/* Does the newest event? */
bool race_knowledge_understands(const struct explorer *);
void race_knowledge_free(struct race_knowledge *);

#endif
