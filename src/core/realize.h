/* Is there an execution in which these reads observe these writes?
 *
 * Given are a flow, how much of each process is wanted, and one event of it,
 * the last one wanted of its process, that is to observe something else.  All
 * the others are to observe what they did.  What is wanted contains the cone of
 * each of its events, so every event is known, and what is asked for is an
 * order.
 *
 * Order is kept as counts: before[e][p] is the number of events of process p
 * that come before e, or are e.  Processes are chains, so this is reachability,
 * and an edge is added at the price of what it changes.  The order begins with
 * the cones and is *saturated*: if e observes w, and w' writes the same atom,
 *
 *     w before w'  =>  e before w'          w' before e  =>  w' before w
 *
 * until nothing changes, or there is a circle: then there is no such execution.
 * Only what is new is looked at: events that were not wanted before, and those
 * that more has come before since.
 * Otherwise the events are scheduled one by one, nearest to the flow first, and
 * a write waits for those who are still to observe what it overwrites.  If that
 * gets stuck, a write w' and a read e of w are in each other's way, and w' < w
 * or e < w': one is assumed, and the other if that leads to a circle.
 *
 * The paper (section 5) writes these alternatives as clauses of two literals
 * and solves 2-SAT.  Saturation is their unit propagation, with the
 * transitivity of all of the order instead of that of its fixed part.  If the
 * threads communicate along a tree, an assumption that propagates without
 * conflict can be kept for good, as always with 2-SAT: nothing is ever tried
 * twice, and the time is polynomial.  On other graphs the problem is
 * NP-complete (Gibbons and Korach 1997); there the same loop is a search with
 * backtracking, and exact. The paper refines the classes instead, to stay
 * polynomial.  Beyond REALIZE_MOST assumptions the question is given up, and
 * the search is incomplete.
 */
#ifndef CORE_REALIZE_H
#define CORE_REALIZE_H

#include "core/flow.h"

enum { REALIZE_MOST = 100000 };

/* The event that changes, and its items then; their `from` are the flow's. */
struct change {
  uint32_t deed;
  const struct item *items;
  uint32_t count;
};

/* Events that follow each other in a process, by their indices. */
struct stretch {
  uint32_t proc;
  uint32_t first, last;
  bool fresh; /* they were not wanted before */
};

/* keep */
struct realizer {
  const struct flow *flow;
  const uint32_t *wanted; /* by process */
  struct change change;
  uint32_t late_proc;       /* the process of the change */
  VEC(uint32_t) before;     /* by deed and process */
  VEC(uint32_t) saved;      /* a stack of the same */
  VEC(struct stretch) news; /* to be looked at */
  VEC(uint64_t) looked; /* by atom: at which stretch its readers were last */
  uint64_t stretches;
  VEC(uint32_t) open;      /* by item: who is still to observe what it wrote */
  VEC(uint32_t) untouched; /* by atom: who is to observe what was there */
  VEC(uint32_t) last;      /* by atom: 1 + item that wrote last, or 0 */
  VEC(uint32_t) done;      /* by process */
  VEC(uint32_t)
  delayed;                /* deeds that could not come when it was their turn,
                             one of a process, in the order of the flow */
  VEC(uint32_t) schedule; /* the answer: deeds */
  uint32_t left;          /* wanted and not scheduled */
  uint32_t same;          /* so many events come as they did in the flow */
  bool near;
  uint32_t assumed;
  bool given_up; /* too many assumptions, some time */
};

void realizer_free(struct realizer *);

/* An order to begin with: `rows` as realize_rows() gives it for the first
 * `known` events of each process; or the flow's cones and NULL. */
struct start {
  const uint32_t *rows;
  const uint32_t *known;
};

/* In two parts, of which the first finds out most of what is impossible: true
 * if it may be possible; then: true if `schedule` is such an execution, in
 * which, to be near the flow, others than those wanted may take part. */
bool realize_begin(struct realizer *, const struct flow *, struct start,
                   const uint32_t *wanted, const struct change *);
bool realize_end(struct realizer *, bool near);

/* The order of those that are wanted, saturated, in whatever execution they
 * observe what they do here; and of all others in those in which they do, too.
 */
void realize_rows(struct realizer *, const struct flow *,
                  const uint32_t *wanted, uint32_t *rows);

/* The same, where the flow is an execution of what the last question asked for,
 * and the change did there what it was asked to. */
void realize_rows_again(struct realizer *, const struct flow *,
                        const uint32_t *wanted, uint32_t *rows);

#endif
