/* States that are found by their digests, last in, first out.
 *
 * The chains of the hash table are in the elements themselves, newest first, so
 * that to shorten the stack is to unlink the heads of chains.
 */
#ifndef EXPLORE_STATEFUL_STATE_STACK_H
#define EXPLORE_STATEFUL_STATE_STACK_H

#include "core/system.h"
#include "core/trace.h"

/* keep */
struct stacked_state {
  struct digest128 state;
  uint32_t older; /* the next one in its chain, or NOWHERE */
};

/* All zero is an empty stack. */
struct state_stack {
  VEC(struct stacked_state) list;
  VEC(uint32_t) chains; /* a power of two, at least as many as states */
};

void state_stack_push(struct state_stack *, struct digest128);
void state_stack_truncate(struct state_stack *, size_t size);
/* The position of the newest such state, or NOWHERE. */
uint32_t state_stack_find(const struct state_stack *, struct digest128);
void state_stack_free(struct state_stack *);

#endif
