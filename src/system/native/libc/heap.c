/* The heap of the program: malloc and its family, and the check of every access
 * to the heap.  heap.h says where blocks lie.
 *
 * malloc concerns only its own thread and is no event.  free is an event,
 * unless no other thread ever uses the block.  It writes the whole block, so
 * that some execution orders it before an access of another thread: that shows
 * a use after free or a race.
 */
#define _GNU_SOURCE
#include "system/native/engine/round.h"
#include "heap.h"
#include "system/native/engine/engine.h"
#include "system/native/hooks/hooks.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "system/native/verify/fingerprint.h"
#include "libc.h"
#include "system/native/verify/memory.h"
#include "system/native/base/real.h"
#include "util/ensure.h"

#define SMALLEST 5 /* log2 of the smallest slot */
#define LARGEST HEAP_REGION_BITS
#define RED_ZONE 16 /* bytes behind each block that belong to none */
#define ADDRESSES ((size_t)1 << 47) /* no allocator has more */
#define PAGES (UINT64_C(1) << HEAP_REGION_BITS)

enum block_state { BLOCK_NONE, BLOCK_LIVE, BLOCK_FREED };

/* prog: what is known of a slot.  2^5 bytes, see heap.h. */
struct block {
  uint32_t live;      /* bytes that may be touched: size, or 0 if freed */
  uint32_t size;      /* as asked for */
  uint32_t state;     /* enum block_state */
  uint32_t own;       /* the runtime's own data is in it */
  uint64_t allocated; /* pc of malloc */
  uint64_t freed;     /* pc of free */
};

_Static_assert(sizeof(struct block) == 1 << SMALLEST, "heap.h: the tables");

/* prog: slots given so far, by arena and log2 of the slot's size. */
static uint32_t used[HEAP_ARENAS][LARGEST + 1];

/* keep: regions mapped so far, a bit each.  They stay. */
static uint32_t mapped[HEAP_ARENAS];

static bool started; /* keep: main has begun */

/* prog: the thread on which the real libc runs.  It must be undone: a crash in
 * libc ends the thread without heap_foreign_end(). */
static struct thread *foreign;

void heap_foreign_begin(void) {
  SET(foreign, self);
}

void heap_foreign_end(void) {
  foreign = NULL;
}

/* libc's own names for its allocator, which are not interposed. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

/* Does libc make this call for itself, not the program?  Calls of the loader
 * come before there is an environment. */
static bool is_foreign(void) {
  return (self ? foreign == self : started) || !environ;
}

/* ---- places -------------------------------------------------------------- */

static struct block *block_table(unsigned arena, unsigned shift) {
  return (struct block *)(heap_region(arena, 0) +
                          (UINT64_C(1) << (HEAP_ARENA_BITS - shift)));
}

/* The slot's block; the address lies in a region of slots. */
static struct block *block_of(const void *addr) {
  unsigned shift = heap_region_of(addr);
  uint64_t slot = ((uintptr_t)addr & (PAGES - 1)) >> shift;
  return block_table(heap_arena_of(addr), shift) + slot;
}

static char *slot_of(const void *addr) {
  uintptr_t mask = (UINT64_C(1) << heap_region_of(addr)) - 1;
  return (char *)((uintptr_t)addr & ~mask);
}

/* Does the address lie in a slot whose struct block is mapped? */
static bool has_block(const void *addr) {
  return heap_contains(addr) && mapped[heap_arena_of(addr)] &&
         heap_region_of(addr) >= SMALLEST && heap_region_of(addr) <= LARGEST;
}

static void map(void *at, size_t size) {
  void *got = mmap(
      at, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != at)
    refuse("cannot reserve %zu MB of addresses at %p for the heap; is the "
           "size of the address space limited (ulimit -v)?",
           size >> 20, at);
  madvise(at, size, MADV_NOHUGEPAGE); /* a few pages of each region are used */
}

void heap_map(unsigned arena, unsigned region) {
  if (mapped[arena] & (UINT32_C(1) << region))
    return;
  if (!mapped[arena])
    map(heap_region(arena, 0), 2 * PAGES);
  map(heap_region(arena, region), PAGES);
  mapped[arena] |= UINT32_C(1) << region | 3;
}

/* ---- the check of every access ------------------------------------------- */

/* Where a block was allocated or freed; the command replaces the token by file
 * and line. */
#define AT "{pc:%llx}"
#define PC(pc) ((unsigned long long)(pc))

static void check_freed(const struct block *block, const char *addr,
                        size_t size, const char *verb, uint64_t pc) {
  size_t at = addr - slot_of(addr);
  if (block->state == BLOCK_FREED && at < (block->size ? block->size : 1))
    fail(FINDING_MEMORY, pc,
         "use after free: %s %zu bytes, %zu bytes into a block of %u bytes "
         "allocated at " AT ", freed at " AT,
         verb, size, at, block->size, PC(block->allocated), PC(block->freed));
}

/* An access just before the block of the next slot: an index of -1. */
static void check_before(const char *addr, size_t size, const char *verb,
                         uint64_t pc) {
  const char *next = slot_of(addr) + (UINT64_C(1) << heap_region_of(addr));
  if (!has_block(next) || next - addr > RED_ZONE)
    return;
  const struct block *block = block_of(next);
  if (block->state != BLOCK_NONE)
    fail(FINDING_MEMORY, pc,
         "out of bounds: %s %zu bytes, %zu bytes before a block of %u bytes "
         "allocated at " AT,
         verb, size, (size_t)(next - addr), block->size, PC(block->allocated));
}

static __attribute__((noinline)) void bad_access(const char *addr, size_t size,
                                                 bool write, uint64_t pc) {
  const char *verb = write ? "writes" : "reads";
  if (has_block(addr)) {
    const struct block *block = block_of(addr);
    size_t at = addr - slot_of(addr);
    check_freed(block, addr, size, verb, pc);
    if (block->state != BLOCK_NONE && at <= (size_t)block->size + RED_ZONE)
      fail(FINDING_MEMORY, pc,
           "out of bounds: %s %zu bytes, %zu bytes into a block of %u bytes "
           "allocated at " AT,
           verb, size, at, block->size, PC(block->allocated));
    check_before(addr, size, verb, pc);
    if (block->state != BLOCK_NONE)
      fail(FINDING_MEMORY, pc,
           "out of bounds: %s %zu bytes, %zu bytes behind a block of %u bytes "
           "allocated at " AT,
           verb, size, at - block->size, block->size, PC(block->allocated));
  }
  fail(FINDING_MEMORY, pc,
       "%s %zu bytes of heap memory at %p that was never "
       "allocated",
       verb, size, (const void *)addr);
}

void heap_check(const void *addr, size_t size, bool write, uint64_t pc) {
  if (!heap_contains(addr)) {
    if (in_stacks((uintptr_t)addr) && engine.mode == MODE_EXPLORE)
      ends_check((uintptr_t)addr, size, write, NULL, pc);
    return;
  }
  unsigned shift = heap_region_of(addr);
  if (__builtin_expect(shift == HEAP_TLS_REGION, 0)) {
    tls_check(addr, size, write, pc);
    return;
  }
  if (__builtin_expect(has_block(addr), 1)) {
    uintptr_t at = (uintptr_t)addr & ((UINT64_C(1) << shift) - 1);
    sharing_use_block((const char *)addr - at);
    if (__builtin_expect(at + size <= block_of(addr)->live, 1))
      return;
  }
  bad_access(addr, size, write, pc);
}

size_t heap_room(const void *addr) {
  if (!heap_contains(addr) || heap_region_of(addr) == HEAP_TLS_REGION)
    return SIZE_MAX;
  if (!has_block(addr))
    return 0;
  size_t at = (const char *)addr - slot_of(addr);
  uint32_t live = block_of(addr)->live;
  return at < live ? live - at : 0;
}

bool heap_find(const void *addr, uint64_t *start, uint64_t *size,
               uint64_t *pc) {
  if (!has_block(addr) || block_of(addr)->state == BLOCK_NONE)
    return false;
  const struct block *block = block_of(addr);
  *start = (uintptr_t)slot_of(addr);
  *size = block->size;
  *pc = block->allocated;
  return true;
}

/* ---- allocation ---------------------------------------------------------- */

static unsigned shift_for(size_t size, size_t alignment) {
  size_t need = size + RED_ZONE;
  if (need < alignment)
    need = alignment;
  if (need <= UINT64_C(1) << SMALLEST)
    return SMALLEST;
  return 64 - __builtin_clzll(need - 1);
}

static void *too_large(size_t size) {
  if (size < ADDRESSES)
    refuse("malloc of %zu bytes: blocks of up to %llu bytes are supported",
           size, (unsigned long long)(PAGES - RED_ZONE));
  error_set(ENOMEM);
  return NULL;
}

/* malloc fills new memory, up to so many bytes; the rest of a large block is
 * zero.  The filling is not undone: memory that is allocated again is filled
 * again, or cleared. */
enum { FILL_MOST = 64 << 10 };

/* keep: slots below this may be filled. */
static uint32_t filled[HEAP_ARENAS][LARGEST + 1];

static size_t fill_size(size_t size) {
  return size < FILL_MOST ? size : FILL_MOST;
}

static char *fill(char *start, size_t size) {
  int byte = engine.control ? (int)engine.control->options.heap_fill : 0;
  if (!start || !byte)
    return start;
  unsigned arena = heap_arena_of(start), shift = heap_region_of(start);
  if (filled[arena][shift] < used[arena][shift])
    filled[arena][shift] = used[arena][shift];
  return heddle_real_memset(start, byte, fill_size(size));
}

uint32_t heap_slots_used(unsigned arena) {
  uint32_t all = 0;
  for (unsigned shift = 0; shift <= LARGEST; shift++)
    all += used[arena][shift];
  return all;
}

void *heap_allocate(size_t size, size_t alignment, uint64_t pc) {
  round_changes();
  if (size > PAGES - RED_ZONE || alignment > PAGES)
    return too_large(size > alignment ? size : alignment);
  unsigned arena = self ? self->id : HEAP_BEFORE_MAIN;
  unsigned shift = shift_for(size, alignment);
  uint32_t slot = used[arena][shift];
  if (slot == UINT32_C(1) << (HEAP_REGION_BITS - shift))
    refuse("a thread allocated more than 1 GB in blocks of %llu to %llu bytes "
           "(freed memory is not used again)",
           1ULL << (shift - 1), (1ULL << shift) - RED_ZONE);
  heap_map(arena, shift);
  SET(used[arena][shift], slot + 1);
  struct block *block = block_table(arena, shift) + slot;
  undo_note(block, sizeof *block);
  block->live = block->size = size;
  block->state = BLOCK_LIVE;
  block->own = 0;
  block->allocated = pc;
  block->freed = 0;
  char *start = heap_region(arena, shift) + ((uint64_t)slot << shift);
  if (slot < filled[arena][shift])
    heddle_real_memset(start, 0, fill_size(size));
  return start;
}

/* Needs no undo_note: undo takes back the allocation, which was in this
 * step. */
void heap_own(void *start) {
  block_of(start)->own = 1;
}

bool heap_is_data(const void *addr) {
  unsigned region = heap_region_of(addr);
  if (!(mapped[heap_arena_of(addr)] >> region & 1) || region < SMALLEST)
    return false;
  return region == HEAP_TLS_REGION || !block_of(addr)->own;
}

static void set_freed(struct block *block, uint64_t pc) {
  undo_note(block, sizeof *block);
  block->live = 0;
  block->state = BLOCK_FREED;
  block->freed = pc;
}

void heap_release(void *start, uint64_t pc) {
  set_freed(block_of(start), pc);
}

/* ---- free ---------------------------------------------------------------- */

/* Fails unless a live block begins here. */
static void check_block(const char *start, const char *caller, uint64_t pc) {
  if (!has_block(start) || block_of(start)->state == BLOCK_NONE)
    fail(FINDING_MEMORY, pc,
         "invalid free: %s of %p, which malloc never returned", caller,
         (const void *)start);
  const struct block *block = block_of(start);
  if (start != slot_of(start))
    fail(FINDING_MEMORY, pc,
         "invalid free: %s of a pointer %zu bytes into a block of %u bytes "
         "allocated at " AT,
         caller, (size_t)(start - slot_of(start)), block->size,
         PC(block->allocated));
  if (block->state == BLOCK_FREED)
    fail(FINDING_MEMORY, pc,
         "double free: %s of a block of %u bytes allocated at " AT
         ", freed before at " AT,
         caller, block->size, PC(block->allocated), PC(block->freed));
}

/* Announces that the block will be freed.  Its size never changes, so that the
 * footprint is known before the step. */
static struct block *announce_free(char *start, const char *caller,
                                   uint64_t pc) {
  struct libcall call;
  if (has_block(start) && start == slot_of(start) &&
      sharing_hides_block(start)) {
    check_block(start, caller, pc);
    return block_of(start);
  }
  libcall_begin(&call, OP_FREE, pc);
  uint32_t size = has_block(start) ? block_of(start)->size : 0;
  libcall_write(&call, start, size ? size : 1);
  call.op.object = start;
  visible(&call.op);
  check_block(start, caller, pc);
  return block_of(start);
}

INTERPOSED void free(void *start) {
  if (!start)
    return;
  if (is_foreign()) {
    if (!heap_contains(start))
      __libc_free(start);
    return;
  }
  if (!self && !heap_contains(start)) /* libc allocated it before the runtime
                                         was there */
    return;
  set_freed(announce_free(start, "free", CALLER), CALLER);
}

void heap_free(void *start, const char *caller, uint64_t pc) {
  set_freed(announce_free(start, caller, pc), pc);
}

INTERPOSED void cfree(void *start);
INTERPOSED void cfree(void *start) {
  free(start);
}

/* ---- the rest of the family ---------------------------------------------- */

#define NATURAL 16 /* alignment of every block */

/* --malloc-fails: each of a thread's allocations may be one that fails. */
static bool fails(uint64_t pc) {
  if (likely(engine.mode != MODE_EXPLORE ||
             self->failed_allocations >=
                 engine.control->options.malloc_fails) ||
      self->atomic_depth || !choose_one(2, pc))
    return false;
  SET(self->failed_allocations, self->failed_allocations + 1);
  error_set(ENOMEM);
  return true;
}

INTERPOSED void *malloc(size_t size) {
  if (is_foreign())
    return __libc_malloc(size);
  if (fails(CALLER))
    return NULL;
  return fill(heap_allocate(size, NATURAL, CALLER), size);
}

void *heap_written(void *start, size_t size, uint64_t pc) {
  struct libcall call;
  if (!start || !size || sharing_hides_block(start))
    return start;
  libcall_begin(&call, OP_SET, pc);
  libcall_write(&call, start, size);
  visible(&call.op);
  return start;
}

/* A new slot is zero: undo restores the bytes written to it. */
INTERPOSED void *calloc(size_t count, size_t size) {
  if (is_foreign())
    return __libc_calloc(count, size);
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    total = SIZE_MAX;
  if (fails(CALLER))
    return NULL;
  return heap_written(heap_allocate(total, NATURAL, CALLER), total, CALLER);
}

/* libc reallocates memory of its own: it moves out of the program's heap. */
static void *foreign_realloc(void *old, size_t size) {
  if (!heap_contains(old))
    return __libc_realloc(old, size);
  void *fresh = __libc_malloc(size);
  size_t room = heap_room(old);
  if (fresh)
    heddle_real_memcpy(fresh, old, size < room ? size : room);
  return fresh;
}

/* Always moves the block, so that uses of the old pointer are found. */
static void *move(char *old, size_t size, uint64_t pc) {
  struct block *block = announce_free(old, "realloc", pc);
  if (!size) {
    set_freed(block, pc);
    return NULL;
  }
  char *fresh = fill(heap_allocate(size, NATURAL, pc), size);
  if (!fresh)
    return NULL;
  size_t kept = size < block->size ? size : block->size;
  undo_note(fresh, kept);
  sharing_reads(old, kept);
  heddle_real_memcpy(fresh, old, kept);
  set_freed(block, pc);
  return heap_written(fresh, kept, pc);
}

static void *reallocate(void *old, size_t size, uint64_t pc) {
  if (is_foreign())
    return foreign_realloc(old, size);
  if (size && fails(pc))
    return NULL;
  if (!old)
    return fill(heap_allocate(size, NATURAL, pc), size);
  if (!self && !heap_contains(old))
    return foreign_realloc(old, size);
  return move(old, size, pc);
}

void *heap_reallocate(void *old, size_t size, uint64_t pc) {
  return reallocate(old, size, pc);
}

INTERPOSED void *realloc(void *old, size_t size) {
  return reallocate(old, size, CALLER);
}

INTERPOSED void *reallocarray(void *old, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    error_set(ENOMEM);
    return NULL;
  }
  return reallocate(old, total, CALLER);
}

static bool is_power(size_t n) {
  return n && !(n & (n - 1));
}

static void *aligned(size_t alignment, size_t size, uint64_t pc) {
  if (is_foreign())
    return __libc_memalign(alignment, size);
  if (!is_power(alignment)) {
    error_set(EINVAL);
    return NULL;
  }
  if (fails(pc))
    return NULL;
  return fill(heap_allocate(size, alignment, pc), size);
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
  return aligned(alignment, size, CALLER);
}

INTERPOSED void *memalign(size_t alignment, size_t size) {
  return aligned(alignment, size, CALLER);
}

INTERPOSED void *valloc(size_t size) {
  return aligned(4096, size, CALLER);
}

INTERPOSED void *pvalloc(size_t size) {
  return aligned(4096, (size + 4095) & ~(size_t)4095, CALLER);
}

INTERPOSED int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_power(alignment) || alignment % sizeof(void *))
    return EINVAL;
  uint64_t pc = CALLER;
  void *fresh = aligned(alignment, size, pc);
  if (!fresh)
    return ENOMEM;
  plain_announce(result, sizeof *result, true, pc);
  *result = fresh;
  return 0;
}

INTERPOSED size_t malloc_usable_size(void *start) {
  if (!start)
    return 0;
  if (!heap_contains(start))
    return is_foreign() ? REAL(malloc_usable_size)(start) : 0;
  struct libcall call;
  libcall_begin(&call, OP_SCAN, CALLER);
  libcall_read(&call, start, 1);
  visible(&call.op);
  check_block(start, "malloc_usable_size", CALLER);
  return block_of(start)->size;
}

/* ---- for --rollback=replay ----------------------------------------------- */

/* keep: bytes of the heap as they were when main began. */
static struct {
  char *copy;
  size_t size;
  size_t tls;
  uint32_t used[LARGEST + 1];
} initial;

static size_t table_bytes(unsigned arena, unsigned shift) {
  return used[arena][shift] * sizeof(struct block);
}

static size_t slot_bytes(unsigned arena, unsigned shift) {
  return (size_t)used[arena][shift] << shift;
}

/* Copies a range to the copy, or back; returns the end of the range in the
 * copy. */
static char *exchange(char *copy, void *place, size_t size, bool save) {
  if (save)
    heddle_real_memcpy(copy, place, size);
  else
    heddle_real_memcpy(place, copy, size);
  return copy + size;
}

static void exchange_initial(bool save) {
  char *at = initial.copy;
  for (unsigned shift = SMALLEST; shift <= LARGEST; shift++) {
    unsigned arena = HEAP_BEFORE_MAIN;
    at = exchange(at, block_table(arena, shift), table_bytes(arena, shift),
                  save);
    at =
        exchange(at, heap_region(arena, shift), slot_bytes(arena, shift), save);
  }
  exchange(at, heap_region(0, HEAP_TLS_REGION), initial.tls, save);
}

void heap_start(void) {
  size_t size = initial.tls = tls_bytes(0);
  for (unsigned shift = SMALLEST; shift <= LARGEST; shift++)
    size += table_bytes(HEAP_BEFORE_MAIN, shift) +
            slot_bytes(HEAP_BEFORE_MAIN, shift);
  started = true;
  libc_start();
  if (!size)
    return;
  initial.size = size;
  initial.copy = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ensure(initial.copy != MAP_FAILED);
  heddle_real_memcpy(initial.used, used[HEAP_BEFORE_MAIN], sizeof initial.used);
  exchange_initial(true);
}

/* Clears bytes: a few in place, many by returning the pages to the kernel. */
static void wipe(void *at, size_t size) {
  if (size <= 32768)
    heddle_real_memset(at, 0, size);
  else
    madvise(at, (size + 4095) & ~(size_t)4095, MADV_DONTNEED);
}

static void reset_arena(unsigned arena) {
  for (unsigned shift = SMALLEST; shift <= LARGEST; shift++) {
    if (!used[arena][shift])
      continue;
    wipe(heap_region(arena, shift), slot_bytes(arena, shift));
    wipe(block_table(arena, shift), table_bytes(arena, shift));
    used[arena][shift] = 0;
  }
  if (tls_bytes(arena))
    wipe(heap_region(arena, HEAP_TLS_REGION), tls_bytes(arena));
}

void heap_reset(void) {
  for (unsigned arena = 0; arena < HEAP_ARENAS; arena++)
    if (mapped[arena])
      reset_arena(arena);
  if (initial.size) {
    heddle_real_memcpy(used[HEAP_BEFORE_MAIN], initial.used,
                       sizeof initial.used);
    exchange_initial(false);
  }
  libc_reset();
}

/* ---- for --verify -------------------------------------------------------- */

/* Freed blocks are part of it: the program must not read them, but undo
 * restores their bytes. */
static void digest_arena(struct state_digest *d, unsigned arena) {
  for (unsigned shift = SMALLEST; shift <= LARGEST; shift++) {
    const struct block *table = block_table(arena, shift);
    digest_bytes(d, table, table_bytes(arena, shift));
    for (uint32_t i = 0; i < used[arena][shift]; i++)
      digest_bytes(d, heap_region(arena, shift) + ((uint64_t)i << shift),
                   table[i].size);
  }
  digest_bytes(d, heap_region(arena, HEAP_TLS_REGION), tls_bytes(arena));
}

static void visit_arena(unsigned arena, memory_visitor *visit, void *context) {
  for (unsigned shift = SMALLEST; shift <= LARGEST; shift++) {
    const struct block *table = block_table(arena, shift);
    for (uint32_t i = 0; i < used[arena][shift]; i++)
      if (table[i].live && !table[i].own)
        memory_touched(heap_region(arena, shift) + ((uint64_t)i << shift),
                       table[i].live, visit, context);
  }
  size_t size;
  char *copies = tls_copies(arena, &size);
  memory_touched(copies, size, visit, context);
}

void heap_visit(memory_visitor *visit, void *context) {
  for (unsigned arena = 0; arena < HEAP_ARENAS; arena++)
    if (mapped[arena])
      visit_arena(arena, visit, context);
}

void heap_digest(struct state_digest *d) {
  digest_bytes_as(d, (uintptr_t)used, used, sizeof used);
  for (unsigned arena = 0; arena < HEAP_ARENAS; arena++)
    if (mapped[arena])
      digest_arena(d, arena);
}
