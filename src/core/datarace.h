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

#include "core/shadow.h"
#include "core/trace.h"

/* keep.  Clocks in datarace.clocks. */
struct sync_state {
  uint32_t thread;
  uint32_t acquirable;
  uint32_t released;
  uint32_t message;
  uint32_t first_clock; /* where datarace.clocks stood */
  uint32_t first_touch; /* and datarace.shadow.touches */
};

/* Two accesses that race: places, the bytes, and whose came later. */
struct data_race {
  uint32_t proc;
  uint64_t pc;
  uint64_t other_pc;
  uint64_t granule;
  uint8_t mask;
  bool other_writes;
};

struct datarace {
  VEC(struct sync_state) states; /* one for each event of the trace */
  struct clocks clocks;
  bool apart; /* data is not in footprints, but in the shadow */
  struct shadow shadow;
  void (*report)(void *, const struct data_race *);
  void *context;
};

/* Calls `report` for every race that it finds. */
void datarace_init(struct datarace *, bool apart,
                   void (*report)(void *, const struct data_race *),
                   void *context);
void datarace_free(struct datarace *);

/* The trace has a new event, which is this step. */
void datarace_push(struct datarace *, const struct trace *,
                   const struct step *);
void datarace_truncate(struct datarace *, size_t length);

#endif
