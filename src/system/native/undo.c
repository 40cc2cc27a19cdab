/* Taking steps back.
 *
 * A step's part of the log is undone backwards, then the thread's stack and
 * first fields are written back as they were: what the thread itself changed on
 * its stack without a hook is covered by the snapshot, whatever the log says.
 *
 * The log also tells what a step really changed: a write of the value that was
 * there already is silent.
 */
#include "engine.h"
#include "libc.h"

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

/* An earlier step of the same thread that is undone too restores the stack
 * completely: only the first of them needs to. */
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
    engine.data.size = r->data;
  }
  if (unlikely(engine.watched))
    lent_undo(depth);
  engine.has_finding = engine.refused = false;
}

/* ---- what a step changed ------------------------------------------------- */

enum { PART = 64 }; /* bytes looked at together: one bit of a word each */

/* The oldest entry that covers a byte knows its value before the step.  Returns
 * which bytes no entry covers: they are as they are now, if they exist. */
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

/* Are the bytes as they were before the step, and noted in it? */
static bool unchanged(const struct record *r, uint64_t addr, size_t size) {
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

/* What the bytes of a primitive mean is not for us to judge: only writes of
 * data can be silent. */
static bool is_data(const struct record *r) {
  return (r->op >= OP_READ && r->op <= OP_SCAN) || r->op == OP_BLOCK ||
         r->op == OP_TASK;
}

/* What a new stack frame held before it was first written is left from other
 * executions: whether the write changed it must not show in the event. */
static bool on_own_stack(const struct record *r, uint64_t addr) {
  const struct thread *t = engine.threads[r->thread];
  return addr >= (uintptr_t)t->stack_low && addr < (uintptr_t)t->stack_base;
}

/* If an entry's old bytes are there again, nothing else need be known; if not,
 * an older entry may cover them.  Having slept shows only when somebody asks
 * for the time, which is a change of its own: a loop may wait by sleeping. */
static bool entries_unchanged(const struct record *r, bool but_stack) {
  for (size_t i = r->entries; i < engine.log.size; i++) {
    size_t size;
    const struct entry *e = &engine.log.at[i];
    const char *old = undo_old_bytes(e, &size);
    if (but_stack && on_own_stack(r, (uintptr_t)ENTRY_ADDRESS(*e)))
      continue;
    if (memcmp(old, ENTRY_ADDRESS(*e), size) != 0 &&
        !libc_keeps_sleep(ENTRY_ADDRESS(*e)) &&
        !unchanged(r, (uintptr_t)ENTRY_ADDRESS(*e), size))
      return false;
  }
  return true;
}

/* Steps that a loop can repeat for ever with nobody noticing. */
static bool can_be_quiet(const struct record *r) {
  switch (r->op) {
  case OP_FREE:
  case OP_CHOOSE:
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_OUTPUT:
  case OP_EXIT:
  case OP_SPAWN:
  case OP_SEND:
  case OP_RUN:
  case OP_TASK: /* it ends or awaits: no loop goes unnoticed */
    return false;
  default:
    return r->choices == 1 && !(r->flags & STEP_BLOCKING);
  }
}

static __attribute__((noinline)) bool mark_all(struct record *r) {
  bool data = is_data(r), quiet = can_be_quiet(r), local = quiet;
  for (uint32_t i = 0; i < r->accesses; i++) {
    struct access *a = &engine.accesses.at[r->first + i];
    bool own = on_own_stack(r, a->addr);
    if (!(a->mode & ACCESS_WRITE))
      continue;
    if (!data || !unchanged(r, a->addr, a->size)) {
      quiet = false;
      local = local && data && own;
    } else if (!own) {
      a->mode |= ACCESS_SILENT;
    }
  }
  r->quiet = quiet && entries_unchanged(r, false);
  r->local = local && !r->quiet && entries_unchanged(r, true);
  return r->quiet || r->local;
}

/* The usual steps first: one read, and one write of a word that changed it. */
bool undo_mark_silent(struct record *r) {
  const struct access *a = &engine.accesses.at[r->first];
  const struct entry *e = &engine.log.at[r->entries];
  size_t entries = engine.log.size - r->entries;
  if (!is_data(r) && !can_be_quiet(r)) { /* joins, creations, locks */
    r->quiet = r->local = 0;
    return false;
  }
  if (likely(r->accesses == 1) && is_data(r)) {
    if (!entries && !(a->mode & ACCESS_WRITE)) {
      r->quiet = 1;
      r->local = 0;
      return true;
    }
    if (entries && a->size <= 8 && !in_stacks(a->addr) &&
        e->place == (a->addr | (uint64_t)a->size << ENTRY_SHIFT) &&
        fetch((const void *)(uintptr_t)a->addr, a->size) != e->old) {
      r->quiet = r->local = 0;
      return false;
    }
  }
  return mark_all(r);
}
