/* What a step did.
 *
 * An explorer knows a program only by its events: which process moved, and the
 * event's footprint, the byte ranges it read and wrote.  Mutexes, semaphores,
 * output streams are bytes too: an operation on a mutex writes the first bytes
 * of the mutex.  Dependence is overlap, and nothing else (see trace.c).
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of operation, one list: ops.def. */
enum op {
#define OP(id, name, text) OP_##id,
#include "ops.def"
#undef OP
  OPS
};

/* How bytes were touched. */
enum {
  ACCESS_WRITE = 1,    /* otherwise they were only read */
  ACCESS_ATOMIC = 2,   /* by a C11 atomic or a synchronisation primitive */
  ACCESS_SILENT = 4,   /* a write that left every byte as it was */
  ACCESS_BLIND = 8,    /* a write that did not look at what was there; left out
                          where that is not known: see trace_footprint() */
  ACCESS_EARLIER = 16, /* an await's: read by the loop, not by this step */
};

struct access {
  uint64_t addr;
  uint32_t size; /* in bytes, at least 1 */
  uint32_t mode; /* ACCESS_ bits */
};

/* Properties of an operation that the explorers must know. */
enum {
  STEP_BLOCKING = 1, /* could be disabled by other operations on its object */
  STEP_AWAIT = 2,    /* a spin loop's next read: waits for a write */
  STEP_BLOCK = 4,    /* an atomic block: its footprint depends on the state */
  STEP_CONDITIONAL = 8, /* compare-and-swap, trylock: writes if it succeeds */
};

/* What an object offers: a blocking operation wants one of these, and every
 * operation on the object says which were to be had just before it. */
enum {
  OFFER_ONE = 1,    /* the mutex was free, the semaphore positive, ... */
  OFFER_SHARED = 2, /* the read-write lock had no writer */
  OFFER_SAME = 4,   /* no operation on an object, but it may touch one: there is
                       to be had before it what is after it */
};

/* keep.  What local code touched: see --interfere=locks in core/shadow.h. */
struct datum {
  struct access access;
  uint32_t proc; /* whose code it was: the step's, or its new child's */
  uint64_t pc;
};

/* C11 memory orders, with the values of __ATOMIC_RELAXED to __ATOMIC_SEQ_CST.
 * Synchronisation primitives are acquire and release at once. */

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
                       (thread creation, end of a joined thread, signal), or 0 */
  uint32_t target;  /* of a join: the process that has ended */
  uint32_t accesses;
  const struct access *access;
  uint32_t data; /* accesses of the local code behind the operation that */
  const struct datum *datum; /* order nothing, but may be data races */
  uint64_t pc;    /* where in the program, for reports and comparison */
  uint64_t value; /* of an OP_WRITE or OP_STORE whose only access writes up to
                     8 bytes: what it left there; else 0 */
};

const char *op_name(enum op);

#endif
