#include "interrupt.h"
#include "engine.h"

#include <string.h>

#include "learnt.h"
#include "timekeeping.h"

PROG unsigned long signal_masks[NATIVE_THREADS];
PROG uint32_t attention[NATIVE_THREADS];

/* keep: signals that may arrive at any thread, and at this one. */
static unsigned long aimed_at_all, aimed[NATIVE_THREADS];

bool signals_are_steps;

bool interrupt_possible(const struct thread *t) {
  return (aimed_at_all | aimed[t->id]) & ~signal_masks[t->id];
}

void interrupt_expect(const struct thread *t, unsigned long signals) {
  unsigned long *to = t ? &aimed[t->id] : &aimed_at_all;
  if (!(signals & ~*to))
    return;
  *to |= signals;
  interrupt_ends_show();
  if (!engine.following && engine.steps.size)
    engine.stale = true;
}

void interrupts_learnt(struct packed *p) {
  PACKED(p, signals_are_steps);
  PACKED(p, aimed_at_all);
  PACKED(p, aimed);
}

/* ---- footprints ---------------------------------------------------------- */

static struct access attention_of(const struct thread *t, uint32_t mode) {
  return (struct access){(uintptr_t)&attention[t->id], sizeof *attention,
                         ACCESS_ATOMIC | mode};
}

uint32_t interrupt_beyond; /* keep */

void interrupt_begin(const struct thread *t, struct record *r) {
  interrupt_beyond = t->user - (t->id + 1);
  if (r->op == OP_HANDLER || !interrupt_possible(t))
    return;
  VEC_PUSH(engine.accesses, attention_of(t, 0));
  r->accesses++;
}

/* keep: for each thread, the accesses of its next step. */
static VEC(struct access) lists[NATIVE_THREADS];

void interrupt_pending(const struct thread *t, struct step *out) {
  if (out->op == OP_HANDLER || !interrupt_possible(t))
    return;
  lists[t->id].size = 0;
  for (uint32_t i = 0; i < out->accesses; i++)
    VEC_PUSH(lists[t->id], out->access[i]);
  VEC_PUSH(lists[t->id], attention_of(t, 0));
  out->access = lists[t->id].at;
  out->accesses++;
}

void interrupt_ends_show(void) {
  if (step_extras & EXTRA_SIGNALS)
    return;
  step_extras |= EXTRA_SIGNALS;
  if (!engine.following && engine.steps.size)
    engine.stale = true;
}

struct access interrupt_birth(const struct thread *parent) {
  return attention_of(parent, ACCESS_WRITE);
}

void interrupt_end(uint64_t pc) {
  if (likely(!(step_extras & EXTRA_SIGNALS)))
    return;
  struct access access = attention_of(self, ACCESS_WRITE);
  struct operation op = {
      .op = OP_SIGNALS, .pc = pc, .accesses = 1, .access = &access};
  visible(&op);
}

void interrupt_never_again(void) {
  if (step_extras & EXTRA_SIGNALS)
    footprint_add(&attention[self->id], sizeof *attention,
                  ACCESS_ATOMIC | ACCESS_WRITE);
}

void interrupt_stopped(void) {
  if (self->last_step || !(step_extras & EXTRA_SIGNALS) ||
      (step_extras & EXTRA_STARTS))
    return;
  step_extras |= EXTRA_STARTS;
  if (!engine.following && engine.steps.size)
    engine.stale = true;
}

/* ---- entering ------------------------------------------------------------ */

/* 1 + the step in which the signal arrived. */
static uint32_t arrival(const struct thread *t) {
  size_t i = engine.steps.size;
  while (i-- > 0)
    if (engine.steps.at[i].op == OP_ARRIVAL &&
        engine.steps.at[i].target == t->id + 1)
      return (uint32_t)i + 1;
  return 0;
}

/* Could the thread have taken the step that it was about to take? */
static bool could_go_on(const struct interruption *i, uint32_t since) {
  const struct operation *op = i->pending;
  if (i->spin.waiting)
    return i->spin.awake || spin_woken_since(&i->spin, since);
  return !op->ready || op->ready(op);
}

static void reads(const struct access *at, uint32_t count) {
  for (uint32_t n = 0; n < count; n++)
    footprint_add((const void *)(uintptr_t)at[n].addr, at[n].size,
                  ACCESS_ATOMIC);
}

/* What the thread waited for. */
static void read_awaited(const struct interruption *i) {
  const struct operation *op = i->pending;
  if (i->spin.waiting)
    for (uint32_t n = 0; n < i->spin.accesses; n++) /* the vector may move */
      reads(&(struct access){engine.accesses.at[i->spin.first + n].addr,
                             engine.accesses.at[i->spin.first + n].size, 0},
            1);
  else if (op->flags & STEP_BLOCKING)
    reads(op->access, op->accesses);
  if (!(op->flags & STEP_BLOCKING) || i->spin.waiting || !op->object)
    return;
  const struct thread *ends = op->op == OP_JOIN ? op->object : NULL;
  footprint_add(ends ? (const void *)&attention[ends->id] : op->object,
                OBJECT_SIZE, ACCESS_ATOMIC);
}

/* What the running thread waited for, was it given? */
static void settle(struct interruption *i) {
  struct thread *me = self;
  if (!me->replaced_by || i->pending != me->asleep)
    return;
  i->pending = me->replaced_by;
  SET(me->replaced_by, NULL);
}

/* Back to what the thread was doing. */
static _Noreturn void finish(struct interruption *i, bool ends_wait) {
  struct thread *me = self;
  void *unused;
  settle(i);
  SET(me->interruption, i->outer);
  SET(me->user, i->user);
  me->sp = i->sp;
  if (ends_wait) {
    SET(me->interrupted, 1);
    engine.pc = i->pending->pc;
    heddle_switch(&unused, i->sp);
  } else {
    me->pending = i->pending;
    me->cause = i->outer ? 0 : me->replaced_in;
    heddle_switch(&unused, engine.sp);
  }
  __builtin_unreachable();
}

static void enter(void *argument) {
  struct interruption *i = argument;
  uint32_t since = arrival(self);
  uint8_t kind = i->pending->interruptible;
  if (self->replaced_by) /* another thread has decided what it waits for now */
    read_awaited(i);
  settle(i);
  bool waited = !could_go_on(i, since);
  bool ends_wait =
      waited && (kind >= INTERRUPT_ALWAYS ||
                 (kind == INTERRUPT_FAILS && !(i->flags & RESTARTS)));
  if (kind == INTERRUPT_ATOMIC)
    ends_wait = true;
  else if (ends_wait && !i->spin.waiting)
    ends_wait = choose(2) == 0;
  read_awaited(i);
  if (waited && since)
    step_caused_by(since);
  step_signalled_by(since);
  i->run(i);
  finish(i, ends_wait);
}

/* ---- arriving ------------------------------------------------------------ */

enum { FRAME_GAP = 64, FRAME_ROOM = 512 };

void interrupt_thread(struct thread *t, const struct interruption *model) {
  char *top = (char *)((uintptr_t)t->sp & ~(uintptr_t)63) - FRAME_GAP;
  struct interruption *i =
      (struct interruption *)(void *)(top -
                                      ((sizeof *i + 63) & ~(uintptr_t)63));
  char *low = (char *)i - FRAME_ROOM;
  if (engine.apart)
    refuse("signal handlers are not supported with --interfere=locks");
  if (low - STACK_GUARD < t->stack_low)
    fail(FINDING_CRASH, t->pending->pc, "no room on the stack for a handler");
  undo_note(low, (size_t)(top - low));
  memset(low, 0, (size_t)(top - low));
  *i = *model;
  i->access = attention_of(t, 0);
  i->op = (struct operation){.op = OP_HANDLER,
                             .flags = STEP_BLOCK,
                             .pc = t->pending->pc,
                             .accesses = 1,
                             .access = &i->access};
  i->outer = t->interruption;
  i->pending = t->pending;
  if (t->asleep && t->pending == t->resume) { /* as if it came before */
    i->pending = t->asleep;
    SET(t->replaced_by, t->resume);
  }
  i->sp = t->sp;
  i->spin = t->spin;
  if (!i->outer)
    SET(t->replaced_in, t->last_step ? t->cause : 0);
  i->user = t->user;
  VEC_TOP(engine.steps).target = t->id + 1;
  footprint_add(&attention[t->id], sizeof *attention,
                ACCESS_ATOMIC | ACCESS_WRITE);
  if (t->last_step)
    SET(t->cause, 0);
  SET(t->spin, ((struct spin){.power = 1}));
  SET(t->rounds, 0);
  SET(t->section, 0);
  SET(t->interruption, i);
  SET(t->user, NATIVE_THREADS + t->id + 1);
  SET(t->pending, &i->op);
  SET(t->sp, heddle_prepare((char *)i, enter, i));
}

bool interrupted(void) {
  if (likely(!self) || likely(!self->interrupted))
    return false;
  SET(self->interrupted, 0);
  return true;
}

void interrupt_replace(struct thread *t, struct operation *waits,
                       struct operation *now) {
  if (t->pending == waits || !t->interruption) {
    SET(t->cause, step_now());
    SET(t->pending, now);
    return;
  }
  SET(t->replaced_by, now);
  SET(t->replaced_in, step_now());
}

void interrupt_leave(const char *place) {
  struct thread *me = self;
  struct interruption *i = me->interruption;
  uint32_t outside = me->user;
  for (; i && (const char *)i < place; i = i->outer)
    outside = i->user;
  SET(me->interruption, i);
  SET(me->user, outside);
}
