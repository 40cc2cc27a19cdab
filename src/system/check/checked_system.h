/* The verifying wrapper: a system around a system that checks its claims.
 *
 * An explorer believes its system.  The wrapper does not: it asks twice, takes
 * steps back and takes them again, runs whole prefixes again, and takes steps
 * that should be independent in both orders.  It returns to the explorer what
 * the inner system returned, so that the search is the same, only slower.
 *
 * If the same moves give a different result, that is a finding of kind
 * nondeterminism, and the search ends.  A violation that can only be our own
 * mistake (steps that do not commute, questions that change the state) ends the
 * process like a failed ensure(): exit code 70, with the schedule.
 *
 * The claims, cited in the files of this folder and in their messages:
 *   C1  enabled() and pending() change nothing.
 *   C2  a step is the one that was pending.
 *   C3  undo() restores the state, exactly.
 *   C4  the same moves give the same steps and lead to the same state.
 *   C5  steps of two processes whose footprints do not conflict, and of which
 *       none is the cause of the other, commute: each is possible before and
 *       after the other, does the same, and both orders lead to one state.
 *   C6  ending() changes nothing and is asked only when nothing is enabled.
 *   C7  changes() says the same of two runs from one state if and only if they
 *       led to one state.  (Here: two steps in both orders.)
 *   C8  what may_touch() denies does not happen.
 *   C9  a step changes no shared memory but what it says it writes.
 *   C10 a step does the same, and leads to the same state, whatever lies in
 *       memory that it does not say it reads or writes.
 */
#ifndef SYSTEM_CHECK_CHECKED_SYSTEM_H
#define SYSTEM_CHECK_CHECKED_SYSTEM_H

#include "core/system.h"

struct check;

/* How often each kind of check was made. */
struct check_totals {
  uint64_t steps;        /* the explorer's */
  uint64_t retaken;      /* steps taken back and taken again (C3, C4) */
  uint64_t known;        /* steps compared with an earlier visit (C4) */
  uint64_t replayed;     /* executions run again from the start (C4) */
  uint64_t reordered;    /* independent steps taken in both orders (C5) */
  uint64_t compared;     /* two steps taken in both orders (C7) ... */
  uint64_t met;          /* ... that led to states with one fingerprint ... */
  uint64_t seen_to_meet; /* ... and with the same changes */
  uint64_t left_be;      /* answers of may_touch() put to the test (C8) */
  uint64_t disturbed; /* steps taken again with other bytes elsewhere (C10) */
};

/* The inner system must be in its initial state.  Without `thorough` states are
 * not compared and steps not reordered (C3, C5): a program may be allowed to
 * change memory that cannot be undone, and from steps that the explorer has not
 * taken a system learns (which thread uses which bytes) in another order. */
struct check *check_new(struct system *inner, bool thorough);
void check_free(struct check *);
struct system *check_system(struct check *);

/* The violation found, or NULL. */
const struct finding *check_violation(const struct check *);
struct check_totals check_totals(const struct check *);

/* True in the hostile build: every program is run in the wrapper. */
bool check_always(void);

#endif
