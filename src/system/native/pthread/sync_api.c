/* What all primitives share (sync.h), and the functions of heddle.h with their
 * SV-COMP twins. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system/native/pthread/sync.h"
#include "system/native/hooks/hooks.h"

#include <string.h>

#ifndef __HEDDLE__
#define __HEDDLE__ /* the declarations, not the substitutes */
#endif
#include "heddle.h"

/* SV-COMP programs declare these themselves. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
void reach_error(void);

/* ---- objects ---------------------------------------------------------- */

/* The explorer will look at the object while the thread is paused.  So a bad
 * pointer must crash here, in the thread. */
static void look_at(const void *object, uint64_t pc) {
  __asm__("" : "+r"(object)); /* glibc declares it to be never null */
  if (!object)
    fail(FINDING_CRASH, pc, "null pointer to a synchronisation object");
  (void)*(const volatile char *)object;
}

/* Whether an operation that succeeds acquires or releases.  An operation that
 * fails only reads the object, and does neither.  Nor do initialisation and
 * destruction: if something else does not order them with each use of the
 * object, the program is wrong. */
static uint8_t order_of(enum op op) {
  static const uint8_t orders[] = {[OPORDER_NEITHER] = __ATOMIC_RELAXED,
                                   [OPORDER_ACQUIRES] = __ATOMIC_ACQUIRE,
                                   [OPORDER_RELEASES] = __ATOMIC_RELEASE,
                                   [OPORDER_BOTH] = __ATOMIC_ACQ_REL};
  return orders[op_table[op].order];
}

void object_operation(struct object_step *s, enum op op, void *object,
                      uint8_t (*offers)(const struct operation *),
                      uint64_t pc) {
  look_at(object, pc);
  s->access = (struct access){(uintptr_t)object, OBJECT_SIZE,
                              ACCESS_WRITE | ACCESS_ATOMIC};
  s->op = (struct operation){.op = op,
                             .order = order_of(op),
                             .pc = pc,
                             .accesses = 1,
                             .access = &s->access,
                             .offers = offers,
                             .object = object};
}

bool object_offered(const struct operation *op) {
  return op->offers(op) & op->wants;
}

bool never_ready(const struct operation *op) {
  (void)op;
  return false;
}

void object_blocking(struct object_step *s, uint8_t wants) {
  s->op.flags = STEP_BLOCKING;
  s->op.wants = wants;
  s->op.ready = object_offered;
}

void object_conditional(struct object_step *s, uint8_t wants) {
  s->op.flags = STEP_CONDITIONAL;
  s->op.wants = wants;
}

void object_reading(struct object_step *s) {
  s->access.mode = ACCESS_ATOMIC;
}

void object_visible(struct object_step *s, size_t size) {
  stored_object((const void *)(uintptr_t)s->access.addr, size);
  visible(&s->op);
  heap_check((const void *)(uintptr_t)s->access.addr, size, true, s->op.pc);
}

void life_check(uint32_t life, bool must_be_made, const char *what,
                uint64_t pc) {
  if (life == LIFE_OVER)
    fail(FINDING_MISUSE, pc, "use of a %s that was destroyed", what);
  if (life != LIFE_MADE && (must_be_made || life != LIFE_STATIC))
    fail(FINDING_MISUSE, pc, "use of a %s that was never initialised", what);
}

void visible_store(void *to, const void *from, size_t size, uint64_t pc) {
  plain_announce(to, size, true, pc);
  memcpy(to, from, size);
}

struct thread *operation_holder(const struct operation *op) {
  if (op->op == OP_JOIN)
    return thread_get(op->target);
  struct thread *t = mutex_holder(op);
  if (!t)
    t = rwlock_holder(op);
  if (!t)
    t = spin_holder(op);
  return t ? t : once_holder(op);
}

/* ---- atomic blocks ---------------------------------------------------- */

static void block_begin(uint64_t pc) {
  struct thread *me = current();
  struct operation op = {.op = OP_BLOCK, .flags = STEP_BLOCK, .pc = pc};
  if (!me->atomic_depth)
    visible(&op);
  SET(me->atomic_depth, me->atomic_depth + 1);
}

static void block_end(uint64_t pc) {
  struct thread *me = current();
  if (!me->atomic_depth)
    fail(FINDING_MISUSE, pc, "end of an atomic block that was not begun");
  SET(me->atomic_depth, me->atomic_depth - 1);
}

INTERPOSED void heddle_atomic_begin(void) {
  block_begin(CALLER);
}

INTERPOSED void heddle_atomic_end(void) {
  block_end(CALLER);
}

INTERPOSED void __VERIFIER_atomic_begin(void) {
  block_begin(CALLER);
}

INTERPOSED void __VERIFIER_atomic_end(void) {
  block_end(CALLER);
}

/* ---- assumptions and failures ----------------------------------------- */

static void assume(bool holds) {
  if (holds)
    return;
  if (!self)
    refuse("an assumption does not hold before main");
  thread_end(THREAD_ASSUMED);
}

INTERPOSED void heddle_assume(bool holds) {
  assume(holds);
}

INTERPOSED void __VERIFIER_assume(int holds) {
  assume(holds != 0);
}

INTERPOSED void heddle_fail(const char *text) {
  fail(FINDING_ASSERTION, CALLER, "%s", text ? text : "heddle_fail");
}

INTERPOSED void reach_error(void) {
  fail(FINDING_ASSERTION, CALLER, "reach_error() was called");
}

INTERPOSED void __VERIFIER_error(void) {
  fail(FINDING_ASSERTION, CALLER, "__VERIFIER_error() was called");
}

/* ---- choices ---------------------------------------------------------- */

unsigned choose_one(unsigned n, uint64_t pc) {
  if (n == 0)
    fail(FINDING_MISUSE, pc, "a choice among no alternatives");
  if (n > HEDDLE_CHOICES)
    refuse("a choice among %u alternatives; the limit is %d", n,
           HEDDLE_CHOICES);
  if (n == 1)
    return 0;
  struct operation op = {.op = OP_CHOOSE, .pc = pc};
  visible(&op);
  return choose(n);
}

INTERPOSED unsigned heddle_choose(unsigned n) {
  return choose_one(n, CALLER);
}
