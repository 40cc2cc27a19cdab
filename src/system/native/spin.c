/* Spin loops become waiting.
 *
 * A thread that is at the same program point with the same local state (stack
 * and saved registers, byte by byte) as at an earlier pause, and since then has
 * only read, has written what was there already or has changed local variables
 * that nobody else uses (see locals.c), will do the same again as long as
 * nobody writes what it read.  Its pending operation then is an await: its
 * footprint is all that the loop read, and it is enabled once a location was
 * really changed by another thread after the loop's latest look at it.
 *
 * Whether an operation is an await depends only on the thread's own history:
 * the mark is set also where the await is enabled at once.
 *
 * The earlier pause to compare with (the anchor) is found by Brent's scheme: it
 * moves forward when 1, 2, 4, ... steps have passed since, so that a loop of n
 * steps is found within about 3n, at one comparison of two words a step.
 */
#include "engine.h"

/* Is the local state that of the anchor? */
static bool returned(const struct thread *t) {
  return engine.steps.at[t->spin.anchor - 1].pc == t->pending->pc &&
         stack_is_as_at(t, t->spin.anchor);
}

/* What the loop reads, each location once, beginning with the pending
 * operation's own.  `latest` is parallel: 1 + the step that read it last. */
struct loop {
  VEC(struct access) access;
  VEC(uint32_t) latest;
};
static struct loop loop; /* keep: scratch */

static void loop_add(const struct access *a, uint32_t mode, uint32_t step) {
  for (size_t i = 0; i < loop.access.size; i++) {
    struct access *known = &loop.access.at[i];
    if (known->addr == a->addr && known->size == a->size) {
      if (loop.latest.at[i] < step)
        loop.latest.at[i] = step;
      return;
    }
  }
  VEC_PUSH(loop.access, (struct access){a->addr, a->size, mode});
  VEC_PUSH(loop.latest, step);
}

/* A silent write tests its location too: it is part of what the loop reads. */
static void loop_collect(const struct thread *t) {
  loop.access.size = loop.latest.size = 0;
  for (uint32_t i = 0; i < t->pending->accesses; i++)
    loop_add(&t->pending->access[i], t->pending->access[i].mode, 0);
  for (uint32_t step = t->last_step; step >= t->spin.anchor;) {
    const struct record *r = &engine.steps.at[step - 1];
    for (uint32_t i = 0; i < r->accesses; i++) {
      const struct access *a = &engine.accesses.at[r->first + i];
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

/* Was anything written since the loop's latest look at it? */
static bool loop_is_stale(const struct thread *t) {
  for (size_t step = t->spin.anchor; step <= engine.steps.size; step++) {
    const struct record *r = &engine.steps.at[step - 1];
    if (r->thread == t->id || r->quiet)
      continue;
    for (size_t i = 0; i < loop.access.size; i++)
      if (loop.latest.at[i] < step && hits(r, &loop.access.at[i]))
        return true;
  }
  return false;
}

static void remember_spinner(struct thread *t) {
  for (size_t i = 0; i < engine.spinners.size; i++)
    if (engine.spinners.at[i] == t)
      return;
  VEC_PUSH(engine.spinners, t);
}

/* The await itself has the local state of the anchor: it is the next one. */
static void await(struct thread *t) {
  struct spin *s = &t->spin;
  loop_collect(t);
  if (loop.access.size > UINT16_MAX)
    return; /* such a loop is left to --max-steps */
  s->awake = loop_is_stale(t);
  s->waiting = 1;
  s->first = (uint32_t)engine.accesses.size;
  s->accesses = (uint16_t)loop.access.size;
  VEC_RESERVE(engine.accesses, loop.access.size);
  for (size_t i = 0; i < loop.access.size; i++)
    VEC_PUSH(engine.accesses, loop.access.at[i]);
  s->anchor = 0;
  remember_spinner(t);
}

void spin_look(struct thread *t) {
  struct spin *s = &t->spin;
  s->count++;
  if (returned(t)) {
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
