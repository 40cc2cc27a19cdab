/* Values that only say how long a loop waits before it looks again: see
 * delay.c. */
#ifndef CC_INSTRUMENT_DELAY_H
#define CC_INSTRUMENT_DELAY_H

#include "graph.h"
#include "unit.h"

/* Is the phi of the loop's head such a value? */
bool is_delay(const struct unit *, const struct locals *, const struct graph *,
              const struct graph_loop *, LLVMValueRef phi);

/* An instruction that cannot fail, and touches no memory. */
bool only_computes(LLVMValueRef);
/* A call of which no thread can tell that there was one. */
bool only_waits(const struct unit *, LLVMValueRef call);

#endif
