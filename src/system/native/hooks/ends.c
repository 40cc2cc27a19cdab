/* The end of local and thread-local variables.
 *
 * When a function returns or its thread ends, its local variables end, and
 * their memory may be used for something else.  So the end is a step that
 * conflicts with every access to the variable.  After it the bytes are dead
 * until another variable begins there.  An access to dead bytes by another
 * thread is an error.  Of the owner itself, an access below its lowest frame is
 * one.  (Above, the same stack may serve code that announces nothing.)
 *
 * Most local variables are used by their own thread only.  Their end is no step
 * until another thread is seen to use them (locals.c), like an access to
 * private memory.  A replay does not know which variables other threads will
 * use; there every end is a step.
 */
#include "core/hook.h"
#include "system/native/libc/heap.h"
#include "system/native/engine/stackbits.h"
#include "system/native/verify/verify.h"

#include <string.h>

#define HOOK __attribute__((visibility("default")))

/* prog: bytes of the stacks that are dead. */
static unsigned char *dead[NATIVE_THREADS];

/* ---- dead bytes ---------------------------------------------------------- */

static void put_dead(const struct thread *t, uint64_t addr, uint64_t size,
                     bool value) {
  struct stackrange r = stackbits_range(t, addr, size);
  if (!dead[t->id])
    dead[t->id] = stackbits_new();
  if (r.first == r.end)
    return;
  undo_note(&dead[t->id][r.first / 8], (r.end - 1) / 8 - r.first / 8 + 1);
  stackbits_put(dead[t->id], r, value);
}

static void revive(const struct thread *t, uint64_t addr, uint64_t size) {
  if (stackbits_any(dead[t->id], stackbits_range(t, addr, size)))
    put_dead(t, addr, size, false);
}

void ends_reset(void) {
  for (unsigned i = 0; i < thread_count(); i++)
    if (dead[i])
      stackbits_clear(dead[i]);
}

static void check_own(uint64_t addr, size_t size, bool write,
                      const void *lowest, uint64_t pc) {
  if (likely(addr >= (uintptr_t)lowest) ||
      coroutine_of((uintptr_t)lowest) != self) /* a signal's stack */
    return;
  fail(FINDING_MEMORY, pc,
       "use after return: %s %zu bytes of a local variable whose function has "
       "returned",
       write ? "writes" : "reads", size);
}

void ends_check(uint64_t addr, size_t size, bool write, const void *lowest,
                uint64_t pc) {
  const struct thread *owner = coroutine_of(addr);
  if (likely(owner == self)) {
    check_own(addr, size, write, lowest, pc);
    return;
  }
  if (!owner || likely(!stackbits_any(dead[owner->id],
                                      stackbits_range(owner, addr, size))))
    return;
  fail(FINDING_MEMORY, pc,
       "use after return: %s %zu bytes of a local variable of T%u, whose "
       "function has returned",
       write ? "writes" : "reads", size, owner->id);
}

/* Is this a byte of `dead`? */
bool ends_keeps(const struct thread *t, const void *addr) {
  uintptr_t bits = (uintptr_t)dead[t->id];
  return bits && (uintptr_t)addr - bits < STACKBITS_SIZE;
}

/* ---- ends ---------------------------------------------------------------- */

bool end_is_step(bool lent) {
  if (lent || engine.hidden >= MOST_HIDDEN)
    return true;
  if (!self->atomic_depth)
    engine.hidden++;
  return false;
}

void announce_end(const void *addr, size_t size, uint64_t pc, hook_site site) {
  struct access access = {(uintptr_t)addr, (uint32_t)size, ACCESS_WRITE};
  struct operation op = {
      .op = OP_END, .pc = pc, .site = site, .accesses = 1, .access = &access};
  visible(&op);
}

static void end(void *addr, size_t size, uint64_t pc, hook_site site) {
  bool is_lent = engine.all_ends || locals_end(self, (uintptr_t)addr, size);
  if (!size || !end_is_step(is_lent))
    return;
  announce_end(addr, size, pc, site);
  put_dead(self, (uintptr_t)addr, size, true);
}

void ends_frames(void *lowest) {
  end(lowest, (size_t)(self->stack_base - (char *)lowest), 0, NULL);
}

void ends_frames_below(void *lowest, const char *place, uint64_t pc) {
  end(lowest, (size_t)(place - (char *)lowest), pc, NULL);
}

static bool is_unchecked(void) {
  return engine.mode != MODE_EXPLORE || !self;
}

HOOK void heddle_hook_local_begin(void *, size_t, hook_site);
HOOK void heddle_hook_local_begin(void *addr, size_t size, hook_site site) {
  if (is_unchecked())
    return;
  if (dead[self->id])
    revive(self, (uintptr_t)addr, size);
  if (unlikely(engine.following))
    replay_names_local(addr, size, site);
}

HOOK void heddle_hook_local_end(void *, size_t, hook_site);
HOOK void heddle_hook_local_end(void *addr, size_t size, hook_site site) {
  if (is_unchecked())
    return;
  if (unlikely(engine.watched))
    lent_end(addr, size);
  end(addr, size, CALLER, site);
}
