/* Which bytes of the stacks belong to their thread alone.
 *
 * A waiting loop may change local variables on its way round, for instance the
 * expected value of a compare-and-swap.  If no other thread looks at them, they
 * are part of the local state, which is compared as a whole.  If another thread
 * does, the loop does more than read.  Which threads look is known only at the
 * end of the search.  So two kinds of bytes are marked: those of a stack that
 * another thread has touched in any execution, and those that were taken for
 * private because of a loop.  A byte with both marks proves an earlier decision
 * wrong: the program is refused.
 */
#include "stackbits.h"
#include "learnt.h"
#include "system/native/verify/verify.h"

enum mark {
  FOREIGN, /* touched by another thread */
  PRIVATE, /* taken for the owner's own because of a loop */
  ENDED,   /* of a variable whose end was no step */
  MARKS
};

/* keep */
static unsigned char *marks[NATIVE_THREADS][MARKS];

enum { WORDS = STACKBITS_SIZE / 8 };

/* keep: so many words of the marks, the last ones, may not be 0.  Stacks grow
 * downwards. */
static uint32_t deepest[NATIVE_THREADS][MARKS];

static void set(const struct thread *t, enum mark mark, struct stackrange r) {
  uint32_t depth = WORDS - (uint32_t)(r.first / 64);
  if (!marks[t->id][mark])
    marks[t->id][mark] = stackbits_new();
  if (deepest[t->id][mark] < depth)
    deepest[t->id][mark] = depth;
  stackbits_put(marks[t->id][mark], r, true);
}

static bool has(const struct thread *t, enum mark mark, struct stackrange r) {
  return stackbits_any(marks[t->id][mark], r);
}

static struct stackrange range(const struct thread *t, const struct access *a) {
  return stackbits_range(t, a->addr, a->size);
}

/* The end of a variable is a step only if another thread is known to use it. */
bool locals_end(const struct thread *t, uint64_t addr, uint64_t size) {
  struct stackrange r = stackbits_range(t, addr, size);
  if (has(t, FOREIGN, r))
    return true;
  set(t, ENDED, r);
  return false;
}

static void set_foreign(const struct thread *owner, struct stackrange r) {
  if (!has(owner, FOREIGN, r))
    engine_learns();
  if (has(owner, ENDED, r)) {
    engine.stale = true;
    stackbits_put(marks[owner->id][ENDED], r, false);
  }
  set(owner, FOREIGN, r);
}

void locals_look_at(uint32_t thread, const struct access *a) {
  const struct thread *owner = coroutine_of(a->addr);
  if (!owner || owner->id == thread || a->addr < (uintptr_t)owner->stack_low)
    return;
  if (unlikely(engine.watched))
    lent_use(thread, a);
  if (has(owner, PRIVATE, range(owner, a)))
    refuse("T%u uses a local variable of T%u that a loop of T%u changes "
           "while it waits: heddle cannot tell whether the loop ends",
           thread, owner->id, owner->id);
  set_foreign(owner, range(owner, a));
}

/* keep: for each thread, an upper bound of 1 + the latest step in which another
 * thread wrote on its stack.  It stays when that step is undone. */
static uint32_t written_in[NATIVE_THREADS];

void locals_look_at_writes(const struct record *r) {
  for (size_t i = r->entries; i < engine.log.size; i++) {
    uint64_t addr = (uintptr_t)ENTRY_ADDRESS(engine.log.at[i]);
    const struct thread *owner = in_stacks(addr) ? coroutine_of(addr) : NULL;
    if (owner && owner->id != r->thread)
      written_in[owner->id] = step_now();
  }
}

bool locals_may_be_written(const struct thread *t, uint32_t step) {
  return written_in[t->id] >= step;
}

void locals_look(const struct record *r) {
  for (uint32_t i = 0; i < r->accesses; i++)
    locals_look_at(r->thread, &engine.accesses.at[r->first + i]);
}

/* Calls `what` for each write to t's own stack by t's steps from `first` on,
 * until it returns false. */
static bool each_write(const struct thread *t, uint32_t first,
                       bool (*what)(const struct thread *,
                                    const struct access *)) {
  for (uint32_t step = t->last_step; step >= first;) {
    const struct record *r = &engine.steps.at[step - 1];
    for (uint32_t i = 0; r->local && i < r->accesses; i++) {
      const struct access *a = &engine.accesses.at[r->first + i];
      if (a->mode & ACCESS_WRITE && coroutine_of(a->addr) == t && !what(t, a))
        return false;
    }
    step = r->previous;
  }
  return true;
}

static bool is_private(const struct thread *t, const struct access *a) {
  return !has(t, FOREIGN, range(t, a));
}

static bool make_private(const struct thread *t, const struct access *a) {
  set(t, PRIVATE, range(t, a));
  return true;
}

bool locals_claim(const struct thread *t, uint32_t first) {
  return each_write(t, first, is_private) && each_write(t, first, make_private);
}

/* The words of a mark that are not 0, with their numbers; a number behind the
 * last one ends them. */
static void mark_learnt(struct packed *p, unsigned char *bits, uint32_t depth) {
  uint64_t *words = (uint64_t *)(void *)bits;
  uint32_t i = WORDS - depth;
  for (;; i++) {
    while (p->to && i < WORDS && !words[i])
      i++;
    PACKED(p, i);
    if (p->bad || i >= WORDS)
      return;
    PACKED(p, words[i]);
  }
}

void locals_learnt(struct packed *p) {
  for (unsigned t = 0; t < thread_count(); t++)
    for (enum mark m = 0; m < MARKS; m++) {
      bool used = marks[t][m];
      PACKED(p, used);
      if (used && !marks[t][m])
        marks[t][m] = stackbits_new();
      if (used && !p->to)
        deepest[t][m] = WORDS;
      if (used)
        mark_learnt(p, marks[t][m], deepest[t][m]);
    }
}
