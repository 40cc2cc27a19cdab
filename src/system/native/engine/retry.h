/* A read and the compare-and-swap behind it as one step: see retry.c. */
#ifndef SYSTEM_NATIVE_ENGINE_RETRY_H
#define SYSTEM_NATIVE_ENGINE_RETRY_H

#include "engine.h"
#include "own.h"

/* keep: the first head of a loop that a thread comes to in a trial. */
struct arrival {
  bool arrived;
  uint32_t before; /* 1 + the round that began there with the same values, or 0:
                      none of those that the thread remembers */
  struct round round;
  struct renewed renewed; /* what its loop writes anew in every round */
  struct own own; /* what the thread has written since the step at hand began */
};

/* In a trial, after a read of t: can the operation that t is about to do be
 * part of the same step?  Returns what the step then is, or OP_NONE.
 * `carried`: the read's own mark.  May take the read back. */
enum op retry_joins(struct thread *, bool carried);

/* In a trial, after a step of t that only read: does the thread go back,
 * whatever it finds when it reads the place again, as long as that has two
 * values? */
bool retry_waits(struct thread *);

/* The running thread's next operation, in a step of which that is known.
 * False: it is not part of the step. */
bool retry_join(const struct operation *);
bool retry_link(const struct operation *);

#endif
