/* Taking steps back.
 *
 * A step's part of the log is undone backwards, then the thread's stack and
 * first fields are written back as they were.  The snapshot covers whatever the
 * thread changed on its stack without a hook.
 *
 * The log also tells what a step really changed: a write of the old value is
 * silent.
 */
#include "engine.h"
#include "leftover.h"
#include "own.h"
#include "round.h"
#include "timekeeping.h"

#include <string.h>

/* ---- the log ------------------------------------------------------------- */

enum { LARGE_HEAD = 16 }; /* the size before large old bytes, keeps alignment */

static __attribute__((noinline)) void note_large(void *addr, size_t size) {
  size_t room = LARGE_HEAD + ((size + 15) & ~(size_t)15);
  VEC_RESERVE(engine.bytes, room);
  char *to = &engine.bytes.at[engine.bytes.size];
  memcpy(to, &size, sizeof size);
  memcpy(to + LARGE_HEAD, addr, size);
  VEC_PUSH(engine.log, (struct entry){(uint64_t)(uintptr_t)addr |
                                          (uint64_t)ENTRY_LARGE << ENTRY_SHIFT,
                                      engine.bytes.size});
  engine.bytes.size += room;
}

static inline uint64_t fetch(const void *addr, size_t size) {
  uint64_t bytes = 0;
  switch (size) {
  case 1:
    return *(const volatile uint8_t *)addr;
  case 4:
    memcpy(&bytes, addr, 4);
    return bytes;
  case 8:
    memcpy(&bytes, addr, 8);
    return bytes;
  default:
    memcpy(&bytes, addr, size);
    return bytes;
  }
}

void undo_note(void *addr, size_t size) {
  if (engine.mode != MODE_EXPLORE)
    return;
  if (unlikely(size > 8)) {
    note_large(addr, size);
    return;
  }
  VEC_PUSH(engine.log, (struct entry){(uint64_t)(uintptr_t)addr |
                                          (uint64_t)size << ENTRY_SHIFT,
                                      fetch(addr, size)});
}

void undo_note_4(void *addr) {
  if (engine.mode == MODE_EXPLORE)
    undo_note_word(addr, 4);
}

void undo_note_8(void *addr) {
  if (engine.mode == MODE_EXPLORE)
    undo_note_word(addr, 8);
}

const char *undo_old_bytes(const struct entry *e, size_t *size) {
  *size = ENTRY_SIZE(*e);
  if (*size != ENTRY_LARGE)
    return (const char *)&e->old;
  const char *at = &engine.bytes.at[e->old];
  memcpy(size, at, sizeof *size);
  return at + LARGE_HEAD;
}

static inline void put_back(const struct entry *e) {
  char *addr = ENTRY_ADDRESS(*e);
  switch (ENTRY_SIZE(*e)) {
  case 1:
    *(uint8_t *)addr = (uint8_t)e->old;
    return;
  case 4:
    memcpy(addr, &e->old, 4);
    return;
  case 8:
    memcpy(addr, &e->old, 8);
    return;
  default: {
    size_t size;
    const char *old = undo_old_bytes(e, &size);
    memcpy(addr, old, size);
  }
  }
}

/* Of several steps of one thread that are undone, only the earliest restores
 * the stack: it restores all of it. */
void undo_to(size_t depth) {
  ensure(depth <= engine.steps.size);
  while (engine.steps.size > depth) {
    const struct record *r = &VEC_POP(engine.steps);
    for (size_t i = engine.log.size; i-- > r->entries;)
      put_back(&engine.log.at[i]);
    engine.log.size = r->entries;
    bool first = r->previous <= depth;
    stack_restore(r, first);
    if (first)
      memcpy(engine.threads[r->thread], r->saved, SAVED_SIZE);
    engine.bytes.size = r->bytes;
    engine.accesses.size = r->first;
    engine.causes.size = r->causes;
    engine.data.size = r->data;
    engine.rounds.size = r->rounds;
    engine.loops.size = r->loops;
  }
  if (unlikely(engine.lookers.size))
    round_undo(depth);
  if (unlikely(engine.watched))
    lent_undo(depth);
  if (unlikely(engine.stores))
    stored_undo(depth);
  engine.has_finding = engine.refused = false;
}

/* ---- what a step changed ------------------------------------------------- */

enum { PART = 64 }; /* bytes compared together: one bit of a word each */

/* The oldest entry that covers a byte has its value before the step.  Returns
 * the bytes that no entry covers: if they exist, they have not changed. */
static uint64_t bytes_before(size_t first, uint64_t addr, unsigned char *to,
                             size_t size) {
  uint64_t wanted = ~0ull >> (PART - size);
  for (size_t i = first; i < engine.log.size && wanted; i++) {
    const struct entry *e = &engine.log.at[i];
    uint64_t at = (uintptr_t)ENTRY_ADDRESS(*e);
    size_t length;
    const char *old = undo_old_bytes(e, &length);
    if (at >= addr + size || addr >= at + length)
      continue;
    uint64_t from = at > addr ? at : addr;
    uint64_t end = at + length < addr + size ? at + length : addr + size;
    for (uint64_t b = from; b < end; b++) {
      if (wanted >> (b - addr) & 1)
        to[b - addr] = (unsigned char)old[b - at];
      wanted &= ~(1ull << (b - addr));
    }
  }
  return wanted;
}

void undo_bytes_before(size_t depth, uint64_t addr, unsigned char *to,
                       size_t size) {
  memcpy(to, (const void *)(uintptr_t)addr, size);
  for (size_t done = 0; done < size; done += PART)
    bytes_before(engine.steps.at[depth].entries, addr + done, to + done,
                 size - done < PART ? size - done : PART);
}

bool undo_unchanged(const struct record *r, uint64_t addr, size_t size) {
  const struct entry *e = &engine.log.at[r->entries];
  if (r->entries < engine.log.size && size <= 8 &&
      e->place == (addr | (uint64_t)size << ENTRY_SHIFT))
    return fetch((const void *)(uintptr_t)addr, size) == e->old;
  while (size) {
    unsigned char before[PART];
    size_t part = size < PART ? size : PART;
    if (bytes_before(r->entries, addr, before, part) ||
        memcmp(before, (const void *)(uintptr_t)addr, part) != 0)
      return false;
    addr += part;
    size -= part;
  }
  return true;
}

/* A new stack frame holds bytes of other executions until they are written.
 * Whether the first write changed them must not show in the event. */
static bool on_own_stack(const struct record *r, uint64_t addr) {
  const struct thread *t = engine.threads[r->thread];
  return addr >= (uintptr_t)t->stack_low && addr < (uintptr_t)t->stack_base;
}

/* Four things.  Slept time: it shows only when a thread asks for the time,
 * which is a change of its own, so a loop may wait by sleeping.  The end of a
 * variable: it begins anew in the next round of a loop.  The mark that a thread
 * has released something: an update that leaves the old value releases nothing,
 * and where a loop goes on the thread sets the mark then.  What is known of
 * places where a round left something (leftover.c): each writes them anew. */
bool undo_is_beside(const struct thread *t, const void *at) {
  return time_is_kept_at(at) || ends_keeps(t, at) || leftover_keeps(at) ||
         at == &t->has_released;
}

/* Are all bytes that the step noted as they were?  If an entry's old bytes are
 * there again, the entry is settled; if not, an older entry may cover them. */
static bool entries_unchanged(const struct record *r, bool but_stack) {
  for (size_t i = r->entries; i < engine.log.size; i++) {
    size_t size;
    const struct entry *e = &engine.log.at[i];
    const char *old = undo_old_bytes(e, &size);
    if (but_stack && on_own_stack(r, (uintptr_t)ENTRY_ADDRESS(*e)))
      continue;
    if (own_is_shown(engine.threads[r->thread], ENTRY_ADDRESS(*e)))
      continue; /* local state: compared as such */
    if (memcmp(old, ENTRY_ADDRESS(*e), size) != 0 &&
        !undo_is_beside(engine.threads[r->thread], ENTRY_ADDRESS(*e)) &&
        !undo_unchanged(r, (uintptr_t)ENTRY_ADDRESS(*e), size))
      return false;
  }
  return true;
}

/* Steps that a loop can repeat for ever without an effect on other threads. */
static bool can_be_quiet(const struct record *r) {
  return op_table[r->op].repeats && r->choices == 1 &&
         !(r->flags & STEP_BLOCKING);
}

/* Updates of one kind have no order: which of them changed the bytes
 * is not defined. */
static bool is_silent(const struct record *r, const struct access *a) {
  return op_is_of_data(r->op) && !(a->mode & ACCESS_KIND) &&
         undo_unchanged(r, a->addr, a->size);
}

static __attribute__((noinline)) bool mark_all(struct record *r) {
  bool data = op_is_of_data(r->op), quiet = can_be_quiet(r), local = quiet;
  for (uint32_t i = 0; i < r->accesses; i++) {
    struct access *a = &engine.accesses.at[r->first + i];
    bool own = on_own_stack(r, a->addr);
    if (!(a->mode & ACCESS_WRITE))
      continue;
    if (!is_silent(r, a)) {
      quiet = false;
      local = local && data && own;
    } else if (!own) {
      a->mode |= ACCESS_SILENT;
    }
  }
  if (!engine.threads[r->thread]->pending) /* it has ended, which is a change */
    quiet = local = false;
  r->quiet = quiet && entries_unchanged(r, false);
  r->local = local && !r->quiet && entries_unchanged(r, true);
  return r->quiet || r->local;
}

/* The usual steps first: one read, and one write of a word that changed it. */
bool undo_mark_silent(struct record *r) {
  struct access *a = &engine.accesses.at[r->first];
  const struct entry *e = &engine.log.at[r->entries];
  size_t entries = engine.log.size - r->entries;
  if (unlikely(r->op == OP_END)) {
    r->quiet = 0;
    r->local = entries_unchanged(r, true);
    return r->local;
  }
  if (!op_is_of_data(r->op) && !can_be_quiet(r)) { /* joins, creations, locks */
    r->quiet = r->local = 0;
    return false;
  }
  if (likely(r->accesses == 1) && op_is_of_data(r->op)) {
    if (!entries && !(a->mode & ACCESS_WRITE)) {
      r->quiet = 1;
      r->local = 0;
      return true;
    }
    bool ended = !engine.threads[r->thread]->pending; /* which is a change */
    if (ended && !(a->mode & ACCESS_WRITE)) {
      r->quiet = r->local = 0;
      return false;
    }
    if (entries && a->size <= 8 && !in_stacks(a->addr) &&
        e->place == (a->addr | (uint64_t)a->size << ENTRY_SHIFT)) {
      bool same = fetch((const void *)(uintptr_t)a->addr, a->size) == e->old;
      if (same && ended && !(a->mode & ACCESS_KIND))
        a->mode |= ACCESS_SILENT;
      if (!same || ended) {
        r->quiet = r->local = 0;
        return false;
      }
    }
  }
  return mark_all(r);
}
