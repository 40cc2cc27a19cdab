/* Loads whose value no round of a loop uses. */
#ifndef CC_INSTRUMENT_IDLE_H
#define CC_INSTRUMENT_IDLE_H

#include "graph.h"
#include "unit.h"

/* Marks the atomic loads of the function, whose loops these are.  The hooks at
 * their heads are there. */
void idle_mark(struct unit *, const struct graph *, const struct graph_loops *);
bool idle_is_marked(const struct unit *, LLVMValueRef load);

#endif
