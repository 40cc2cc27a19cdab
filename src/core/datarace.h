/* Data races as C11 defines them: two accesses of two threads to one byte, one
 * of them a write, one of them not atomic, neither ordered before the other by
 * *synchronisation*.  Synchronisation is thread creation and join, mutexes and
 * their kin, and atomics according to their memory orders: a relaxed store
 * publishes nothing, although heddle executes it in sequential order.
 *
 * For each event four clocks (see trace.h), most of the time shared with the
 * event before: what its thread is ordered after; what an acquire fence would
 * add (relaxed loads); what the last release fence covered; and what the
 * event's write hands to those who acquire from it.
 */
#ifndef CORE_DATARACE_H
#define CORE_DATARACE_H

#include "core/trace.h"

/* keep.  Clocks in datarace.clocks. */
struct sync_state {
  uint32_t thread;
  uint32_t acquirable;
  uint32_t released;
  uint32_t message;
  uint32_t first_clock; /* where datarace.clocks stood */
};

struct datarace {
  VEC(struct sync_state) states; /* one for each event of the trace */
  struct clocks clocks;
};

void datarace_init(struct datarace *);
void datarace_free(struct datarace *);

/* The trace has a new event.  Calls `report` for every earlier touch that it
 * races with. */
void datarace_push(struct datarace *, const struct trace *,
                   void (*report)(void *, const struct touch *earlier),
                   void *context);
void datarace_truncate(struct datarace *, size_t length);

#endif
