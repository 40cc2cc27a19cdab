/* Going back by running again: --rollback=replay.
 *
 * The program's memory as it was right before main is written back and the
 * moves are taken again.  Slow, but independent of the undo log: tests compare
 * the two.  Every step must be the one that was recorded; if it is not, the
 * program is not deterministic.
 */
#include "engine.h"
#include "round.h"
#include "system/native/libc/heap.h"
#include "system/native/libc/libc.h"

#include <string.h>
#include <sys/mman.h>

/* keep: the state before main. */
static struct {
  segment_list segments;
  VEC(char) bytes; /* of the segments, then of the threads */
  unsigned threads;
} initial;

/* The steps to take again, while the engine records them anew. */
static struct {
  VEC(struct record) steps;
  VEC(struct access) accesses;
} old;

static void save(const void *from, size_t size) {
  VEC_RESERVE(initial.bytes, size);
  memcpy(&initial.bytes.at[initial.bytes.size], from, size);
  initial.bytes.size += size;
}

/* Threads that constructors created are paused in their first operation. */
static size_t stack_in_use(const struct thread *t) {
  return t->sp ? (size_t)(t->stack_base - (const char *)t->sp) : 0;
}

/* Clears the bytes below the stack pointer.  Variables that are not initialised
 * would hold what an earlier run left there, and whether the first write
 * changes them would depend on it. */
static void clear_unused(const struct thread *t) {
  char *end = t->stack_base - stack_in_use(t);
  char *page = (char *)((uintptr_t)end & ~(uintptr_t)4095);
  ensure(!madvise(t->stack_low, (size_t)(page - t->stack_low), MADV_DONTNEED));
  memset(page, 0, (size_t)(end - page));
}

void rollback_prepare(void) {
  module_segments(&initial.segments);
  for (size_t i = 0; i < initial.segments.size; i++) {
    const struct segment *s = &initial.segments.at[i];
    save(s->start, (size_t)(s->end - s->start));
  }
  initial.threads = thread_count();
  for (unsigned i = 0; i < initial.threads; i++) {
    const struct thread *t = thread_get(i);
    clear_unused(t);
    save(t, sizeof *t);
    save(t->sp, stack_in_use(t));
  }
}

static const char *restore(void *to, const char *from, size_t size) {
  memcpy(to, from, size);
  return from + size;
}

static void restore_threads(const char *from) {
  for (unsigned i = 0; i < thread_count(); i++) {
    struct thread *t = thread_get(i);
    if (i < initial.threads) {
      from = restore(t, from, sizeof *t);
      from = restore(t->sp, from, stack_in_use(t));
      clear_unused(t);
      continue;
    }
    struct thread fresh = {.id = t->id,
                           .parent = t->parent,
                           .user = t->id + 1,
                           .stack_low = t->stack_low,
                           .stack_base = t->stack_base};
    *t = fresh;
    clear_unused(t);
  }
}

static void restore_initial(void) {
  const char *from = initial.bytes.at;
  for (size_t i = 0; i < initial.segments.size; i++) {
    const struct segment *s = &initial.segments.at[i];
    from = restore(s->start, from, (size_t)(s->end - s->start));
  }
  restore_threads(from);
  heap_reset();
  ends_reset();
  output_reset();
  engine.steps.size = engine.log.size = 0;
  engine.bytes.size = engine.accesses.size = engine.data.size = 0;
  engine.causes.size = 0;
  engine.rounds.size = engine.loops.size = 0;
  round_undo(0);
  lent_undo(0);
  engine.has_finding = false;
}

/* ---- taking steps again -------------------------------------------------- */

/* The mark of a silent write is not compared: it may depend on bytes that an
 * earlier run left on a stack. */
static bool same_accesses(const struct access *a, const struct access *b,
                          uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (a[i].addr != b[i].addr || a[i].size != b[i].size ||
        ((a[i].mode ^ b[i].mode) & ~(uint32_t)ACCESS_SILENT))
      return false;
  return true;
}

static bool same_step(const struct record *before, const struct step *now) {
  return before->op == now->op && before->pc == now->pc &&
         before->choices == now->choices && before->accesses == now->accesses &&
         same_accesses(&old.accesses.at[before->first], now->access,
                       now->accesses);
}

static void diverge(const struct record *r, const char *what) {
  engine.has_finding = false;
  finding_set(FINDING_NONDETERMINISM, r->pc,
              "run again with the same schedule, T%u %s (it should do: %s)",
              r->thread, what, op_name(r->op));
  engine.finding.proc = r->thread;
}

static bool take_again(const struct record *r) {
  struct thread *t = thread_get(r->thread);
  struct step now;
  if (!engine_enabled(t)) {
    diverge(r, "cannot go on");
    return false;
  }
  if (engine_step(t, r->choice, &now) == STEP_REFUSED || !same_step(r, &now)) {
    diverge(r, "does something else");
    return false;
  }
  return true;
}

static void set_aside(size_t depth) {
  const struct record *end = &engine.steps.at[depth];
  old.steps.size = old.accesses.size = 0;
  VEC_RESERVE(old.steps, depth);
  VEC_RESERVE(old.accesses, end->first);
  memcpy(old.steps.at, engine.steps.at, depth * sizeof *old.steps.at);
  memcpy(old.accesses.at, engine.accesses.at,
         end->first * sizeof *old.accesses.at);
}

bool rollback_to(size_t depth) {
  if (depth == engine.steps.size)
    return true;
  set_aside(depth);
  restore_initial();
  for (size_t i = 0; i < depth; i++)
    if (!take_again(&old.steps.at[i]))
      return engine.stale; /* steps are finer now: the search begins anew */
  engine.has_finding = false;
  return true;
}
