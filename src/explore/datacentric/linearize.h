/* Is there an execution in which these reads observe these writes?
 *
 * Given are a run, the number of events of each process that are wanted, and
 * the *change*: one event, the last wanted one of its process, that is to
 * observe something else.  All other events are to observe what they did.  The
 * wanted events contain the cone of each of them, so every event is known.  The
 * question is whether they have an order.
 *
 * An order is kept as counts: before[e][p] is the number of events of process p
 * that come before e, or are e.  Processes are chains, so this is reachability,
 * and adding an edge costs as much as it changes.  The order begins with the
 * cones and is *saturated*: if e observes w, and w' writes the same atom,
 *
 *     w before w'  =>  e before w'          w' before e  =>  w' before w
 *
 * until nothing changes, or there is a cycle: then there is no such execution.
 * Only what is new is looked at: events that were not wanted before, and events
 * that have more before them than before.
 *
 * Otherwise the events are scheduled one by one, as near to the run as
 * possible.  A write waits for the events that are still to observe what it
 * overwrites.  If no event can be scheduled, a write w' and a read e of w are
 * in each other's way, and w' < w or e < w': one is assumed, and the other if
 * that leads to a cycle.
 *
 * The paper (section 5) writes these alternatives as clauses of two literals
 * and solves 2-SAT. Saturation is their unit propagation, with the
 * transitivity of the whole order instead of that of its fixed part.  If the
 * threads communicate along a tree, an assumption that propagates without
 * conflict can be kept for good, as always with 2-SAT: nothing is tried twice,
 * and the time is polynomial.  On other graphs the problem is NP-complete
 * (Gibbons and Korach 1997).  There the same loop is a search with
 * backtracking, and exact.  The paper refines the classes instead, to stay
 * polynomial.  After LINEARIZE_MOST assumptions the question is given up, and
 * the search is incomplete.
 */
#ifndef EXPLORE_DATACENTRIC_LINEARIZE_H
#define EXPLORE_DATACENTRIC_LINEARIZE_H

#include "explore/datacentric/reads_from.h"

enum { LINEARIZE_MOST = 100000 };

/* The event that changes, and its items then.  Their `from` are items of the
 * run. */
struct linearize_change {
  uint32_t event;
  const struct rf_item *items;
  uint32_t count;
};

/* Consecutive events of a process, by their indices. */
struct linearize_stretch {
  uint32_t proc;
  uint32_t first, last;
  bool fresh; /* they were not wanted before */
};

/* keep */
struct linearizer {
  const struct reads_from *run;
  const uint32_t *wanted; /* by process */
  struct linearize_change change;
  uint32_t changed_proc;                     /* the process of the change */
  VEC(uint32_t) before;                      /* by event and process */
  VEC(uint32_t) saved;                       /* a stack of the same */
  VEC(struct linearize_stretch) to_saturate; /* stretches to be looked at */
  VEC(uint64_t)
  looked; /* by atom: the stretch at which its readers were last looked at */
  uint64_t stretches;
  VEC(uint32_t)
  open; /* by item: how many events are still to observe its write */
  VEC(uint32_t)
  untouched; /* by atom: how many events are to observe its initial content */
  VEC(uint32_t) last; /* by atom: 1 + item that wrote last, or 0 */
  VEC(uint32_t) done; /* by process */
  VEC(uint32_t)
  delayed; /* events that could not be scheduled at their turn, at most one of a
              process, in the order of the run */
  VEC(uint32_t) schedule; /* the answer: events */
  uint32_t left;          /* wanted and not scheduled */
  uint32_t same;          /* so many events are scheduled as in the run */
  bool near;
  uint32_t assumed;
  bool given_up; /* a question took too many assumptions */
};

void linearizer_free(struct linearizer *);

/* An order to begin with: `rows` as linearize_rows() gives it for the first
 * `known` events of each process; or the run's cones and NULL. */
struct linearize_start {
  const uint32_t *rows;
  const uint32_t *known;
};

/* Asks the question in two parts.  The first one finds most impossible cases;
 * true if it may be possible.  The second one: true if `schedule` is such an
 * execution.  If `near`, events that are not wanted may be in it, to keep it
 * near the run. */
bool linearize_begin(struct linearizer *, const struct reads_from *,
                     struct linearize_start, const uint32_t *wanted,
                     const struct linearize_change *);
bool linearize_end(struct linearizer *, bool near);

/* Checks the schedule that was found: all that is wanted is in it, in the order
 * of each process, and observes what it is to observe. */
void linearize_check(const struct linearizer *);

/* The saturated order of the wanted events, in all executions in which they
 * observe what they do here.  The rows of the other events hold where these
 * observe what they do here, too. */
void linearize_rows(struct linearizer *, const struct reads_from *,
                    const uint32_t *wanted, uint32_t *rows);

/* The same, if the run is an execution that the last question asked for, and
 * the change did there what it was asked to. */
void linearize_rows_again(struct linearizer *, const struct reads_from *,
                          const uint32_t *wanted, uint32_t *rows);

#endif
