/* What --verify knows of a step beyond its footprint.
 *
 * Two claims of a step are put to the test: it changes no memory but what it
 * says it writes (undeclared.c), and it does the same whatever lies in memory
 * that it does not say it touches (disturb.c).  Declared is
 *   - its footprint; of an object of the runtime (a mutex, a semaphore) the
 *     footprint names the first bytes, and the rest of the object is meant,
 * too;
 *   - accesses that were no steps of their own (sharing.c): watch_access();
 *   - what the runtime changed in its own state: the undo log names it.
 *
 * A thread's own stack is local state, with the exception of variables that
 * other threads use (lent.c).
 */
#ifndef NATIVE_VERIFY_H
#define NATIVE_VERIFY_H

#include "memory.h"

/* ---- undeclared.c -------------------------------------------------------- */

/* The bytes that the last step declares that it writes; sorted. */
void declared_writes(segment_list *);
/* The bytes that it declares in any way, and those that the runtime has read to
 * announce the next operation; sorted.  Of the step's own thread, or of the
 * threads that it created: their first local code is part of the step. */
void declared_accesses(segment_list *, bool movers);

/* The memory before the last step, range by range; without stacks. */
void witness_visit(memory_visitor *, void *context);

void native_witness(struct system *);
const char *native_undeclared(struct system *);

/* ---- disturb.c ----------------------------------------------------------- */

size_t native_places(struct system *, uint64_t seed);
void native_disturb(struct system *, size_t end);
uint64_t native_place(struct system *, size_t i);

void disturb_begin(struct thread *);
void disturb_end(void);

/* ---- lent.c -------------------------------------------------------------- */

/* The thread uses these bytes, or is about to. */
void lent_use(uint32_t user, const struct access *);
/* After a step: which variables of its thread are gone, what is about to be
 * used. */
void lent_step(const struct record *);
/* Where the last step, or an earlier one of another thread whose variable the
 * last step is the first to use, changed a lent variable without a note in the
 * log; 0: nowhere.  *step becomes 1 + its position. */
uint64_t lent_undeclared(uint32_t *step);
/* The variables that were lent before the last step and still are, or are gone
 * since then; `reused`: also where something else may be in their place now.
 * Sorted. */
void lent_variables(bool reused, segment_list *);

#endif
