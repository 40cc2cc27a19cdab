/* Memory that only one thread uses, in rounds of loops.
 *
 * It is part of the thread's local state.  So a round that writes it is in vain
 * only if the memory is in the end as it was, or if what the round wrote is
 * dead: every round writes it anew before it reads any memory of its own
 * (cc/instrument/renewed.c), or the thread does before it reads that place
 * (leftover.c).
 */
#include "own.h"

#include <pthread.h>
#include <string.h>

#include "leftover.h"
#include "round.h"
#include "stackbits.h"
#include "timekeeping.h"

/* ---- what was there at first --------------------------------------------- */

static bool covers(const struct entry *e, const char *byte) {
  size_t size;
  undo_old_bytes(e, &size);
  return byte >= ENTRY_ADDRESS(*e) && byte < ENTRY_ADDRESS(*e) + size;
}

static bool is_noted(size_t from, size_t end, const char *byte) {
  for (size_t i = from; i < end; i++)
    if (covers(&engine.log.at[i], byte))
      return true;
  return false;
}

/* Are the entry's old bytes there again?  If not, an older entry may say what
 * was there at first. */
static bool is_as_at_first(size_t first, size_t entry) {
  size_t size;
  const char *at = ENTRY_ADDRESS(engine.log.at[entry]);
  const char *old = undo_old_bytes(&engine.log.at[entry], &size);
  for (size_t b = 0; b < size; b++) {
    if (at[b] != old[b] && !is_noted(first, entry, at + b))
      return false;
  }
  return true;
}

/* What a thread does before its first step is part of the step that created
 * it. */
static bool written_at_first(const struct thread *t, size_t entry,
                             const char *byte) {
  size_t step = engine.born[t->id];
  if (!step)
    return false;
  size_t end = step < engine.steps.size ? engine.steps.at[step].entries : entry;
  return is_noted(engine.steps.at[step - 1].entries, end < entry ? end : entry,
                  byte);
}

/* Before a variable on the stack is first written, its bytes are what other
 * executions left there.  Was this byte written before the entry, and part of
 * the stack ever since? */
static bool is_known(const struct thread *t, size_t entry, const char *byte) {
  for (uint32_t step = t->last_step; step;) {
    const struct record *r = &engine.steps.at[step - 1];
    size_t end = step < engine.steps.size ? r[1].entries : entry;
    if (is_noted(r->entries, end < entry ? end : entry, byte))
      return true;
    if (r->saved[0] > (uintptr_t)byte)
      return false;
    step = r->previous;
  }
  return written_at_first(t, entry, byte);
}

static bool all_known(const struct thread *t, size_t entry, const char *at,
                      size_t size) {
  for (size_t b = 0; b < size; b++)
    if (!is_known(t, entry, at + b))
      return false;
  return true;
}

/* ---- variables of a thread ----------------------------------------------- */

/* keep: the bytes of each stack that were ever in a variable whose accesses are
 * no steps (cc/instrument/shown.c). */
static unsigned char *shown[NATIVE_THREADS];

static bool is_last_noted(const void *addr, size_t size) {
  uint64_t place = (uint64_t)(uintptr_t)addr | (uint64_t)size << ENTRY_SHIFT;
  return engine.log.size && VEC_TOP(engine.log).place == place;
}

void own_changes(struct thread *t, void *addr, size_t size) {
  if (!shown[t->id])
    shown[t->id] = stackbits_new();
  stackbits_put(shown[t->id], stackbits_range(t, (uintptr_t)addr, size), true);
  if (!is_last_noted(addr, size) && ++engine.changes > MOST_OWN_WRITES)
    round_changes();
  undo_note(addr, size);
}

bool own_is_shown(const struct thread *t, const void *addr) {
  return shown[t->id] &&
         stackbits_any(shown[t->id], stackbits_range(t, (uintptr_t)addr, 1));
}

static size_t step_of(size_t entry) {
  size_t first = 0, end = engine.steps.size;
  while (end - first > 1) {
    size_t middle = first + (end - first) / 2;
    if (engine.steps.at[middle].entries <= entry)
      first = middle;
    else
      end = middle;
  }
  return first;
}

static bool wrote(const struct thread *t, size_t entry) {
  size_t step = step_of(entry);
  return engine.steps.at[step].thread == t->id ||
         step + 1 == engine.born[t->id];
}

static bool is_shown(const struct thread *t, size_t entry) {
  return own_is_shown(t, ENTRY_ADDRESS(engine.log.at[entry])) &&
         wrote(t, entry);
}

/* What the runtime keeps for the thread: it reads that without a step. */
static bool is_kept(const struct thread *t, const char *at) {
  return at == (const char *)&t->cancel_state ||
         at == (const char *)&t->cancel_type ||
         (at >= (const char *)t->keys &&
          at < (const char *)&t->keys[NATIVE_KEYS]);
}

/* When a schedule is followed every access is a step, and what a thread that
 * goes on alone changes is all its own. */
static bool is_own(const struct thread *t, size_t entry) {
  const char *at = ENTRY_ADDRESS(engine.log.at[entry]);
  if (!engine.following)
    return sharing_is_own(t, (uintptr_t)at) || is_shown(t, entry) ||
           is_kept(t, at);
  return !undo_is_beside(t, at);
}

/* ---- what matters -------------------------------------------------------- */

static bool is_on_stack(const struct thread *t, const char *at) {
  return at >= t->stack_low && at < t->stack_base;
}

static bool is_renewed(const struct renewed *renewed, const char *at,
                       size_t size) {
  for (size_t i = 0; i < renewed->count; i++) {
    const struct renewed_place *p = &renewed->place[i];
    if (at >= p->at && at + size <= p->at + p->size)
      return true;
  }
  return false;
}

/* Own memory that is alive at the head of this loop? */
static bool matters(const struct thread *t, size_t entry, size_t size,
                    const char *frame, const struct renewed *renewed) {
  const char *at = ENTRY_ADDRESS(engine.log.at[entry]);
  return !(is_on_stack(t, at) && at < frame) && is_own(t, entry) &&
         !is_renewed(renewed, at, size);
}

/* A loop that counts writes the same place again and again. */
static bool is_repeated(size_t entries, size_t entry) {
  return entry > entries &&
         engine.log.at[entry].place == engine.log.at[entry - 1].place;
}

/* Is the entry's memory as it was, whatever other executions left there? */
static bool is_settled(const struct thread *t, size_t entries, size_t entry,
                       size_t size) {
  const char *at = ENTRY_ADDRESS(engine.log.at[entry]);
  return is_as_at_first(entries, entry) &&
         (!is_on_stack(t, at) || all_known(t, entries, at, size));
}

/* Calls `changed` for each change that matters, until it returns false.  Uses
 * of what the runtime keeps are not watched. */
static bool each_change(const struct thread *t, const struct round *since,
                        const char *frame, const struct renewed *renewed,
                        bool (*changed)(const struct thread *, uint64_t pc,
                                        const char *at, size_t size)) {
  uint32_t writes = 0;
  for (size_t i = since->entries; i < engine.log.size; i++) {
    size_t size;
    const char *at = ENTRY_ADDRESS(engine.log.at[i]);
    undo_old_bytes(&engine.log.at[i], &size);
    if (is_repeated(since->entries, i) || !matters(t, i, size, frame, renewed))
      continue;
    if (++writes > MOST_OWN_WRITES)
      return false;
    if (!is_settled(t, since->entries, i, size) &&
        (is_kept(t, at) || !changed(t, since->pc, at, size)))
      return false;
  }
  return true;
}

static bool watch(const struct thread *t, uint64_t pc, const char *at,
                  size_t size) {
  if (!leftover_is_dead(t, pc, at, size))
    leftover_watch(t, pc, at, size);
  return true;
}

bool own_is_as_at(const struct thread *t, const struct round *since,
                  const char *frame, const struct renewed *renewed) {
  if (each_change(t, since, frame, renewed, leftover_is_dead))
    return true;
  if (!engine.following &&
      each_change(t, since, frame, renewed, leftover_may_be_dead))
    each_change(t, since, frame, renewed, watch);
  return false;
}

/* State of the runtime's own lies there, and in the structs of threads. */
static bool is_in_object(const struct thread *t, const char *at,
                         const struct access *objects, size_t count) {
  uint64_t slot = ((uintptr_t)at - STACK_AREA) / STACK_SLOT;
  if (slot < engine.thread_count && slot != t->id &&
      (uintptr_t)at - (uintptr_t)engine.threads[slot] < sizeof *t)
    return true;
  for (size_t i = 0; i < count; i++)
    if ((uintptr_t)at - objects[i].addr < sizeof(pthread_cond_t))
      return true;
  return false;
}

/* What was there when the log had so many entries. */
static char byte_at(size_t entries, const char *at) {
  for (size_t i = entries; i < engine.log.size; i++) {
    size_t size;
    const char *old = undo_old_bytes(&engine.log.at[i], &size);
    if (covers(&engine.log.at[i], at))
      return old[at - ENTRY_ADDRESS(engine.log.at[i])];
  }
  return *at;
}

static bool same_bytes(size_t then, size_t now, const char *at, size_t size) {
  for (size_t b = 0; b < size; b++)
    if (byte_at(then, at + b) != byte_at(now, at + b))
      return false;
  return true;
}

bool own_was_same(const struct thread *t, const struct round *then,
                  const struct round *now, const struct access *objects,
                  size_t count) {
  static const struct renewed nothing;
  uint32_t writes = 0;
  for (size_t i = then->entries; i < now->entries; i++) {
    size_t size;
    const char *at = ENTRY_ADDRESS(engine.log.at[i]);
    undo_old_bytes(&engine.log.at[i], &size);
    if (is_repeated(then->entries, i) || is_in_object(t, at, objects, count) ||
        !matters(t, i, size, now->frame, &nothing) ||
        (engine.following && !wrote(t, i)))
      continue;
    if (++writes > MOST_OWN_WRITES ||
        !same_bytes(then->entries, now->entries, at, size) ||
        (is_on_stack(t, at) && !all_known(t, then->entries, at, size)))
      return false;
  }
  return true;
}

/* ---- two states compared ------------------------------------------------- */

/* Noted, but not a change of memory that the program uses. */
static bool is_ignored(const struct thread *t, size_t entries, size_t entry,
                       const char *frame) {
  const char *at = ENTRY_ADDRESS(engine.log.at[entry]);
  if (is_on_stack(t, at))
    return at < frame;
  return undo_is_beside(t, at) || is_as_at_first(entries, entry);
}

bool own_collect(const struct thread *t, size_t entries,
                 const struct round *now, const struct renewed *renewed,
                 struct own *to) {
  to->count = 0;
  for (size_t i = entries; i < engine.log.size; i++) {
    size_t size;
    const char *at = ENTRY_ADDRESS(engine.log.at[i]);
    undo_old_bytes(&engine.log.at[i], &size);
    if (is_ignored(t, entries, i, now->frame))
      continue;
    if (is_renewed(renewed, at, size))
      continue; /* its own, or a link: retry.c */
    if (leftover_is_dead(t, now->pc, at, size))
      continue;
    if (!is_own(t, i))
      return false;
    if (size > 8 || to->count == MOST_OWN_WRITES ||
        (is_on_stack(t, at) && !all_known(t, entries, at, size)))
      return false;
    struct own_bytes *b = &to->at[to->count++];
    *b = (struct own_bytes){at, size, 0};
    memcpy(&b->bytes, at, size);
  }
  return true;
}

static bool has(const struct own *own, const struct own_bytes *b) {
  for (size_t i = 0; i < own->count; i++)
    if (own->at[i].at == b->at && own->at[i].size == b->size)
      return own->at[i].bytes == b->bytes;
  return false;
}

static bool contains(const struct own *all, const struct own *some) {
  for (size_t i = 0; i < some->count; i++)
    if (!has(all, &some->at[i]))
      return false;
  return true;
}

bool own_same(const struct own *a, const struct own *b) {
  return contains(a, b) && contains(b, a);
}
