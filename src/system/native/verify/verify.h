/* What --verify knows of a step beyond its footprint.
 *
 * Two claims about a step are tested: it changes only memory that it declares
 * to write (undeclared.c), and it does the same whatever lies in memory that it
 * does not declare (disturb.c).  A step declares
 *   - its footprint; of an object of the runtime (a mutex, a semaphore) the
 *     footprint names the first bytes, and means the rest of the object, too;
 *   - its hidden accesses (sharing.c): watch_access();
 *   - the runtime's changes of its own state, which the undo log has.
 *
 * A thread's own stack is local state, with the exception of variables that
 * other threads use (lent.c).
 */
#ifndef SYSTEM_NATIVE_VERIFY_VERIFY_H
#define SYSTEM_NATIVE_VERIFY_VERIFY_H

#include "memory.h"

/* ---- undeclared.c -------------------------------------------------------- */

/* The bytes that the last step declares to write; sorted. */
void declared_writes(segment_list *);
/* The bytes that it declares to read or write, and those that the runtime has
 * read to announce the next operation; sorted.  `movers`: those of the step's
 * own thread; else those of threads that it created, whose first local code is
 * part of the step. */
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
/* After a step: finds the variables of its thread that have ended, and loans by
 * pending operations. */
void lent_step(const struct record *);
/* The address of a lent variable's byte that its owner changed without a note
 * in the log; 0: there is none.  Looks at the last step, and for a variable
 * that the last step is the first to use, at earlier steps of the owner.  *step
 * becomes 1 + the position of the step found. */
uint64_t lent_undeclared(uint32_t *step);
/* The running thread's local variable ends. */
void lent_end(const void *addr, size_t size);
/* The variables that were lent before the last step and still are, or ended in
 * it.  `reused`: also those whose place another variable may have taken.
 * Sorted. */
void lent_variables(bool reused, segment_list *);

#endif
