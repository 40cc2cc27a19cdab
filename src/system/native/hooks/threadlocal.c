/* _Thread_local variables.
 *
 * Every use asks heddle_hook_thread_local for the address of the running
 * thread's copy.  The copies lie in a region of the thread's arena, in the
 * order of their first use by the thread, so that their addresses do not depend
 * on the schedule.  A hash table at the start of the region finds a copy by the
 * address of the variable's description.
 */
#include "core/hook.h"
#include "system/native/engine/learnt.h"
#include "system/native/engine/engine.h"
#include "system/native/libc/heap.h"
#include "system/native/libc/libc.h"
#include "system/native/plain/plain.h"
#include "system/native/verify/memory.h"
#include "system/native/base/real.h"

/* prog */
struct variable {
  const struct hook_thread_local *description; /* NULL: free */
  char *address;
};

#define TABLE 32768 /* entries; half of them may be used */

/* prog: the start of a thread's region.  The copies follow. */
struct region {
  size_t used;        /* bytes of the copies */
  uint32_t variables; /* entries in use */
  bool ended;         /* its thread has ended */
  struct variable table[TABLE];
};

#define SPACE (((size_t)1 << HEAP_REGION_BITS) - sizeof(struct region))

/* keep: threads that have a region; threads whose variables other threads have
 * touched; threads whose end was no step. */
static bool present[NATIVE_THREADS];
static bool lent[NATIVE_THREADS];
static bool ended_unseen[NATIVE_THREADS];

static struct region *region_at(unsigned thread) {
  return (struct region *)heap_region(thread, HEAP_TLS_REGION);
}

size_t tls_bytes(unsigned arena) {
  if (arena >= NATIVE_THREADS || !present[arena])
    return 0;
  return sizeof(struct region) + region_at(arena)->used;
}

char *tls_copies(unsigned arena, size_t *size) {
  size_t bytes = tls_bytes(arena);
  *size = bytes ? bytes - sizeof(struct region) : 0;
  return (char *)(region_at(arena) + 1);
}

static struct region *region_of_self(void) {
  unsigned id = self ? self->id : 0; /* constructors run on the main thread */
  if (__builtin_expect(!present[id], 0)) {
    heap_map(id, HEAP_TLS_REGION);
    present[id] = true;
  }
  return region_at(id);
}

/* Fresh memory is zero, as everywhere in the heap. */
static char *make_copy(struct region *region,
                       const struct hook_thread_local *description) {
  size_t mask = (description->alignment ? description->alignment : 16) - 1;
  char *base = (char *)(region + 1);
  uintptr_t at = ((uintptr_t)base + region->used + mask) & ~mask;
  size_t end = at - (uintptr_t)base + description->size;
  if (end > SPACE || region->variables == TABLE / 2)
    refuse("a thread uses more than %d _Thread_local variables or 1 GB of them",
           TABLE / 2);
  SET(region->used, end);
  SET(region->variables, region->variables + 1);
  if (description->initial) {
    undo_note((void *)at, description->size);
    heddle_real_memcpy((void *)at, description->initial, description->size);
  }
  return (char *)at;
}

void *heddle_hook_thread_local(const struct hook_thread_local *, void *);

__attribute__((visibility("default"))) void *
heddle_hook_thread_local(const struct hook_thread_local *description,
                         void *machines_own) {
  if (running_plain())
    return machines_own;
  if (!description)
    refuse("the program uses a thread-local variable that is defined in code "
           "that was not compiled by heddle cc");
  struct region *region = region_of_self();
  size_t i = (uintptr_t)description / sizeof *description % TABLE;
  while (region->table[i].description != description) {
    if (!region->table[i].description) {
      char *copy = make_copy(region, description);
      undo_note(&region->table[i], sizeof region->table[i]);
      region->table[i].address = copy;
      region->table[i].description = description;
      break;
    }
    i = (i + 1) % TABLE;
  }
  return region->table[i].address;
}

/* ---- the end ------------------------------------------------------------- */

static bool is_copy(const void *addr) {
  return heap_contains(addr) && heap_region_of(addr) == HEAP_TLS_REGION;
}

bool tls_is_of_another(const void *addr) {
  return is_copy(addr) && heap_arena_of(addr) != self->id;
}

void tls_check(const void *addr, size_t size, bool write, uint64_t pc) {
  unsigned owner = heap_arena_of(addr);
  if (!self || owner == self->id || !present[owner])
    return;
  engine.stale =
      engine.stale || (!lent[owner] && (ended_unseen[owner] || engine.frozen));
  lent[owner] = true;
  if (region_at(owner)->ended)
    fail(FINDING_MEMORY, pc,
         "use after the end of its thread: %s %zu bytes of a thread-local "
         "variable of T%u",
         write ? "writes" : "reads", size, owner);
}

void tls_end(uint64_t pc) {
  size_t size;
  const char *copies = tls_copies(self->id, &size);
  if (!size)
    return;
  if (!end_is_step(engine.all_ends || lent[self->id])) {
    ended_unseen[self->id] = true;
    return;
  }
  announce_end(copies, size, pc, NULL);
  SET(region_at(self->id)->ended, true);
}

/* ---- what was learnt ---------------------------------------------------- */

void tls_learnt(struct packed *p) {
  PACKED(p, lent);
  PACKED(p, ended_unseen);
}
