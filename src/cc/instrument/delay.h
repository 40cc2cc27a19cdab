/* Values that only say how long a loop waits before it looks again: see
 * delay.c. */
#ifndef CC_INSTRUMENT_DELAY_H
#define CC_INSTRUMENT_DELAY_H

#include "graph.h"
#include "unit.h"

/* Is the phi of the loop's head such a value? */
bool is_delay(const struct unit *, const struct locals *, const struct graph *,
              const struct graph_loop *, LLVMValueRef phi);

/* What is found of such values: those that are computed from them, too. */
enum { DELAY_MOST_VALUES = 48, DELAY_MOST_VARIABLES = 4 };
struct delay {
  const struct unit *unit;
  const struct locals *locals;
  const struct graph *graph;
  const struct graph_loop *loop; /* NULL: all of the function */
  unsigned values, variables;
  LLVMValueRef value[DELAY_MOST_VALUES];
  LLVMValueRef variable[DELAY_MOST_VARIABLES]; /* in memory, with such values */
};
/* False: there are too many. */
bool delay_add_value(struct delay *, LLVMValueRef);
/* The local variable that the pointer leads into. */
bool delay_add_variable(struct delay *, LLVMValueRef pointer);
/* Does the user of such a value only compute, wait, or choose how long? */
bool delay_is_harmless(struct delay *, LLVMValueRef user);

/* An instruction that cannot fail, and touches no memory. */
bool only_computes(LLVMValueRef);
/* A call of which no thread can tell that there was one. */
bool only_waits(const struct unit *, LLVMValueRef call);

#endif
