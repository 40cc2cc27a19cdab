/* The execution at hand: its events, what depends on what, and its races.
 *
 * Happens-before is kept in vector clocks: clock(e)[p] is the number of events
 * of process p that happen before e (for e's own process: e included).  Two
 * events are dependent if they are of one process, if their footprints overlap
 * in a byte that one of them writes, or if one made the other possible (thread
 * creation, join, signal).
 *
 * Everything here is an array that grows at the end and is cut off again:
 * trace_truncate() is backtracking.
 *
 * A race is a pair of events of two processes, dependent, with nothing in
 * between in happens-before, such that the later one could come first.  For
 * operations that block, "could come first" needs care:
 *
 *   - A lock acquisition does not race with the release before it, which made
 *     it possible, but with the nearest earlier operation on the same object
 *     before which it would have been possible (`offers`): reversing means
 *     running the later critical section first.  There are several nearest ones
 *     if they only read the object (trylocks that failed) and are unordered.
 *   - A spin loop's read (STEP_AWAIT) waits for a write.  It can come before
 * one of the writes only if another write is left to wake it.
 *
 * Invariants, cited by asserts:
 *   T1  positions and indices agree: events of p are at process[p].at[index-1].
 *   T2  clock(e) covers clock(d) whenever d happens before e.
 *   T3  touches of one granule are chained in falling order of position.
 */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/event.h"
#include "util/vec.h"

#define NOWHERE UINT32_MAX

/* keep */
struct event {
  uint32_t proc;
  uint32_t index;    /* which event of its process, from 1 */
  uint32_t clock;    /* of the other processes, in trace.clocks */
  uint32_t previous; /* 1 + position of its process's event before, or 0 */
  uint32_t cause;    /* 1 + position of what made it possible, or 0 */
  uint32_t observed; /* 1 + position of the latest write to its first access */
  uint16_t op;
  uint8_t flags;
  uint8_t order;
  uint8_t wants;
  uint8_t offers;
  uint16_t choice;
  uint32_t choices;
  uint32_t accesses; /* how many, and where the first is: */
  uint32_t first_access;
  uint32_t first_touch; /* where trace.touches, .races and .clocks stood */
  uint32_t first_race;
  uint32_t first_clock;
  bool beside;     /* it is not ordered with an earlier store of its value */
  bool overwrites; /* all that it writes it writes without looking, in however
                      many places */
  uint64_t pc;
  uint64_t value;   /* of a store */
  uint64_t history; /* hash of it, with its choice, and of all before it */
};

/* keep.  An access as its granule (8 aligned bytes) sees it. */
struct touch {
  uint32_t event;
  uint32_t cell;
  uint32_t older;   /* the touch before this one in the granule, or NOWHERE */
  uint32_t matters; /* the same, without reads that a later one outdates */
  uint32_t access;
  uint8_t mask; /* which of the 8 bytes */
  uint8_t mode; /* ACCESS_ bits */
};

enum race_kind {
  RACE_ORDER,  /* `second` could come before `first` */
  RACE_CHOICE, /* `first` could have chosen alternative `second` */
};

/* keep */
struct race {
  uint32_t first;
  uint32_t second;
  uint32_t kind;
  uint32_t settled; /* for the algorithm: see optimal.c */
};

/* Positions in the trace. */
struct positions {
  VEC(uint32_t) list;
};

struct cell {
  uint64_t granule;
  uint32_t newest; /* touch, or NOWHERE */
};

/* What an event does follows from the history of the one before it in its
 * process, or of what created the process: `cause`.  In whatever execution an
 * event has the same cause, it must have the same `deed`: the operation, its
 * place and, unless they depend on the state, the addresses that it touches. */
struct trace_deed {
  uint64_t cause;
  uint64_t deed;
};

struct trace {
  VEC(struct event) events;
  VEC(struct access) accesses;
  VEC(struct touch) touches;
  VEC(struct race) races;
  struct clocks clocks;
  VEC(struct { VEC(uint32_t) events; }) processes; /* positions, T1 */
  VEC(struct cell) cells; /* every granule ever touched */
  uint32_t *buckets;      /* hash table of 1 + cell index */
  size_t bucket_count;
  VEC(uint32_t) conflicts; /* touches the newest event conflicts with */
  VEC(uint32_t) before;    /* scratch: direct predecessors */
  struct positions offers; /* scratch */
  struct trace_deed deed;  /* of the newest event */
  const bool *unseen;      /* by event: see settle.h; NULL: there are none */
  uint32_t shortest;       /* least length since the algorithm last set it */
  bool wants_races;        /* false: clocks and races are not needed */
  bool by_value; /* two stores of one value to the same bytes are independent */
  bool orders_atomics; /* ... but for atomic ones: who synchronised counts */
  bool blocks_look; /* atomic blocks are never blind: data races are looked for,
                       and which block is the last before an access counts */
};

void trace_init(struct trace *, bool wants_races);
void trace_free(struct trace *);

/* Appends the step that process `proc` took. */
void trace_push(struct trace *, uint32_t proc, const struct step *);

/* The cause (see trace_deed) of an event of this process that follows the one
 * at position `from` - 1; 0: it is the first of all. */
uint64_t trace_cause(const struct trace *, uint32_t proc, uint32_t from);

/* Keeps the first `length` events. */
void trace_truncate(struct trace *, size_t length);

static inline size_t trace_length(const struct trace *t) {
  return t->events.size;
}

/* How many events of process p happen before e, or are e. */
static inline uint32_t events_before(const struct trace *t,
                                     const struct event *e, uint32_t p) {
  return p == e->proc ? e->index : clock_get(&t->clocks, e->clock, p);
}

/* Does a happen before b, or is it b? */
static inline bool happens_before(const struct trace *t, const struct event *a,
                                  const struct event *b) {
  return events_before(t, b, a->proc) >= a->index;
}

/* The events of process p so far. */
static inline uint32_t process_length(const struct trace *t, uint32_t p) {
  return p < t->processes.size ? (uint32_t)t->processes.at[p].events.size : 0;
}

/* Position of the event of p with this index (from 1), which exists. */
static inline uint32_t process_event(const struct trace *t, uint32_t p,
                                     uint32_t index) {
  return t->processes.at[p].events.at[index - 1];
}

static inline const struct access *event_access(const struct trace *t,
                                                const struct event *e) {
  return &t->accesses.at[e->first_access];
}

/* Is it one plain or atomic store, whose value is known? */
static inline bool event_stores(const struct trace *t, const struct event *e) {
  return (e->op == OP_WRITE || e->op == OP_STORE) && e->accesses == 1 &&
         event_access(t, e)->size <= 8;
}

/* Is it a store that is independent of others that store the same there?  They
 * lead to the same in either order, in every state. */
static inline bool event_by_value(const struct trace *t,
                                  const struct event *e) {
  return t->by_value && event_stores(t, e) &&
         (e->op == OP_WRITE || !t->orders_atomics);
}

/* How many events of process p are among the first `length`. */
uint32_t trace_count_before(const struct trace *, uint32_t p, uint32_t length);

/* With whom the blocking operation of process p races if it is still waiting
 * at the end of the trace. */
void trace_pending_races(const struct trace *, uint32_t p, const struct step *,
                         struct positions *);

/* A fingerprint of the Mazurkiewicz trace: the same for executions that differ
 * only in the order of independent events.  What happens before each event says
 * all about the order. */
struct trace_hash {
  uint64_t word[2];
};
struct trace_hash trace_hash(const struct trace *);

/* Leaves ACCESS_BLIND where it means something: on a write of which nothing
 * else in the footprint touches a byte, if it is the only one, and in a block
 * only unless `blocks_look`.  The trace does so itself with what it is given.
 */
void trace_footprint(const struct trace *, uint32_t flags, struct access *,
                     uint32_t count);

/* What event.overwrites will be. */
bool trace_overwrites(const struct trace *, const struct step *);

/* The number of a granule, in trace.cells. */
uint32_t trace_cell(struct trace *, uint64_t granule);

/* The newest touch of a granule, or NOWHERE. */
uint32_t trace_newest(const struct trace *, uint64_t granule);

/* ---- bytes ----------------------------------------------------------------
 */

static inline bool access_conflict(const struct access *a,
                                   const struct access *b) {
  return ((a->mode | b->mode) & ACCESS_WRITE) && a->addr < b->addr + b->size &&
         b->addr < a->addr + a->size;
}

/* Two blind writes that differ at most in what they leave behind. */
static inline bool access_rivals(const struct access *a,
                                 const struct access *b) {
  return (a->mode & b->mode & ACCESS_BLIND) && a->addr == b->addr &&
         a->size == b->size;
}

/* Conflicts other than those of rivals. */
static inline bool footprint_conflict_firm(const struct access *a, uint32_t as,
                                           const struct access *b,
                                           uint32_t bs) {
  for (uint32_t i = 0; i < as; i++)
    for (uint32_t j = 0; j < bs; j++)
      if (access_conflict(&a[i], &b[j]) && !access_rivals(&a[i], &b[j]))
        return true;
  return false;
}

static inline bool footprint_conflict(const struct access *a, uint32_t as,
                                      const struct access *b, uint32_t bs) {
  for (uint32_t i = 0; i < as; i++)
    for (uint32_t j = 0; j < bs; j++)
      if (access_conflict(&a[i], &b[j]))
        return true;
  return false;
}

/* The bytes of an access that lie in one granule. */
static inline uint8_t access_mask(const struct access *a, uint64_t granule) {
  uint64_t start = granule << 3, end = a->addr + a->size;
  unsigned low = a->addr > start ? (unsigned)(a->addr - start) : 0;
  unsigned high = end < start + 8 ? (unsigned)(end - start) : 8;
  return (uint8_t)((0xffu << low) & (0xffu >> (8 - high)));
}

static inline uint64_t access_first_granule(const struct access *a) {
  return a->addr >> 3;
}

static inline uint64_t access_last_granule(const struct access *a) {
  return (a->addr + a->size - 1) >> 3;
}

#endif
