/* The smallest schedule that leads to an error. */
#ifndef SUPERVISE_MINIMIZE_H
#define SUPERVISE_MINIMIZE_H

#include "supervise/evidence.h"

/* What may be spent on the findings of one check. */
struct minimizer {
  struct evidence *evidence;
  uint64_t steps;  /* left for searches; the same on every machine */
  double deadline; /* the clock's answer to machines that are slow */
};

void minimizer_open(struct minimizer *, struct evidence *, uint64_t seconds,
                    size_t errors);

/* A schedule for the finding with fewer preemptions, or as many and fewer
 * steps.  False: none was found.  Its moves are to be freed; it is not yet
 * confirmed by a run of its own. */
bool minimize(struct minimizer *, const struct run *,
              const struct run_finding *, struct run_finding *smaller);

#endif
