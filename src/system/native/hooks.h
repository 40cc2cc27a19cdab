/* Accesses, for functions of the runtime that do them as compilers would. */
#ifndef NATIVE_HOOKS_H
#define NATIVE_HOOKS_H

#include "native.h"

/* Announces a plain access; the caller then does it. */
void plain_announce(void *addr, size_t size, bool write, uint64_t pc);

/* Announces an OP_LOAD, OP_STORE or OP_RMW; the caller then does it. */
void atomic_announce(void *addr, size_t size, enum op, uint32_t order,
                     uint64_t pc);

/* Announces a compare-and-swap.  True if it swaps: then the caller writes.
 * `orders`: of success, and of failure from bit 8 up. */
bool atomic_swaps(void *addr, const void *expected, size_t size,
                  uint32_t orders, uint64_t pc);

#endif
