/* Memory that every round of a loop writes before it reads any: see renewed.c.
 */
#ifndef CC_INSTRUMENT_RENEWED_H
#define CC_INSTRUMENT_RENEWED_H

#include "core/hook.h"
#include "graph.h"
#include "unit.h"

/* Puts the hooks for such memory where the builder stands, at the loop's head.
 * `first`: the instruction there. */
void renewed_hook(struct unit *, const struct graph *,
                  const struct graph_loop *, const struct locals *,
                  LLVMValueRef first);

#endif
