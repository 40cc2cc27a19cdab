/* The execution at hand: its events, their order, and its races.
 *
 * Happens-before is kept in vector clocks: clock(e)[p] is the number of events
 * of process p that happen before e (for e's own process: e included).  Two
 * events are dependent if they are of one process, if their footprints overlap
 * in a byte that one of them writes, or if one made the other possible (thread
 * creation, join, signal).  Two updates of one kind (ACCESS_KIND) of the same
 * bytes are independent.
 *
 * All arrays grow at their ends; to backtrack is to shorten them
 * (trace_truncate).
 *
 * A race is a pair of dependent events of two processes with no event between
 * them in happens-before, such that the later one could come first.  For
 * operations that block, "could come first" needs care:
 *
 *   - The acquisition of a lock does not race with the release before it, which
 *     made it possible.  It races with the nearest earlier operation on the
 *     object before which it would have been possible (`offers`): to reverse
 *     the race is to run the later critical section first.  There are several
 *     nearest operations if they only read the object (failed trylocks) and
 *     have no order.
 *   - The read of a spin loop (STEP_AWAIT) waits for a write to bytes that the
 *     loop's last round has read.  It can come before such a write only if
 *     another one is left to wake it.
 *
 * Invariants, checked by trace_check():
 *   T1  positions and indices agree: the event of p with index i is at
 *       processes[p].events[i-1].
 *   T2  clock(e) covers clock(d) whenever d happens before e.
 *   T3  touches of one granule are chained in falling order of position.
 *   T4  the live touches of a granule are a part of that chain.
 *   T5  the two events of a race are of two processes and in happens-before.
 *   T6  the newest write to a granule is live.
 */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/clock.h"
#include "core/event.h"
#include "util/table.h"
#include "util/vec.h"

#define NOWHERE UINT32_MAX

/* keep */
struct event {
  uint32_t proc;
  uint32_t index;    /* which event of its process, from 1 */
  uint32_t clock;    /* of the other processes, in trace.clocks */
  uint32_t previous; /* 1 + position of its process's event before, or 0 */
  uint32_t cause;    /* 1 + position of the event that made it possible, or 0 */
  uint32_t observed; /* 1 + position of the latest write to its first access */
  uint16_t op;
  uint8_t flags;
  uint8_t order;
  uint8_t wants;
  uint8_t offers;
  uint16_t choice;
  uint32_t choices;
  uint32_t round;    /* see struct step */
  uint32_t target;   /* likewise */
  uint32_t accesses; /* their number, and the first in trace.accesses: */
  uint32_t first_access;
  uint32_t first_touch; /* sizes of trace.touches, .races and .clocks before */
  uint32_t first_race;
  uint32_t first_clock;
  uint32_t first_more; /* size of trace.more before: its further causes */
  uint8_t links;   /* its last access is an ACCESS_LINK and comes after those
                      counted in `accesses`: 1, else 0 */
  bool beside;     /* it has no order with an earlier store of its value, or
                      update of its kind */
  bool overwrites; /* every write of it, in any number of places, does not look
                      at the old bytes */
  uint64_t pc;
  uint64_t value;   /* of a store, or the place of a link */
  uint64_t history; /* hash of the event, its choice and all before it */
};

/* keep.  The part of an access that lies in one granule (8 aligned bytes). */
struct touch {
  uint32_t event;
  uint32_t cell;
  uint32_t older;   /* the touch before this one in the granule, or NOWHERE */
  uint32_t matters; /* the same, without touches that this one outdates */
  uint32_t live;    /* the same, without touches that any newer one outdates; it
                       changes, and does not say what was live when this touch
                       was new */
  uint32_t access;
  uint32_t proc; /* of the event */
  uint8_t mask;  /* which of the 8 bytes */
  uint8_t mode;  /* ACCESS_ bits */
};

/* keep.  A touch that was taken out of the chain of live ones. */
struct trace_unlinked {
  uint32_t by;   /* the touch that outdated it */
  uint32_t from; /* the touch whose `live` it was ... */
  uint32_t live; /* ... and its number */
};

enum race_kind {
  RACE_ORDER,  /* `second` could come before `first` */
  RACE_CHOICE, /* `first` could have chosen alternative `second` */
};

/* keep */
struct race {
  uint32_t first;
  uint32_t second;
  uint16_t kind;
  uint16_t look; /* if `second` is a look: what would come of it before `first`
                    (enum look) */
  uint32_t note; /* the algorithm's own; 0 when the race is new */
};

/* What counts as dependent, beyond footprints.  Without any rule the order is
 * the one at the top of this file. */
struct order_rules {
  bool races;    /* find the races of every event */
  bool by_value; /* two stores of one value to the same bytes are independent,
                    atomic ones only unless `synchronise` */
  bool synchronise; /* data races are looked for: it counts which atomic
                       operation, and which block, came before another */
  bool blocks_look; /* with `synchronise`: no write of an atomic block is blind,
                       so that the last block before an access is known */
  bool all_looks;   /* without `races`: trace_before_look() finds every event
                     before which the look would pass */
  const bool *unseen; /* by event: a blind write that no event observes; such
                         writes to one place have no order.  NULL: none.  It
                         belongs to the owner of the trace. */
};

/* Positions in the trace. */
struct positions {
  VEC(uint32_t) list;
  VEC(uint16_t) looks; /* of a look's races, parallel: see race.look */
};

static inline void positions_free(struct positions *p) {
  VEC_FREE(p->list);
  VEC_FREE(p->looks);
}

struct cell {
  uint64_t granule;
  uint32_t newest; /* touch, or NOWHERE */
  uint32_t write;  /* the newest one that writes, or NOWHERE */
};

/* What an event does follows from the history of the event before it in its
 * process, or of the event that created the process: `cause`.  Events with the
 * same cause, in any executions, must have the same `deed`: its place in the
 * code and, unless they depend on the state, the operation and the addresses
 * that it touches. */
struct trace_deed {
  uint64_t cause;
  uint64_t deed;
};

/* What comes of the pending look of a process if its object is as it was before
 * the event at this position? */
struct trace_ask {
  enum look (*look_before)(void *context, uint32_t proc, uint32_t position);
  void *context;
};

struct trace {
  VEC(struct event) events;
  VEC(struct access) accesses;
  VEC(struct touch) touches;
  VEC(struct trace_unlinked) unlinked;
  VEC(struct race) races;
  VEC(uint32_t) more; /* causes of events, besides event.cause */
  struct clocks clocks;
  VEC(struct { VEC(uint32_t) events; }) processes; /* positions, T1 */
  VEC(struct cell) cells;  /* every granule ever touched */
  struct table by_granule; /* finds cells */
  VEC(uint32_t) conflicts; /* touches the newest event conflicts with */
  VEC(uint32_t) links;     /* events that it conflicts with at an ACCESS_LINK */
  bool any_links;          /* since the search began */
  bool exposed; /* by nothing but such a conflict it has an order with one */
  VEC(uint32_t)
  suspects;                /* touches that do not order the newest event, but
                              may be data races with it: stores of its value
                              (by_value), plain accesses before an atomic one */
  VEC(uint32_t) before;    /* scratch: direct predecessors */
  struct positions offers; /* scratch */
  struct trace_deed deed;  /* of the newest event */
  struct positions look;   /* races of the look that comes next, or with
                              rules.all_looks more: see there */
  struct trace_ask ask;
  struct order_rules rules;
  uint32_t unchanged; /* so many events are as at the last trace_mark() */
};

void trace_init(struct trace *, struct order_rules);
void trace_free(struct trace *);

/* Appends the step that process `proc` took. */
void trace_push(struct trace *, uint32_t proc, const struct step *);

/* The cause (see trace_deed) of an event of this process whose predecessor, or
 * creator, is at position `from` - 1; 0: there is none. */
uint64_t trace_cause(const struct trace *, uint32_t proc, uint32_t from);

/* Keeps the first `length` events. */
void trace_truncate(struct trace *, size_t length);

static inline size_t trace_length(const struct trace *t) {
  return t->events.size;
}

/* From now on `unchanged` counts the events that have been there since. */
static inline void trace_mark(struct trace *t) {
  t->unchanged = (uint32_t)t->events.size;
}

/* Checks the invariants of the whole trace. */
void trace_check(const struct trace *);

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

/* The causes of the event at this position besides event.cause, as 1 + position
 * each, and their number. */
static inline const uint32_t *event_more(const struct trace *t,
                                         uint32_t position, uint32_t *count) {
  uint32_t first = t->events.at[position].first_more;
  uint32_t end = position + 1 < t->events.size
                     ? t->events.at[position + 1].first_more
                     : (uint32_t)t->more.size;
  *count = end - first;
  return &t->more.at[first];
}

static inline const struct access *event_access(const struct trace *t,
                                                const struct event *e) {
  return &t->accesses.at[e->first_access];
}

/* Is it one plain or atomic store, whose value is known?  It must be blind: a
 * store whose silence makes a difference is a read as well. */
static inline bool event_stores(const struct trace *t, const struct event *e) {
  return op_stores(e->op) && e->accesses == 1 &&
         event_access(t, e)->size <= 8 &&
         (event_access(t, e)->mode & ACCESS_BLIND);
}

/* Is it a store that is independent of stores of the same value to its bytes?
 * In either order they lead to the same state. */
static inline bool event_by_value(const struct trace *t,
                                  const struct event *e) {
  return t->rules.by_value && event_stores(t, e) &&
         (op_is(e->op, OPCLASS_PLAIN) || !t->rules.synchronise);
}

/* How many events of process p are among the first `length`. */
uint32_t trace_count_before(const struct trace *, uint32_t p, uint32_t length);

/* Before process p takes this step, a look (STEP_LOOK): finds its races, which
 * trace_push() enters. */
void trace_before_look(struct trace *, uint32_t p, const struct step *);

/* The events with which the blocking operation of process p races if it still
 * waits at the end of the trace. */
void trace_pending_races(const struct trace *, uint32_t p, const struct step *,
                         struct positions *);

/* A fingerprint of the Mazurkiewicz trace: the same for executions that differ
 * only in the order of independent events.  The clocks of all events determine
 * the order. */
struct trace_hash {
  uint64_t word[2];
};
struct trace_hash trace_hash(const struct trace *);

/* Removes ACCESS_BLIND where it cannot be used.  It stays on a write if no
 * other access of the footprint touches its bytes, if it is the only such
 * write, and if the step is no block or the rules do not say `blocks_look`.
 * trace_push() does this by itself. */
void trace_footprint(const struct trace *, uint32_t flags, struct access *,
                     uint32_t count);

/* The value of event.overwrites for this step. */
bool trace_overwrites(const struct trace *, const struct step *);

/* The number of a granule, in trace.cells. */
uint32_t trace_cell(struct trace *, uint64_t granule);

/* The newest touch of a granule, or NOWHERE. */
uint32_t trace_newest(const struct trace *, uint64_t granule);

/* ---- bytes ----------------------------------------------------------------
 */

/* Two updates of one kind of the same bytes: they commute. */
static inline bool access_alike(const struct access *a,
                                const struct access *b) {
  return __builtin_expect(a->mode & ACCESS_KIND, 0) &&
         !((a->mode ^ b->mode) & ACCESS_KIND) && a->addr == b->addr &&
         a->size == b->size;
}

static inline bool access_conflict(const struct access *a,
                                   const struct access *b) {
  return ((a->mode | b->mode) & ACCESS_WRITE) && a->addr < b->addr + b->size &&
         b->addr < a->addr + a->size && !access_alike(a, b);
}

/* Two blind writes to the same bytes: they differ at most in their values. */
static inline bool access_rivals(const struct access *a,
                                 const struct access *b) {
  return (a->mode & b->mode & ACCESS_BLIND) && a->addr == b->addr &&
         a->size == b->size;
}

/* A conflict other than that of two rivals. */
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
