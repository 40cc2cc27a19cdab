/* Times that only make a deadline: see deadline.c. */
#ifndef CC_INSTRUMENT_DEADLINE_H
#define CC_INSTRUMENT_DEADLINE_H

#include "graph.h"
#include "unit.h"

/* Does the call ask the library for the time? */
bool deadline_tells_time(LLVMValueRef call);

/* Puts a hook before each such call of which the time only makes a deadline. */
void deadline_mark(struct unit *, const struct graph *, const struct locals *);

#endif
