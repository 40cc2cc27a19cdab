/* All states that a model program can reach.
 *
 * For programs with loops that wait: such a loop may go round for ever, and
 * then there are infinitely many executions, but not infinitely many states.
 * Nothing is left out here, no look is held, and no code is shared with the
 * explorers.  The price is that states say nothing about traces.
 */
#ifndef FUZZ_MODEL_STATES_H
#define FUZZ_MODEL_STATES_H

#include "judge.h"

/* keep.  The sets are those of struct judgement. */
struct reached {
  bool complete; /* within the limit */
  key_set outcomes;
  key_set failures;
  key_set racy; /* places of data races, if the program has data */
  bool stuck;   /* from some state on, no process writes or ends any more */
};

struct states;

struct states *states_new(void);
void states_free(struct states *);
/* Of at most so many states.  Valid until the next run.  The model is left at
 * its start. */
const struct reached *states_run(struct states *, struct model *,
                                 const struct program *, uint64_t most);

#endif
