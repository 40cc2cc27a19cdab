/* What rounds in vain leave in memory of their thread: see leftover.c. */
#ifndef SYSTEM_NATIVE_ENGINE_LEFTOVER_H
#define SYSTEM_NATIVE_ENGINE_LEFTOVER_H

#include "engine.h"

/* A round of the loop at `pc` has left other bytes here than there were.  Will
 * the thread write them before it reads them, as far as is known? */
bool leftover_is_dead(const struct thread *, uint64_t pc, const char *at,
                      size_t size);
/* The same, if nothing is known yet. */
bool leftover_may_be_dead(const struct thread *, uint64_t pc, const char *at,
                          size_t size);
/* From now on that is watched. */
void leftover_watch(const struct thread *, uint64_t pc, const char *at,
                    size_t size);

/* The running thread comes to the head of this loop. */
void leftover_begin(uint64_t pc);

/* What the operation of the step at hand touches comes before all that its
 * thread does now. */
void leftover_settle(void);

/* How many places are watched. */
extern size_t leftover_count;
/* A thread touches these bytes, as this user. */
void leftover_touched(uint64_t addr, uint64_t size, bool write, uint32_t user);
static inline void leftover_touch(uint64_t addr, uint64_t size, bool write,
                                  uint32_t user) {
  if (unlikely(leftover_count))
    leftover_touched(addr, size, write, user);
}

/* Does the byte at addr say what is known of such a place? */
bool leftover_keeps(const void *addr);

#endif
