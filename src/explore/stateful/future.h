/* All that can follow a state: its future.
 *
 *   live       the bytes that some execution from here reads before it writes
 *              them, or that its outcome shows
 *   accesses   every access of every execution from here, those included for
 *              which a process still waits at the end
 *   moves      what executions from here do but look, FUTURE_ bits
 *
 * A future is collected while the node of the state is explored, from the last
 * step of each execution back to the node: future_before() is the future before
 * a step, given the one after it.
 *
 * Each access has carriers: whatever one of these knows at the state happens
 * before the access, in every execution from here.  A process is a carrier with
 * what happens before its next step, an object with what was released to it.
 * Fewer carriers are always safe, so accesses that differ in nothing else are
 * one, with the carriers that they have in common.
 */
#ifndef EXPLORE_STATEFUL_FUTURE_H
#define EXPLORE_STATEFUL_FUTURE_H

#include "core/trace.h"
#include "explore/stateful/segments.h"

/* keep */
struct live_bytes {
  uint64_t granule;
  uint8_t bytes;
};

/* keep.  The bytes are sorted, without duplicates.  There is a segment for each
 * process that has accesses, in the order of their numbers. */
struct state_future {
  VEC(struct live_bytes) live;
  VEC(uint32_t) segments;
  uint32_t name; /* of these contents (named_futures.h); 0: they have none */
  uint8_t moves;
};

/* What executions do besides looking. */
enum {
  FUTURE_LOCKS = 1, /* lock and unlock */
  FUTURE_WORKS = 2, /* anything else */
};

/* What hands on to what, at the place of an object. */
enum object_kind {
  OBJECT_USUAL,   /* an atomic or a primitive */
  OBJECT_READERS, /* the readers of a read-write lock, to writers */
  OBJECT_BLOCKS,  /* an atomic block that writes, to blocks */
};

/* The objects that are carriers, in the order in which they were met. */
struct object {
  uint64_t granule;
  uint8_t bytes;
  uint8_t kind;
};

enum { OBJECTS_LATEST = 16 };

/* keep */
struct objects {
  VEC(struct object) list;
  uint8_t latest[OBJECTS_LATEST]; /* numbers that were found last, by hashes */
  bool blocks;                    /* some are OBJECT_BLOCKS */
};

/* The number of the object; 64: there is no room for it. */
size_t object_enter(struct objects *, struct object);

/* A step, as far as it changes carriers. */
struct handover {
  uint32_t proc;
  uint64_t awakened; /* processes whose next step it made possible */
  uint64_t ended;    /* processes whose end made it possible */
  uint64_t acquires; /* objects */
  uint64_t releases; /* objects that now have what its process knows ... */
  uint64_t resets;   /* ... and objects that lost what they had */
};

/* More values of future_access.wants. */
enum {
  /* Of a look (STEP_LOOK): before which writes it would pass is not known. */
  WANTS_LOOK = 128,
  /* It waits until events before it make it possible: it has no race. */
  WANTS_EVENTS = 64,
  /* No access: a step that an event of another process made possible
   * (creation, join, signal).  `granule` is the number of that process. */
  WANTS_CAUSE = 65,
};

/* How an access may differ if an event is not before it. */
enum {
  REORDERED_WRITES = 1, /* it may write: compare-and-swap, trylock, look */
  REORDERED_MOVES = 2,  /* the step may touch anything: an atomic block */
  REORDERED_PARTS = 4,  /* it may touch more: a long compare-and-swap */
};

static inline uint64_t carrier_bit(size_t number) {
  return number < 64 ? (uint64_t)1 << number : 0;
}

/* Which carriers does the event change?  `awakened` is not set. */
struct handover handover_of(struct objects *, const struct trace *,
                            const struct event *);

/* Makes the future of the state after the event that of the state before it. */
void future_before(struct segments *, struct state_future *,
                   const struct trace *, const struct event *,
                   const struct handover *);

/* A digest of all in which events differ that change futures in another way. */
struct digest128 future_change(const struct trace *, const struct event *,
                               const struct handover *);

/* keep.  What a process did between two states. */
struct passed_steps {
  uint8_t count;     /* UINT8_MAX: or more */
  uint64_t acquired; /* objects */
};

/* keep.  What lies between two states. */
struct passage {
  struct carriers changed; /* or used: carriers, and processes that moved */
  uint64_t joined;         /* processes whose end was awaited */
  uint64_t ended;          /* processes that will not move again */
  uint64_t moved;          /* these processes, of the first 64 ... */
  struct passed_steps steps[64]; /* ... and what they did */
};

/* The state is one that follows by such events.  What went to an access by way
 * of them need not go there from here.  What the access's own process acquires
 * is still ahead, unless it did so on the way, and so is the join of a process
 * that was not joined on the way.  Accesses of the events themselves are no
 * more to come. */
void future_drop_passed(struct segments *, struct state_future *,
                        const struct passage *);

/* The state is one of a cycle: nothing is known of the order of accesses. */
void future_forget_order(struct segments *, struct state_future *);

void future_add_live(struct state_future *, const struct access *);
/* An access of this process, in a step with these flags (STEP_ bits), of which
 * only the process itself is a carrier. */
void future_add_access(struct segments *, struct state_future *, uint32_t proc,
                       const struct access *, uint8_t flags, uint8_t wants);

/* The next step of the process was made possible by another process. */
void future_add_cause(struct segments *, struct state_future *, uint32_t proc,
                      uint32_t cause);

void future_merge(struct segments *, struct state_future *,
                  const struct live_bytes *, size_t lives,
                  const uint32_t *segments, size_t count, uint8_t moves);
void future_add(struct segments *, struct state_future *to,
                const struct state_future *from);
/* The same, and the contents of `from` are lost. */
void future_move(struct segments *, struct state_future *to,
                 struct state_future *from);
void future_clear(struct state_future *);
void future_free(struct state_future *);

#endif
