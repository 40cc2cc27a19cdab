/* Kinds of operation and their properties, from one list: ops.def.
 *
 * A new operation is a new row there.  Every property is a column, so that
 * nothing about it can be forgotten; code that asks for a property calls one of
 * the functions below and does not list operations itself.
 */
#ifndef CORE_OP_H
#define CORE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum op {
#define OP(id, ...) OP_##id,
#include "ops.def"
#undef OP
  OPS
};

/* One bit each, so that a set of classes is a sum. */
enum op_class {
  OPCLASS_CONTROL = 1,    /* touches nothing: starts, choices, assumptions */
  OPCLASS_PLAIN = 2,      /* a plain access to one place */
  OPCLASS_ATOMIC = 4,     /* an atomic access to one place */
  OPCLASS_FENCE = 8,      /* an atomic fence */
  OPCLASS_BULK = 16,      /* plain accesses to ranges of bytes */
  OPCLASS_LIFETIME = 32,  /* the end of memory: no access after it */
  OPCLASS_COMPOUND = 64,  /* any number of operations as one step */
  OPCLASS_THREAD = 128,   /* creates or joins a thread */
  OPCLASS_OBJECT = 256,   /* on a mutex, semaphore, ... */
  OPCLASS_LIBRARY = 512,  /* on state of the C library */
  OPCLASS_PROCESS = 1024, /* on the list of exit handlers, and the exit */
  OPCLASS_ACTOR = 2048,   /* messages of actors, apart from their tasks */
};

enum op_access {
  OPACCESS_READS,
  OPACCESS_WRITES,
  OPACCESS_UPDATES,
  OPACCESS_EACH
};

enum op_order {
  OPORDER_NEITHER,
  OPORDER_ACQUIRES,
  OPORDER_RELEASES,
  OPORDER_BOTH
};

enum op_target { OPTARGET_NONE, OPTARGET_THREAD, OPTARGET_CHOICE };

struct op_row {
  uint16_t class; /* enum op_class */
  uint8_t access; /* enum op_access */
  uint8_t order;  /* enum op_order */
  uint8_t target; /* enum op_target */
  bool offers;
  bool repeats;
  bool varies;
  const char *name;  /* in JSON */
  const char *words; /* in a schedule */
  const char *waits; /* of a process that waits for it; NULL: it never does */
};

extern const struct op_row op_table[OPS];

static inline const char *op_name(enum op op) {
  return op_table[op].name;
}

static inline bool op_is(enum op op, unsigned classes) {
  return op_table[op].class & classes;
}

/* Does it touch one place whose value can be told? */
static inline bool op_has_value(enum op op) {
  return op_is(op, OPCLASS_PLAIN | OPCLASS_ATOMIC);
}

/* Is what it writes the program's data, whose bytes are their own meaning?
 * What the bytes of an object mean is for its operations to say. */
static inline bool op_is_of_data(enum op op) {
  return op_is(op, OPCLASS_PLAIN | OPCLASS_ATOMIC | OPCLASS_BULK |
                       OPCLASS_COMPOUND);
}

/* Is it a store to one place, which does not look at what was there? */
static inline bool op_stores(enum op op) {
  return op_table[op].access == OPACCESS_WRITES;
}

/* Is it an atomic read-modify-write? */
static inline bool op_is_rmw(enum op op) {
  return op_is(op, OPCLASS_ATOMIC) && op_table[op].access == OPACCESS_UPDATES;
}

/* Does it look at bytes that its footprint only says it writes? */
static inline bool op_reads_written(enum op op) {
  return op_table[op].access == OPACCESS_UPDATES ||
         op_table[op].access == OPACCESS_READS;
}

/* A step that may write, and did not, failed.  But a signal for which no thread
 * waits did what it should. */
static inline bool op_may_fail(enum op op) {
  return op != OP_SIGNAL && op != OP_BROADCAST;
}

static inline bool op_may_wait(enum op op) {
  return op_table[op].waits;
}

#endif
