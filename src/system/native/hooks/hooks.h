/* Announcing accesses, for functions of the runtime that touch memory as
 * instrumented code does. */
#ifndef SYSTEM_NATIVE_HOOKS_HOOKS_H
#define SYSTEM_NATIVE_HOOKS_HOOKS_H

#include "system/native/engine/native.h"

/* Announces a plain access; the caller then does it. */
void plain_announce(void *addr, size_t size, bool write, uint64_t pc);

/* Announces an OP_LOAD, OP_STORE or OP_RMW; the caller then does it. */
void atomic_announce(void *addr, size_t size, enum op, uint32_t order,
                     uint64_t pc);

/* Announces a compare-and-swap.  True if it swaps: then the caller writes.
 * `orders`: of success, and of failure from bit 8 up. */
bool atomic_swaps(void *addr, const void *expected, size_t size,
                  uint32_t orders, uint64_t pc);

/* ---- the program's own memory -------------------------------------------- */

/* Reads and writes data of the program, such as attributes and results, as the
 * program's own code would. */
#define LOOK_AT(place, pc)                                                  \
  (plain_announce((void *)(uintptr_t) & (place), sizeof(place), false, pc), \
   (place))
#define PUT_AT(place, value, pc)                        \
  do {                                                  \
    __typeof__(place) put = (__typeof__(place))(value); \
    plain_announce(&(place), sizeof(place), true, pc);  \
    (place) = put;                                      \
  } while (0)
#define LOOK(place) LOOK_AT(place, CALLER)
#define PUT(place, value) PUT_AT(place, value, CALLER)

#endif
