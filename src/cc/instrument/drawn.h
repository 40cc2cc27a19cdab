/* Random numbers that only say how long a loop waits: see drawn.c. */
#ifndef CC_INSTRUMENT_DRAWN_H
#define CC_INSTRUMENT_DRAWN_H

#include "unit.h"

/* Does the call draw a number from what its argument points to? */
bool drawn_draws(LLVMValueRef call);

/* Takes out calls that draw such numbers. */
void drawn_take_out(struct unit *, LLVMValueRef function);

#endif
