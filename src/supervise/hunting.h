/* Hunting for errors while a search is under way.
 *
 * Exhaustive orders find early errors last.  So a search that has taken many
 * steps pauses, and other processes look where errors are found soonest:
 * executions with no, one and two preemptions, and samples.  Then the search
 * goes on where it was.  After an early pause with the quickest two, each pause
 * comes after four times as many steps as the one before, and a hunt takes a
 * quarter of the steps of the search: a check that ends soon does not hunt at
 * all.
 *
 * The search knows nothing of it: its counts and its verdict are what they are
 * without hunting.  All is counted in steps, so a check does the same every
 * time, apart from two limits: on the seconds of all hunts, and on those of a
 * search whose steps are very slow before its first pause. */
#ifndef SUPERVISE_HUNTING_H
#define SUPERVISE_HUNTING_H

#include "supervise/supervise.h"

/* Kinds of hunts. */
enum { HUNTS = 6 };

struct hunter {
  const struct run_request *search;
  double seconds;   /* left for hunting */
  uint64_t due;     /* the steps of the search at which it hunts next */
  unsigned round;   /* pauses with all kinds of hunts */
  bool over[HUNTS]; /* nothing more is to be found in this way */
  /* What was done: */
  uint64_t executions;
  uint64_t steps;
  /* What was found: */
  const char *strategy; /* in words; NULL: nothing */
  struct run run;
  uint64_t searched; /* executions of the search until then */
};

/* Hunts while this search is under way, at most so many seconds. */
void hunter_prepare(struct hunter *, const struct run_request *search,
                    uint64_t seconds);
void hunter_free(struct hunter *);

/* Hunts, if that is due now that the search has these counters, or if it pauses
 * because its steps are slow. */
void hunter_hunt(struct hunter *, const struct counters *, bool slow);

#endif
