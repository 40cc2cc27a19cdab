/* Values that only say how long a loop waits before it looks again: see
 * delay.c. */
#ifndef CC_INSTRUMENT_DELAY_H
#define CC_INSTRUMENT_DELAY_H

#include "graph.h"
#include "unit.h"

/* Is the phi of the loop's head such a value? */
bool is_delay(const struct graph *, const struct graph_loop *,
              LLVMValueRef phi);

#endif
