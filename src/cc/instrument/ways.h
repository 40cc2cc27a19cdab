/* Where a thread can go from here, and what it uses of a value on the way. */
#ifndef CC_INSTRUMENT_WAYS_H
#define CC_INSTRUMENT_WAYS_H

#include "unit.h"

/* The compare-and-swap fails.  Does the value that it found show nowhere but in
 * the values of the next round, and in memory? */
bool ways_carry_failure(const struct locals *, LLVMValueRef swap);

/* Is the phi, at the head of a loop, never used by a thread that comes by? */
bool ways_ignore_phi(LLVMValueRef phi);

#endif
