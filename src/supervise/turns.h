/* A search, and one that stores states, in turn.
 *
 * `optimal` runs one execution for each trace, `stateful` explores no state
 * twice.  Where there are far more traces than states only the second one ends;
 * where most traces are states of their own it does more work.  Which of the
 * two a program is cannot be told beforehand.  So a long search pauses and lets
 * the other one go on for a while, again and again: the first one to end has
 * the result.
 *
 * A turn ends when the other search has taken so many steps in all that both
 * have done about the same work.  Between its turns its process rests: nothing
 * is explored twice.  All is counted in steps, so a check does the same every
 * time.
 *
 * A search that has ended without a result, because it stopped threads in loops
 * without end, is followed by such a turn, too: states may come again where
 * executions go on for ever. */
#ifndef SUPERVISE_TURNS_H
#define SUPERVISE_TURNS_H

#include "supervise/checked_program.h"
#include "supervise/supervise.h"

#define TURNS_ALGORITHM "stateful"

struct turns {
  const struct run_request *search;
  const struct checked_program *program;     /* that the search explores, ... */
  const struct checked_program_words *words; /* ... and how it was built */
  uint64_t due; /* the steps of the search at which the other is to move */
  /* The other search: */
  struct checked_program built; /* its program */
  struct run_request request;
  struct child *child; /* NULL: it has not begun, or is over */
  struct run run;
  bool won;      /* it has the result, which is `run` */
  bool followed; /* the search had ended before: see turns_follow() */
  /* Of the search, until the other one had won: */
  struct counters searched;
};

/* Takes turns with this search; not, if the words are NULL. */
void turns_prepare(struct turns *, const struct run_request *search,
                   const struct checked_program *,
                   const struct checked_program_words *);
void turns_free(struct turns *);

/* Lets the other search go on, if that is due now that the search has these
 * counters. */
void turns_take(struct turns *, const struct counters *);

/* The search has ended.  The other one goes on for a while if this one has only
 * stopped at loops without end; its time is added to that of this run.  False:
 * it did not. */
bool turns_follow(struct turns *, struct run *);

/* The steps that the other search has taken. */
uint64_t turns_steps(const struct turns *);

#endif
