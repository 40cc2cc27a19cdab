/* The program's heap: where its blocks lie.
 *
 * Every thread allocates from an arena of its own at a fixed address, so that
 * an address depends on the thread and on what it allocated before, never on
 * the schedule.  One more arena serves code before main.  An arena of 32 GB of
 * addresses is 32 regions of 1 GB:
 *
 *   region 0, 1    one struct block per slot of the regions below
 *   region 5..30   slots of 2^5 .. 2^30 bytes, in the order of allocation
 *   region 31      copies of _Thread_local variables (threadlocal.c)
 *
 * The blocks of the slots of 2^c bytes begin at 2^(35-c): there are 2^(30-c) of
 * them, 2^5 bytes each, so that each table ends where the next begins.  So the
 * block of an address is found by arithmetic, without a search.
 *
 * No slot is used twice within an execution: a pointer to freed memory stays
 * recognisable.  Undoing malloc takes the slot back.
 */
#ifndef SYSTEM_NATIVE_LIBC_HEAP_H
#define SYSTEM_NATIVE_LIBC_HEAP_H

#include "system/native/engine/native.h"

#define HEAP_BASE 0x100000000000u
#define HEAP_ARENA_BITS 35
#define HEAP_REGION_BITS 30
#define HEAP_ARENAS (NATIVE_THREADS + 1)
#define HEAP_BEFORE_MAIN NATIVE_THREADS /* the arena of constructors */
#define HEAP_SPAN ((uint64_t)HEAP_ARENAS << HEAP_ARENA_BITS)
#define HEAP_TLS_REGION 31

static inline bool heap_contains(const void *addr) {
  return (uint64_t)(uintptr_t)addr - HEAP_BASE < HEAP_SPAN;
}

static inline unsigned heap_arena_of(const void *addr) {
  return (unsigned)(((uintptr_t)addr - HEAP_BASE) >> HEAP_ARENA_BITS);
}

static inline unsigned heap_region_of(const void *addr) {
  return ((uintptr_t)addr >> HEAP_REGION_BITS) & 31;
}

static inline char *heap_region(unsigned arena, unsigned region) {
  return (char *)(uintptr_t)(HEAP_BASE + ((uint64_t)arena << HEAP_ARENA_BITS) +
                             ((uint64_t)region << HEAP_REGION_BITS));
}

/* The block that the address lies in, live or freed, for reports.  *pc is where
 * it was allocated. */
bool heap_find(const void *addr, uint64_t *start, uint64_t *size, uint64_t *pc);

/* How many bytes may be touched from here on: up to the end of the block in the
 * heap, SIZE_MAX elsewhere. */
size_t heap_room(const void *addr);

/* Takes back a block of heap_allocate() that no other thread has seen. */
void heap_release(void *block, uint64_t pc);

/* How many blocks have been allocated in the arena, freed ones included? */
uint32_t heap_slots_used(unsigned arena);

/* free(), for a function that frees memory under another name. */
void heap_free(void *block, const char *caller, uint64_t pc);

/* realloc(), for a function that enlarges a block of the program's. */
void *heap_reallocate(void *block, size_t size, uint64_t pc);

/* Memory of the program that can be read?  False for the tables of blocks, and
 * for data of the runtime. */
bool heap_is_data(const void *addr);

/* This block, just allocated, is for data of the runtime. */
void heap_own(void *block);

/* Maps a region on first use. */
void heap_map(unsigned arena, unsigned region);

/* Main begins: what was allocated until now is in the initial state. */
void heap_start(void);

/* Back to the state of heap_start(), for --rollback=replay. */
void heap_reset(void);

/* Between these two calls the real libc runs on a thread of the program: it
 * allocates for itself, from its own heap. */
void heap_foreign_begin(void);
void heap_foreign_end(void);

#endif
