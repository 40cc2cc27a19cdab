/* A read and the compare-and-swap behind it as one step.
 *
 *   do                               old = x;
 *     old = x;                       while (!compare_swap(&x, &old, f(old)))
 *   while (!compare_swap(&x, &old,     ;
 *                        f(old)));
 *
 * A thread reads a place, and its next operation is a compare-and-swap of that
 * place which succeeds.  The two are one step, a write, if a swap that fails
 * leads back: to where the thread was before it read, or to where it would be
 * if it had read the value that made the swap fail.  Why nothing is lost: take
 * an execution with steps of other threads between the two.  If the swap
 * succeeds, the read can be moved to it and finds the same value.  If it fails,
 * the read can be left out, or replaced by the failure, which also reads.
 *
 * Whether a swap leads back is found out by two trials with two values that are
 * not there.  They stand for all values: the instrumenter marks operations
 * whose value shows only in the values of rounds, as a whole or some bytes of
 * it, and in memory of the thread's own (HOOK_CARRIED).  So up to the next head
 * of a loop the thread does the same whatever it finds, unless it reads memory
 * of its own on the way.  The two values differ in every bit, so that no
 * constant is taken for a part of the value found; and each of their bytes is
 * another one, and not 0, so that no part is taken for another part.
 */
#include "retry.h"

#include <string.h>

#include "round.h"

static bool is_read(const struct record *r) {
  return r->op == OP_LOAD || (r->op == OP_CAS && r->failed);
}

/* Is the thread about to swap what it has just read? */
static bool is_retry(const struct record *read, const struct operation *swap) {
  const struct access *a = &engine.accesses.at[read->first];
  return swap && swap->op == OP_CAS && swap->carried && is_read(read) &&
         read->accesses == 1 && a->addr == swap->access->addr &&
         a->size == swap->access->size && a->size <= 8 && !engine.has_finding &&
         memcmp((const void *)(uintptr_t)a->addr, swap->expected, a->size) == 0;
}

enum { TRIALS = 2 };

/* Puts a value there that is not there.  If the first pattern is, its bytes in
 * another order are not, and neither are those of its complement. */
static void put_other(unsigned char *place, size_t size, unsigned trial) {
  uint64_t pattern = UINT64_C(0x0123456789abcdef), now = 0;
  memcpy(&now, place, size);
  uint64_t bits = ~UINT64_C(0) >> (64 - 8 * size);
  while (!((now ^ pattern) & bits) || !((now ^ ~pattern) & bits))
    pattern = pattern << 8 | pattern >> 56;
  if (trial)
    pattern = ~pattern;
  memcpy(place, &pattern, size);
}

/* Reading memory of its own the thread may have found a value there that it has
 * just written. */
static bool only_wrote(void) {
  return engine.hidden == engine.changes;
}

/* The next step of t, on another value than the one that is there, up to the
 * first head of a loop.  False: there is none, or something was changed since
 * the step at `depth` began that is not the thread's own. */
static bool arrive(struct thread *t, unsigned trial, size_t depth,
                   struct arrival *to) {
  const struct access a = *t->pending->access;
  unsigned char *place = (unsigned char *)(uintptr_t)a.addr, now[8];
  size_t steps = engine.steps.size;
  struct step step;
  memcpy(now, place, a.size);
  put_other(place, a.size, trial);
  to->arrived = false;
  engine.arrival = to;
  engine_step(t, 0, &step);
  engine.arrival = NULL;
  bool arrived = to->arrived && only_wrote() &&
                 own_collect(t, engine.steps.at[depth].entries, to->round.frame,
                             &to->renewed, &to->own);
  undo_to(steps);
  memcpy(place, now, a.size);
  return arrived;
}

/* Back to a round that began before the step with this number? */
static bool comes_back(const struct arrival *to, uint32_t step) {
  return to[0].before && to[0].before == to[1].before &&
         engine.rounds.at[to[0].before - 1].step < step;
}

bool retry_joins(struct thread *t, bool carried) {
  static struct arrival failed[TRIALS], read[TRIALS]; /* keep: scratch */
  size_t depth = engine.steps.size - 1;
  const struct record *r = &VEC_TOP(engine.steps);
  if (!is_retry(r, t->pending))
    return false;
  for (unsigned i = 0; i < TRIALS; i++)
    if (!arrive(t, i, depth, &failed[i]))
      return false;
  if (comes_back(failed, (uint32_t)depth + 1))
    return true;
  if (!carried)
    return false;
  undo_to(depth);
  for (unsigned i = 0; i < TRIALS; i++)
    if (!arrive(t, i, depth, &read[i]) ||
        !round_same(&failed[i].round, &read[i].round) ||
        !own_same(&failed[i].own, &read[i].own))
      return false;
  return true;
}

static bool acquires(uint8_t order) {
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

/* The memory order of both: what either acquires, and the swap releases. */
static uint8_t joint_order(uint8_t read, uint8_t swap) {
  if (!acquires(read) || acquires(swap))
    return swap;
  return swap == __ATOMIC_RELEASE ? __ATOMIC_ACQ_REL : __ATOMIC_ACQUIRE;
}

bool retry_join(const struct operation *swap) {
  struct record *r = &VEC_TOP(engine.steps);
  engine.joining = false;
  if (!is_retry(r, swap))
    return false;
  engine.accesses.at[r->first].mode |= ACCESS_WRITE;
  r->order = joint_order(r->order, swap->order);
  r->op = OP_CAS;
  r->failed = 0;
  engine.pc = swap->pc;
  engine.hidden++;
  round_changes();
  return true;
}
