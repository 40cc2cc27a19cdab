/* A bit for every byte of a thread's stack. */
#ifndef SYSTEM_NATIVE_ENGINE_STACKBITS_H
#define SYSTEM_NATIVE_ENGINE_STACKBITS_H

#include "engine.h"

#define STACKBITS_SIZE (STACK_MOST / 8)

/* All bits are 0.  Memory is used only for parts that are set. */
unsigned char *stackbits_new(void);

/* The part of a range of addresses that lies in the stack. */
struct stackrange {
  uint64_t first, end; /* offsets from the lowest byte that it may have */
};
struct stackrange stackbits_range(const struct thread *, uint64_t addr,
                                  uint64_t size);

/* Is a bit of the range set?  NULL: none is. */
bool stackbits_any(const unsigned char *bits, struct stackrange);
void stackbits_clear(unsigned char *bits);
void stackbits_put(unsigned char *bits, struct stackrange, bool value);

#endif
