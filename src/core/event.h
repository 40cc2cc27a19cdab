/* What a step did.
 *
 * An explorer knows a program only by its events: the process that moved, and
 * the event's footprint, the byte ranges that it read and wrote.  Mutexes,
 * semaphores and output streams are bytes, too: an operation on a mutex writes
 * the first bytes of the mutex.  Two steps of different processes depend on
 * each other if their footprints overlap in a byte that one writes, unless both
 * are updates of one kind, such as additions (trace.h).
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/op.h"

/* How bytes were touched. */
enum {
  ACCESS_WRITE = 1,    /* else the bytes were only read */
  ACCESS_ATOMIC = 2,   /* by a C11 atomic or a synchronisation primitive */
  ACCESS_SILENT = 4,   /* a write that left every byte as it was */
  ACCESS_BLIND = 8,    /* a write that did not look at the old bytes; not set
                          where that is unknown (see trace_footprint()), or
                          where a loop may be held (STEP_LOOK) */
  ACCESS_EARLIER = 16, /* of an await: read by its loop, not by this step */
  /* A read-modify-write whose result is not used.  Two of one kind lead to the
   * same value in both orders, and nothing else can tell. */
  ACCESS_ADDS = 32, /* or subtracts */
  ACCESS_ANDS = 64,
  ACCESS_ORS = 96,
  ACCESS_XORS = 128,
  ACCESS_KIND = 224, /* the bits of these; 0: none of them */
  /* A write on the way of a step that stands for several operations.  The step
   * may only be one if it has an order with all others that touch the bytes,
   * also without them: see `expose` in system.h. */
  ACCESS_LINK = 256,
  ACCESS_LOOSE = 512, /* ... and, if it is atomic, releases nothing */
};

struct access {
  uint64_t addr;
  uint32_t size; /* in bytes, at least 1 */
  uint32_t mode; /* ACCESS_ bits */
};

/* A link is the last access of its step, which may do without. */
static inline uint32_t accesses_before_link(const struct access *at,
                                            uint32_t count) {
  return count && (at[count - 1].mode & ACCESS_LINK) ? count - 1 : count;
}

/* Properties of an operation that the explorers must know. */
enum {
  STEP_BLOCKING = 1, /* could be disabled by other operations on its object */
  STEP_AWAIT = 2,    /* a spin loop's next read: waits for a write */
  STEP_BLOCK = 4,    /* an atomic block: its footprint depends on the state */
  STEP_CONDITIONAL = 8, /* compare-and-swap, trylock: writes if it succeeds */
  STEP_LOOK = 32, /* the look of a loop that waits: disabled while it would only
                     lead back to where the process was (see look_before in
                     system.h) */
  STEP_SHARED = 16, /* a reader locks or unlocks a read-write lock: two readers
                       do not synchronise with each other */
};

/* What an object offers.  A blocking operation wants one of these; every
 * operation on the object says which ones the object offered just before it. */
enum {
  OFFER_ONE = 1,     /* the mutex was free, the semaphore positive, ... */
  OFFER_SHARED = 2,  /* the read-write lock had no writer */
  OFFER_SAME = 4,    /* not an operation on an object, though it may touch one:
                       the offers before it are those after it */
  OFFER_ROOM = 32,   /* the pipe was not full */
  OFFER_WAITER = 16, /* a thread waited for a signal */
  OFFER_IDLE = 8,    /* no thread held the read-write lock or was announced as a
                       writer */
};

/* So many accesses a look has.  The first one is that of its object. */
enum { MOST_LOOKED = 2 };

/* What comes of a look (STEP_LOOK). */
enum look {
  LOOK_UNKNOWN,
  LOOK_HELD,   /* it would lead back: it is disabled */
  LOOK_READS,  /* it only reads */
  LOOK_WRITES, /* a compare-and-swap that succeeds, ... */
};

/* keep.  An access of local code: see --interfere=locks in core/shadow.h. */
struct datum {
  struct access access;
  uint32_t proc; /* the step's process, or a child that it created */
  uint64_t pc;
};

/* C11 memory orders, with the values of __ATOMIC_RELAXED to __ATOMIC_SEQ_CST.
 * Synchronisation primitives are acquire and release at once. */
static inline bool order_acquires(uint8_t order) {
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE ||
         order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static inline bool order_releases(uint8_t order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

/* What a system reports of one step.  The accesses belong to the system and
 * are valid until its next step. */
struct step {
  uint16_t op;
  uint8_t flags;    /* STEP_ bits */
  uint8_t order;    /* memory order of an atomic operation or fence */
  uint8_t wants;    /* OFFER_ bit that a blocking operation needs */
  uint8_t offers;   /* OFFER_ bits of its object before the step */
  uint16_t choice;  /* the alternative taken ... */
  uint32_t choices; /* ... of so many; 1 where there is no choice */
  uint32_t cause;   /* 1 + position of the step that made this one possible
                       (thread creation, end of a joined thread, signal) or 0 */
  uint32_t signal;  /* 1 + position of the signal that ended a timed wait, or 0:
                       the wait could have ended without it */
  uint32_t target;  /* of a join: the process that has ended */
  uint32_t more;    /* other causes of it, that many ... */
  const uint32_t *causes; /* ... likewise 1 + a position */
  uint32_t round; /* of an await: how many steps, its process's latest, are
                       the round that it waits to repeat */
  uint32_t accesses;
  const struct access *access;
  uint32_t data; /* accesses of the local code behind the operation: they */
  const struct datum *datum; /* order nothing, but may be data races */
  uint32_t hidden; /* operations of that code that could have been steps */
  uint64_t pc;     /* where in the program, for reports and comparison */
  uint64_t value;  /* of an OP_WRITE or OP_STORE whose only access writes up to
                      8 bytes: what it left there; of a step with a link: where
                      in the program that is written; else 0 */
};

#endif
