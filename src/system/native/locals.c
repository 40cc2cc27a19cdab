/* Which bytes of the stacks belong to their thread alone.
 *
 * A loop that waits may change local variables on its way round, for instance
 * what a compare-and-swap expects.  If nobody else looks at them they are part
 * of the local state, which is compared as a whole; if somebody does, the loop
 * is not one that only reads.  Who looks is known only in the end.  So every
 * byte of a stack that another thread has touched in any execution is marked,
 * and so is every byte that was taken for private because of a loop.  A byte
 * that gets both marks proves an earlier decision wrong: the program is
 * refused.
 */
#include "verify.h"

#include <string.h>
#include <sys/mman.h>

enum mark { FOREIGN, PRIVATE, MARKS };

/* keep: a bit for every byte of the stack. */
static unsigned char *marks[NATIVE_THREADS][MARKS];

static unsigned char *map_marks(void) {
  void *at = mmap(NULL, STACK_SIZE / 8, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ensure(at != MAP_FAILED);
  return at;
}

static void set(const struct thread *t, enum mark mark,
                const struct access *a) {
  if (!marks[t->id][mark])
    marks[t->id][mark] = map_marks();
  for (uint64_t b = a->addr; b < a->addr + a->size; b++) {
    uint64_t offset = b - (uintptr_t)t->stack_low;
    if (b < (uintptr_t)t->stack_base)
      marks[t->id][mark][offset / 8] |= (unsigned char)(1 << offset % 8);
  }
}

static bool has(const struct thread *t, enum mark mark,
                const struct access *a) {
  const unsigned char *bits = marks[t->id][mark];
  for (uint64_t b = a->addr; bits && b < a->addr + a->size; b++) {
    uint64_t offset = b - (uintptr_t)t->stack_low;
    if (b < (uintptr_t)t->stack_base && bits[offset / 8] >> offset % 8 & 1)
      return true;
  }
  return false;
}

void locals_look_at(uint32_t thread, const struct access *a) {
  const struct thread *owner = coroutine_of(a->addr);
  if (!owner || owner->id == thread || a->addr < (uintptr_t)owner->stack_low)
    return;
  if (unlikely(engine.watched))
    lent_use(thread, a);
  if (has(owner, PRIVATE, a))
    refuse("T%u uses a local variable of T%u that a loop of T%u changes "
           "while it waits: heddle cannot tell whether the loop ends",
           thread, owner->id, owner->id);
  set(owner, FOREIGN, a);
}

void locals_look(const struct record *r) {
  for (uint32_t i = 0; i < r->accesses; i++)
    locals_look_at(r->thread, &engine.accesses.at[r->first + i]);
}

/* Calls what for the writes to its own stack of t's steps from `first` on. */
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
  return !has(t, FOREIGN, a);
}

static bool make_private(const struct thread *t, const struct access *a) {
  set(t, PRIVATE, a);
  return true;
}

bool locals_claim(const struct thread *t, uint32_t first) {
  return each_write(t, first, is_private) && each_write(t, first, make_private);
}
