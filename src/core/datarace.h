/* Data races as C11 defines them: two accesses of two threads to one byte, one
 * of them a write, one of them not atomic, neither ordered before the other by
 * *synchronisation*.  Synchronisation is thread creation and join, mutexes and
 * their kin, and atomics according to their memory orders: a relaxed store
 * publishes nothing, although heddle executes it in sequential order.  The
 * rules, one by one: docs/data-races.md.
 *
 * Each event has some clocks (see trace.h), mostly shared with the event before
 * it: the events before its thread; the events that an acquire fence would add
 * (from relaxed loads); those before the last release fence; and those that the
 * event's write hands to an acquire of its value.
 *
 * Updates of one kind (ACCESS_KIND) have no order, so an execution stands for
 * all of their orders.  Such an update therefore acquires nothing from those
 * beside it: what is found ordered is ordered in every one of these executions,
 * and no race is missed.  If an update could have acquired something (`loose`),
 * a race that is found after it may be none in the execution at hand.  It is
 * not reported; the system is asked to order the updates of that place, and the
 * search begins anew.  A read or another write comes after all of them, and
 * acquires from all: each goes on with the release sequences of the others.
 */
#ifndef CORE_DATARACE_H
#define CORE_DATARACE_H

#include "core/shadow.h"
#include "core/trace.h"

/* keep.  Clocks in datarace.clocks. */
struct sync_state {
  uint32_t thread;      /* the events before its thread's next step */
  uint32_t acquirable;  /* what an acquire fence would add */
  uint32_t released;    /* what the last release fence covered */
  uint32_t message;     /* what an acquire of the written value gets */
  uint32_t own;         /* the part of it from release sequences that its own
                           thread heads: only these go on with its stores */
  uint32_t base;        /* of an update of a kind: the message of the last write
                           that is not beside it */
  bool loose;           /* it acquired less than it would have */
  uint32_t readers;     /* of a read-write lock: what its readers hand on, which
                           only writers acquire */
  uint32_t first_clock; /* where datarace.clocks stood */
  uint32_t first_touch; /* and datarace.shadow.touches */
};

/* The updates of this place should have an order. */
typedef void data_race_doubt(void *context, const struct access *);

struct datarace {
  VEC(struct sync_state) states; /* one for each event of the trace */
  struct clocks clocks;
  bool apart; /* data is not in footprints, but in the shadow */
  struct shadow shadow;
  data_race_report *report;
  data_race_doubt *doubt;
  void *context;
};

/* Calls `report` for every race that it finds, or `doubt` where it must know
 * the order of updates to tell. */
void datarace_init(struct datarace *, bool apart, data_race_report *,
                   data_race_doubt *, void *context);
void datarace_free(struct datarace *);

/* The trace has a new event, which is this step. */
void datarace_push(struct datarace *, const struct trace *,
                   const struct step *);
void datarace_truncate(struct datarace *, size_t length);

#endif
