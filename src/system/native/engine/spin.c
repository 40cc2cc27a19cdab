/* Spin loops become waiting.
 *
 * A thread that is at the same program point with the same local state (stack
 * and saved registers, byte by byte) as at an earlier pause, and since then has
 * only read, has written what was there already or has changed local variables
 * of its own (see locals.c), will do the same again as long as
 * no thread writes what it read.  Its pending operation then is an await: its
 * footprint is all that the round read, and it is enabled once a location was
 * really changed by another thread after one of the round's looks at it.  So
 * where it is not enabled every look of the round would find the same again: a
 * round that looked twice at a place and saw two values is not repeated.
 *
 * Whether an operation is an await depends only on the thread's own history:
 * the mark is set also where the await is enabled at once.
 *
 * The earlier pause to compare with (the anchor) is found by Brent's scheme: it
 * moves forward when 1, 2, 4, ... steps have passed since, so that a loop of n
 * steps is found within about 3n, at one comparison of two words a step.
 */
#include "engine.h"
#include "round.h"
#include "timed.h"

/* ---- has the local state returned? --------------------------------------- */

/* Takes away the bytes of this line that other threads have written since the
 * step: one bit each. */
static uint64_t without_others(const struct thread *t, uint32_t step,
                               const char *line, uint64_t bytes) {
  for (size_t i = step - 1; i < engine.steps.size && bytes; i++) {
    const struct record *r = &engine.steps.at[i];
    size_t end = i + 1 < engine.steps.size ? r[1].entries : engine.log.size;
    for (size_t e = r->entries; r->thread != t->id && e < end; e++) {
      size_t size;
      undo_old_bytes(&engine.log.at[e], &size);
      const char *from = ENTRY_ADDRESS(engine.log.at[e]);
      for (uint32_t b = 0; b < STACK_LINE; b++)
        if (line + b >= from && line + b < from + size)
          bytes &= ~(1ull << b);
    }
  }
  return bytes;
}

/* The bytes of this line, from the stack pointer on, that differ from what was
 * there before the step. */
static uint64_t differences(const struct thread *t, uint32_t step,
                            const char *line) {
  const char *then = stack_line_at(t, step, line);
  uint64_t bytes = 0;
  for (uint32_t b = 0; b < STACK_LINE; b++)
    if (line + b >= (const char *)t->sp && (!then || line[b] != then[b]))
      bytes |= 1ull << b;
  return bytes;
}

/* A variable on the stack that another thread has written is no local state.
 * The loop looks at it in steps, or it does not matter; when the other thread
 * wrote does not matter either. */
static bool differs_by_others(const struct thread *t, uint32_t step) {
  const char *line =
      (const char *)((uintptr_t)t->sp & ~(uintptr_t)(STACK_LINE - 1));
  for (; line < t->stack_base; line += STACK_LINE) {
    uint64_t bytes = differences(t, step, line);
    if (bytes && without_others(t, step, line, bytes))
      return false;
  }
  return true;
}

/* Is the local state what it was before this step (1 + position) of t? */
static bool is_as_at(const struct thread *t, uint32_t step) {
  const struct record *r = &engine.steps.at[step - 1];
  if (r->pc != engine_pending_place(t) || r->saved[0] != (uintptr_t)t->sp)
    return false;
  return stack_is_as_at(t, step) ||
         (locals_may_be_written(t, step) && differs_by_others(t, step));
}

/* ---- what a round reads -------------------------------------------------- */

/* What the round read, each location once, beginning with the pending
 * operation's own.  `first` is parallel: 1 + the step that read it first. */
struct loop {
  VEC(struct access) access;
  VEC(uint32_t) first;
};
static struct loop loop; /* keep: scratch */

static void loop_add(const struct access *a, uint32_t mode, uint32_t step) {
  for (size_t i = 0; i < loop.access.size; i++) {
    struct access *known = &loop.access.at[i];
    if (known->addr == a->addr && known->size == a->size) {
      loop.first.at[i] = step;
      return;
    }
  }
  VEC_PUSH(loop.access, (struct access){a->addr, a->size, mode});
  VEC_PUSH(loop.first, step);
}

/* The steps come last one first.  A silent write tests its location too: it is
 * part of what the round reads.  What the round before read is not, where this
 * one begins with an await. */
static void loop_collect(const struct thread *t, uint32_t anchor) {
  loop.access.size = loop.first.size = 0;
  for (uint32_t i = 0; t->pending && i < t->pending->accesses; i++)
    loop_add(&t->pending->access[i], t->pending->access[i].mode, 0);
  for (uint32_t step = t->last_step; step >= anchor;) {
    const struct record *r = &engine.steps.at[step - 1];
    for (uint32_t i = 0; i < r->accesses && !r->passing; i++) {
      const struct access *a = &engine.accesses.at[r->first + i];
      if (!(a->mode & ACCESS_EARLIER))
        loop_add(a, (a->mode & ACCESS_ATOMIC) | ACCESS_EARLIER, step);
    }
    step = r->previous;
  }
}

/* Did the step change one of these bytes? */
static bool hits(const struct record *r, const struct access *read) {
  for (uint32_t i = 0; i < r->accesses; i++) {
    const struct access *a = &engine.accesses.at[r->first + i];
    if ((a->mode & (ACCESS_WRITE | ACCESS_SILENT)) == ACCESS_WRITE &&
        accesses_overlap(a, read))
      return true;
  }
  return false;
}

/* Was anything written since the round first looked at it? */
static bool loop_is_stale(const struct thread *t) {
  for (size_t step = t->spin.anchor; step <= engine.steps.size; step++) {
    const struct record *r = &engine.steps.at[step - 1];
    if (r->thread == t->id || r->quiet)
      continue;
    for (size_t i = 0; i < loop.access.size; i++)
      if (loop.first.at[i] < step && hits(r, &loop.access.at[i]))
        return true;
  }
  return false;
}

static void remember_spinner(struct thread *t) {
  for (size_t i = 0; i < engine.spinners.size; i++)
    if (engine.spinners.at[i] == t)
      return;
  VEC_PUSH(engine.spinners, t);
  engine.waits = true;
}

static void start_waiting(struct thread *t) {
  struct spin *s = &t->spin;
  s->waiting = 1;
  s->first = (uint32_t)engine.accesses.size;
  s->accesses = (uint16_t)loop.access.size;
  VEC_RESERVE(engine.accesses, loop.access.size);
  for (size_t i = 0; i < loop.access.size; i++)
    VEC_PUSH(engine.accesses, loop.access.at[i]);
  blind_correct(&engine.accesses.at[s->first], s->accesses);
  remember_spinner(t);
}

/* The await itself has the local state of the anchor: it is the next one. */
static void await(struct thread *t) {
  struct spin *s = &t->spin;
  loop_collect(t, s->anchor);
  if (loop.access.size > UINT16_MAX)
    return; /* such a loop is left to --max-steps */
  if (engine.unordered)
    blind_learn(t);
  for (size_t i = 0; i < loop.access.size; i++)
    updates_order(&loop.access.at[i]);
  s->awake = loop_is_stale(t);
  start_waiting(t);
  s->anchor = 0;
}

void spin_look(struct thread *t) {
  struct spin *s = &t->spin;
  if (engine.following || engine.trying) /* go_round compares by itself */
    return;
  s->count++;
  if (is_as_at(t, s->anchor)) {
    if (locals_claim(t, s->anchor))
      await(t);
    else
      s->anchor = 0;
  } else if (s->count == s->power) {
    s->anchor = 0;
    if (s->power < 1 << 14)
      s->power *= 2;
  }
}

/* How far the anchor would move next depends on the steps before, and those of
 * `naive` are finer: it would take more looks to find the loop. */
void spin_in_vain(void) {
  if (engine.mode != MODE_EXPLORE || !self)
    return;
  self->spin.anchor = step_now();
  self->spin.count = 0;
  self->spin.power = 1;
}

void spin_wake(const struct record *r) {
  for (size_t i = 0; i < engine.spinners.size; i++) {
    struct thread *t = engine.spinners.at[i];
    const struct spin *s = &t->spin;
    if (t->id == r->thread || t->state != THREAD_RUNNING || !s->waiting ||
        s->awake)
      continue;
    for (uint32_t a = 0; a < s->accesses; a++)
      if (hits(r, &engine.accesses.at[s->first + a])) {
        SET(t->spin.awake, 1);
        break;
      }
  }
}

bool spin_woken_since(const struct spin *s, uint32_t step) {
  for (size_t i = step; i < engine.steps.size; i++)
    for (uint32_t a = 0; a < s->accesses && !engine.steps.at[i].quiet; a++)
      if (hits(&engine.steps.at[i], &engine.accesses.at[s->first + a]))
        return true;
  return false;
}

/* ---- does it go round for ever? ------------------------------------------ */

enum { MOST_STEPS = 1 << 17 }; /* several rounds, in the finest steps */

static bool can_go_on(const struct thread *t) {
  const struct operation *op = t->pending;
  return op && (!op->ready || op->ready(op));
}

/* Takes steps of t as long as they change nothing, until its local state is one
 * that it had; the anchor moves as above. */
static enum spin_fate go_round(struct thread *t) {
  uint32_t begin = step_now() + 1;
  uint32_t anchor = begin, steady = begin, count = 0, power = 1;
  for (uint32_t steps = 0; steps < MOST_STEPS; steps++) {
    struct step step;
    if (!can_go_on(t) || engine_step(t, 0, &step) != STEP_DONE)
      return SPIN_ENDS;
    if (engine.came_round) {
      loop_collect(t, begin);
      return SPIN_FOR_EVER;
    }
    if (!t->pending)
      return SPIN_ENDS;
    const struct record *r = &VEC_TOP(engine.steps);
    if ((t->pending->timed == TIMED_BEGINS && timed_goes_round(t, t)) ||
        timed_went_round(t, r)) {
      loop_collect(t, begin);
      return SPIN_FOR_EVER;
    }
    bool idle = r->quiet || r->local || (r->passing && !engine.changes);
    if (!idle && !r->passing && !round_went_on(r) && !timed_is_part(r))
      return SPIN_ENDS;
    if (!idle)
      steady = step_now() + 1; /* it has written memory of its own */
    if (anchor >= steady && is_as_at(t, anchor)) {
      loop_collect(t, anchor);
      return locals_claim(t, anchor) ? SPIN_FOR_EVER : SPIN_ENDS;
    }
    if (++count == power) {
      anchor = step_now() + 1;
      count = 0;
      power *= 2;
    }
  }
  return SPIN_UNKNOWN;
}

enum spin_fate spin_try(struct thread *t) {
  struct trial trial;
  uint32_t rounds = t->rounds;
  uint8_t waiting = t->spin.waiting;
  trial_begin(&trial, t);
  t->rounds = 0; /* those that it began when other things were there */
  t->spin.waiting = 0;
  enum spin_fate fate = go_round(t);
  trial_end(&trial);
  t->rounds = rounds;
  t->spin.waiting = waiting;
  return fate;
}

/* A report says first what the pending operation looks at.  The trial may have
 * ended at another operation of the loop, which was then the first. */
static void begin_with(const struct access *a) {
  for (size_t i = 0; i < loop.access.size; i++) {
    struct access *read = &loop.access.at[i];
    read->mode = (read->mode & ACCESS_ATOMIC) | ACCESS_EARLIER;
    if (read->addr == a->addr) {
      struct access before = loop.access.at[0];
      loop.access.at[0] = *a;
      if (i)
        *read = before;
    }
  }
}

enum spin_fate spin_settle(struct thread *t) {
  enum spin_fate fate = spin_try(t);
  if (fate != SPIN_FOR_EVER)
    return fate;
  if (loop.access.size > UINT16_MAX)
    return SPIN_UNKNOWN;
  if (t->pending->accesses)
    begin_with(t->pending->access);
  start_waiting(t);
  return fate;
}
