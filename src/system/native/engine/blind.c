/* Which writes depend on the old value.
 *
 * A blind write does not, and some algorithms leave two blind writes unordered
 * as long as no event observes which came first.  But spin.c may observe it: a
 * write that leaves every byte as it was lets spin.c take a loop for a waiting
 * one earlier than a write that changes a byte.  Then the thread itself, as it
 * is run here, tells the two orders apart.  So once a thread waits after such
 * writes, every write to their bytes, of any thread, counts as a read, too.
 * This is known only when the thread waits; the search then begins anew.
 *
 * The same goes for every write to a place where a loop is held (round.c).
 * Which values were there, one after the other, decides what the loop's look
 * races with.  And to a place that a loop reads and swaps (retry.c): the read
 * is a look, which is one step with the swap.  That no round of such a loop may
 * ever be held does not matter; it shows when a swap fails.
 */
#include "engine.h"
#include "learnt.h"

#include <string.h>

/* keep: the bytes to which no write is blind. */
static VEC(struct access) looked_at;

static bool is_known(const struct access *a) {
  for (size_t i = 0; i < looked_at.size; i++) {
    const struct access *l = &looked_at.at[i];
    if (l->addr <= a->addr && a->addr + a->size <= l->addr + l->size)
      return true;
  }
  return false;
}

static bool is_silent_and_blind(const struct access *a) {
  uint32_t both = ACCESS_SILENT | ACCESS_BLIND;
  return (a->mode & both) == both;
}

void blind_learn(const struct thread *t) {
  for (uint32_t step = t->last_step; step;) {
    const struct record *r = &engine.steps.at[step - 1];
    if (!r->quiet && !r->local)
      return;
    for (uint32_t i = 0; i < r->accesses; i++) {
      const struct access *a = &engine.accesses.at[r->first + i];
      if (!is_silent_and_blind(a) || is_known(a))
        continue;
      VEC_PUSH(looked_at, *a);
      engine.stale = true;
    }
    step = r->previous;
  }
}

bool blind_never(const struct access *a) {
  return is_known(a);
}

void blind_never_again(const struct access *a) {
  VEC_PUSH(looked_at, *a);
  engine.stale = true;
}

void blind_swap_failed(const struct access *a) {
  if (engine.mode == MODE_EXPLORE && engine.holding && engine.joins &&
      !engine.trying && !is_known(a))
    blind_never_again(a);
}

void blind_correct(struct access *a, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < looked_at.size && (a[i].mode & ACCESS_BLIND); k++)
      if (accesses_overlap(&a[i], &looked_at.at[k]))
        a[i].mode &= ~(uint32_t)ACCESS_BLIND;
}

const struct access *blind_corrected(const struct thread *t) {
  static VEC(struct access) copies[NATIVE_THREADS]; /* keep */
  const struct operation *op = t->pending;
  if (!looked_at.size || !op->accesses)
    return op->access;
  VEC_SIZED(copies[t->id], op->accesses);
  memcpy(copies[t->id].at, op->access, op->accesses * sizeof *op->access);
  blind_correct(copies[t->id].at, op->accesses);
  return copies[t->id].at;
}

void blind_learnt(struct packed *p) {
  PACKED_VEC(p, looked_at);
}
