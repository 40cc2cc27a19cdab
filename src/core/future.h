/* What may happen yet: every step that was seen since some time, and what is
 * sure to come before it.
 *
 * All executions of a branch that is done are known up to the order of steps
 * that commute: the same steps, touching the same bytes.  So a step is kept by
 * itself: whose it is and its how-many-th, what it touches, when it was last
 * seen, and how much of each process was *firmly* before it whenever it was
 * seen.  Two events are firmly ordered if they conflict and can never commute:
 * no exchange of steps that commute changes that.
 *
 * Steps with the same footprint are one; there are as many as the program has
 * operations and these have places, however long the search.
 */
#ifndef CORE_FUTURE_H
#define CORE_FUTURE_H

#include "core/context.h"
#include "core/trace.h"

/* keep */
struct future_step {
  uint32_t proc;
  uint32_t index;
  uint32_t accesses;
  uint32_t first_access;
  uint64_t value; /* of a store ... */
  bool stores;    /* ... that always stored the same */
  bool last;      /* it waits for all that it conflicts with: no race */
  uint64_t seen;
  uint32_t clock; /* in future.words: so many, then the counts */
  uint32_t next;  /* 1 + the next of this process with this index, or 0 */
};

/* keep.  A granule's steps. */
struct future_link {
  uint32_t step;
  uint32_t next; /* 1 + link, or 0 */
};

/* keep */
struct future {
  const struct context *context;
  struct trace *trace;
  uint64_t now; /* branches begun */
  VEC(struct future_step) steps;
  VEC(struct access) accesses;
  VEC(uint32_t) words;
  VEC(struct { VEC(uint32_t) heads; }) processes; /* 1 + step, by index */
  VEC(uint32_t) cells; /* 1 + link, by the trace's cells */
  VEC(struct future_link) links;
  struct clocks clocks; /* firm ones of the trace's events */
  VEC(struct {
    uint32_t clock;
    uint32_t words;
  })
  firm;
};

void future_init(struct future *, const struct context *, struct trace *);
void future_free(struct future *);

/* The newest event of the trace was taken. */
void future_add(struct future *);
/* A process could not take this step at the end of the trace. */
void future_add_pending(struct future *, uint32_t proc, const struct step *);

/* May a step of another process that was seen since then, after the first
 * `length` events of the trace, conflict with this one without being firmly
 * after it?  `stores`: it stores the value, see trace.by_value. */
bool future_conflicts(struct future *, uint64_t since, uint32_t length,
                      const struct option *, bool stores, uint64_t value);

/* Can one seen since the sleeper's branch was begun, after the trace, race with
 * the event at this position?  Not counting the sleeper itself. */
bool future_races(struct future *, const struct sleeper *, uint32_t position);

/* The same of one seen since then, after the first `length` events, if the
 * event touched these. */
bool future_meets(struct future *, uint64_t since, uint32_t length,
                  uint32_t position, const struct access *, uint32_t accesses);

#endif
