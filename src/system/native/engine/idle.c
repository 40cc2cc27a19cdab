/* Rounds that are in vain from their first look on.
 *
 *   do {
 *     before = sequence;
 *     x = a;
 *     y = b;
 *   } while ((before & 1) || sequence != before);
 *
 * A thread that has read an odd sequence comes back to the head whatever a and
 * b are: no round uses these values (HOOK_IDLE, cc/instrument/idle.c).  So the
 * look at the sequence is the one that closes the round, and waits.  Whether it
 * is enabled depends on the value of this one place, as always: the reads
 * behind it are taken for where they lead, and their values make no difference.
 *
 * They must be atomic: a data race of a round that is left out would not be
 * found.  And their memory must be there in every state in which the look can
 * be taken: a global variable, or part of the block that is looked at.
 */
#include "idle.h"

#include "system/native/libc/heap.h"

/* More than a round that waits has. */
enum { MOST_READS = 32 };

static bool is_in_same_block(const void *a, const void *b) {
  uint64_t start[2], size, pc;
  return heap_find(a, &start[0], &size, &pc) &&
         heap_find(b, &start[1], &size, &pc) && start[0] == start[1];
}

static bool is_there(const struct access *a, const struct access *look) {
  const void *at = (const void *)(uintptr_t)a->addr;
  if (heap_contains(at))
    return is_in_same_block(at, (const void *)(uintptr_t)look->addr);
  return !coroutine_of(a->addr);
}

static bool is_idle(const struct operation *op, const struct access *look) {
  return op && op->idle && op->op == OP_LOAD && is_there(op->access, look);
}

void idle_follow(struct thread *t, size_t depth) {
  const struct access look = engine.accesses.at[engine.steps.at[depth].first];
  const char *frame = NULL;
  struct step step;
  for (int i = 0; i < MOST_READS && !engine.came_round; i++) {
    if (!is_idle(t->pending, &look) || (frame && frame != t->pending->idle))
      return;
    frame = t->pending->idle;
    if (engine_step(t, 0, &step) != STEP_DONE)
      return;
  }
  if (engine.came_since > depth || engine.came_frame != frame)
    engine.came_round = false;
}
