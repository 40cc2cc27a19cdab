/* Deferred cancellation.
 *
 * A cancellation is a flag of the thread, which its cancellation points read
 * together with what they wait for.  A point that waits goes on when it has
 * what it waits for or the flag is set; in a state with both it is cancelled.
 * If it could not have gone on without the flag, the cancellation is the cause
 * of its step.  Otherwise the two have another order, too.
 *
 * Before a thread was seen to cancel another, in any execution, no point looks
 * at the flag. */
#include "cancel.h"

#include "system/native/engine/engine.h"
#include "system/native/engine/interrupt.h"
#include "system/native/engine/timekeeping.h"
#include "system/native/hooks/hooks.h"
#include "system/native/pthread/sync.h"

/* prog */
PROG static uint32_t cancelled[NATIVE_THREADS];

static bool are_sent(void) {
  return step_extras & EXTRA_CANCELS;
}

bool cancel_possible(void) {
  return are_sent() && engine.mode == MODE_EXPLORE && self &&
         !self->atomic_depth && self->cancel_state == PTHREAD_CANCEL_ENABLE;
}

/* ---- points -------------------------------------------------------------- */

/* prog: a cancellation point that waits. */
struct cancel_point {
  struct operation op; /* what is announced */
  struct access list[4];
  const struct operation *inner;
  uint32_t thread;
};

static struct access flag_of(uint32_t thread) {
  return (struct access){(uintptr_t)&cancelled[thread], sizeof *cancelled,
                         ACCESS_ATOMIC};
}

static bool inner_ready(const struct cancel_point *p) {
  return !p->inner->ready || p->inner->ready(p->inner);
}

static bool point_ready(const struct operation *op) {
  const struct cancel_point *p = (const void *)op;
  return cancelled[p->thread] || inner_ready(p);
}

/* 1 + the step that cancelled the thread. */
static uint32_t cancelled_by(const struct thread *t) {
  size_t i = engine.steps.size;
  while (i-- > 0)
    if (engine.steps.at[i].op == OP_CANCEL &&
        engine.steps.at[i].target == t->id)
      return (uint32_t)i + 1;
  return 0;
}

/* The end of a thread that is awaited writes its attention. */
static void read_awaited(const struct operation *op) {
  const struct thread *ends = op->op == OP_JOIN ? op->object : NULL;
  if (ends)
    footprint_add(&attention[ends->id], sizeof *attention, ACCESS_ATOMIC);
}

/* Not inlined: while a thread that no other cancels waits, its stack, which is
 * saved at every step, has no point. */
static __attribute__((noinline)) bool visible_point(struct operation *inner) {
  struct cancel_point point = {.op = *inner, .inner = inner}, *p = &point;
  ensure(inner->accesses < sizeof p->list / sizeof *p->list);
  for (uint32_t i = 0; i < inner->accesses; i++)
    p->list[i] = inner->access[i];
  p->thread = self->id;
  p->list[p->op.accesses++] = flag_of(self->id);
  p->op.access = p->list;
  p->op.flags |= STEP_BLOCK;
  p->op.ready = inner->ready ? point_ready : NULL;
  visible(&p->op);
  if (!cancelled[self->id])
    return false;
  uint32_t by = cancelled_by(self);
  VEC_TOP(engine.steps).flags &= (uint8_t)~STEP_BLOCKING;
  footprint_only_read();
  read_awaited(inner);
  if (!inner_ready(p))
    step_caused_by(by);
  step_signalled_by(by);
  return true;
}

bool cancel_visible(struct operation *inner) {
  if (cancel_possible())
    return visible_point(inner);
  visible(inner);
  return false;
}

bool cancel_pending(void) {
  if (!cancel_possible())
    return false;
  footprint_add(&cancelled[self->id], sizeof *cancelled, ACCESS_ATOMIC);
  if (cancelled[self->id])
    step_signalled_by(cancelled_by(self));
  return cancelled[self->id];
}

void cancel_act(void) {
  SET(self->cancel_state, PTHREAD_CANCEL_DISABLE);
  thread_exit(PTHREAD_CANCELED);
}

void cancel_test(uint64_t pc) {
  struct operation op = {.op = OP_LIBRARY, .pc = pc};
  if (cancel_possible() && cancel_visible(&op))
    cancel_act();
}

/* ---- the program's names ------------------------------------------------- */

static void become_sent(void) {
  if (are_sent())
    return;
  interrupt_ends_show();
  step_extras |= EXTRA_CANCELS;
  if (!engine.following && engine.steps.size)
    engine.stale = true;
}

INTERPOSED int pthread_cancel(pthread_t handle) {
  struct thread *t = thread_at(handle);
  if (!t || (t->id && t->state == THREAD_NONE))
    fail(FINDING_MISUSE, CALLER,
         "cancellation of something that is not a "
         "thread");
  if (engine.mode != MODE_EXPLORE)
    refuse("pthread_cancel is called before main");
  become_sent();
  struct access flag = flag_of(t->id);
  flag.mode |= ACCESS_WRITE;
  struct operation op = {.op = OP_CANCEL,
                         .pc = CALLER,
                         .accesses = 1,
                         .access = &flag,
                         .target = t->id};
  visible(&op);
  if (t->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS)
    refuse("pthread_cancel of a thread with PTHREAD_CANCEL_ASYNCHRONOUS is not "
           "supported");
  SET(cancelled[t->id], 1);
  return 0;
}

INTERPOSED int pthread_setcancelstate(int state, int *old) {
  struct thread *me = current();
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old)
    PUT(*old, me->cancel_state);
  SET(me->cancel_state, (uint8_t)state);
  return 0;
}

INTERPOSED int pthread_setcanceltype(int type, int *old) {
  struct thread *me = current();
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (type == PTHREAD_CANCEL_ASYNCHRONOUS && are_sent())
    refuse("PTHREAD_CANCEL_ASYNCHRONOUS is not supported in a program that "
           "calls pthread_cancel");
  if (old)
    PUT(*old, me->cancel_type);
  SET(me->cancel_type, (uint8_t)type);
  return 0;
}

INTERPOSED void pthread_testcancel(void) {
  cancel_test(CALLER);
}
