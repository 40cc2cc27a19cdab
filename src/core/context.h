/* Context: do two dependent steps commute in the state where they meet?
 *
 * Dependence is overlap of footprints, and takes steps for dependent that make
 * no difference in either order: two stores of one value, additions, a test
 * that comes out the same.  Here both orders are run, and what they lead to is
 * compared.  Two steps commute in a state if in either order both are possible,
 * touch the same bytes and lead to the same state.
 *
 * Only operations on data can commute.  With race detection on, those that
 * synchronise cannot: who synchronised with whom is not in the state.
 */
#ifndef CORE_CONTEXT_H
#define CORE_CONTEXT_H

#include "core/explore.h"

/* From now on events of the trace that commute do not order each other. */
void context_begin(struct explorer *);

/* Does the newest event commute with a step that could have been taken instead
 * of it? */
bool context_commutes_instead(struct explorer *, struct move);

#endif
