/* Seen steps: the steps that may come yet, and what is sure to come before
 * each.
 *
 * All executions of an explored branch are known up to the order of steps that
 * commute: the same steps, touching the same bytes.  So each step is kept by
 * itself: its process, its index there, its footprint, when it was last seen,
 * and how many events of each process came *firmly* before it whenever it was
 * seen.  Two events are firmly ordered if they conflict and can never commute:
 * no exchange of commuting steps changes their order.
 *
 * Steps with the same footprint are one.  Their number is that of the program's
 * operations times the places that each of them touches, however long the
 * search.
 *
 * Invariants:
 *   K1  a list of `processes` has the steps of one process with one index, no
 *       two of them with the same footprint.
 *   K2  a row is in falling order of index.
 *   K3  a step is in the row of every granule that it touches.
 */
#ifndef EXPLORE_CONTEXT_SEEN_STEPS_H
#define EXPLORE_CONTEXT_SEEN_STEPS_H

#include "explore/context/commute.h"
#include "core/trace.h"

/* keep */
struct seen_step {
  uint32_t proc;
  uint32_t index;
  uint32_t accesses;
  uint32_t first_access;
  uint64_t value;     /* of a store, ... */
  bool stores;        /* ... if every time it was seen it stored the same */
  bool waits_for_all; /* it waits for every step that it conflicts with: no race
                       */
  uint64_t last_seen;
  uint32_t clock; /* in seen_steps.words: a length, then the counts */
  uint32_t next;  /* 1 + the next of this process with this index, or 0 */
};

/* keep.  The steps of one process that write to a granule, or those that only
 * read there.  A question mostly concerns few rows, and in each only the steps
 * that are yet to come. */
struct seen_row {
  uint32_t proc;
  bool writes;
  uint32_t first;  /* 1 + link */
  uint32_t answer; /* 1 + the step that answered last, or 0 */
  uint32_t next;   /* 1 + the granule's next row, or 0 */
};

/* keep.  A row is in falling order of index. */
struct seen_link {
  uint32_t step;
  uint32_t next; /* 1 + link, or 0 */
};

/* keep */
struct seen_steps {
  const struct commute_cache *commute;
  struct trace *trace;
  uint64_t now; /* branches begun */
  VEC(struct seen_step) steps;
  VEC(struct access) accesses;
  VEC(uint32_t) words;
  VEC(struct { VEC(uint32_t) heads; }) processes; /* 1 + step, by index */
  VEC(uint32_t) cells; /* 1 + row, by the trace's cells */
  VEC(struct seen_row) rows;
  VEC(struct seen_link) links;
  struct clocks clocks; /* of the trace's events, in the firm order */
  VEC(struct {
    uint32_t clock;
    uint32_t words;
  })
  firm;
};

void seen_init(struct seen_steps *, const struct commute_cache *,
               struct trace *);
void seen_free(struct seen_steps *);

/* Checks the invariants. */
void seen_check(struct seen_steps *);

/* The newest event of the trace was taken. */
void seen_add(struct seen_steps *);
/* The process waits with this step at the end of the trace. */
void seen_add_pending(struct seen_steps *, uint32_t proc, const struct step *);

/* May a step of another process, seen since then, come after the first `length`
 * events of the trace and conflict with this step, without being firmly after
 * it?  `stores`: the step stores the value, see order_rules.by_value. */
bool seen_conflicts(struct seen_steps *, uint64_t since, uint32_t length,
                    const struct option *, bool stores, uint64_t value);

/* May a step seen since the sleeper's branch was begun, other than the sleeper,
 * come after the trace and race with the event at this position? */
bool seen_races(struct seen_steps *, const struct sleeper *, uint32_t position);

/* The same for steps seen since then that come after the first `length` events,
 * if the event had this footprint. */
bool seen_meets(struct seen_steps *, uint64_t since, uint32_t length,
                uint32_t position, const struct access *, uint32_t accesses);

#endif
