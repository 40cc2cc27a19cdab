/* The program's memory, range by range, for --verify. */
#ifndef SYSTEM_NATIVE_VERIFY_MEMORY_H
#define SYSTEM_NATIVE_VERIFY_MEMORY_H

#include "system/native/engine/engine.h"

typedef void memory_visitor(void *context, char *start, size_t size);

/* Visits the parts of a large range that were ever touched; a small range as a
 * whole. */
void memory_touched(char *start, size_t size, memory_visitor *, void *context);

/* The program's variables and those of the runtime that are PROG, without words
 * that code outside the program changes once and for good. */
void memory_variables(memory_visitor *, void *context);
/* Of the bytes that it leaves out because one of them is a mark of the start-up
 * code, which is 0 or 1: those that cannot be it. */
void memory_no_marks(memory_visitor *, void *context);

/* heap.c: live blocks, without those of the runtime's own data, and the
 * threads' copies of _Thread_local variables. */
void heap_visit(memory_visitor *, void *context);

/* The runtime, or libc for it, reads these bytes, which do not change: no step
 * declares such a read. */
void memory_exempt(const void *start, size_t size);
/* All such bytes. */
const segment_list *memory_exempted(void);

/* Sorts the segments; those that overlap or touch become one. */
void segments_sort(segment_list *);
/* The parts of the range that lie in none of the sorted segments. */
void segments_rest(const segment_list *sorted, char *start, size_t size,
                   memory_visitor *, void *context);

static inline void segments_add(segment_list *list, uint64_t start,
                                uint64_t size) {
  VEC_PUSH(*list, (struct segment){(char *)(uintptr_t)start,
                                   (char *)(uintptr_t)(start + size)});
}

/* ff for every byte that is not 0. */
static inline uint64_t bytes_set(uint64_t x) {
  const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
  return ((((x & low) + low) | x) >> 7 & 0x0101010101010101u) * 0xff;
}

#endif
