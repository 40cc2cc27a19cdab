/* qsort and bsearch.
 *
 * The comparison function is code of the program: its accesses are events of
 * their own, and other threads may run in between.  qsort is a merge sort.  The
 * comparisons of one merge only find out the order, which is local state of the
 * thread.  Then one event, which reads and writes all elements, puts them in
 * that order.  Like libc's, it keeps the order of equal elements.
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* no bodies in the headers */
#include "libc.h"

#include <stdlib.h>

#include "heap.h"
#include "util/ensure.h"

#define FEW 256 /* orders of so many elements fit on the stack */

/* prog: on the stack of the sorting thread. */
struct sort {
  char *base;
  size_t size;
  int (*compare)(const void *, const void *, void *);
  void *argument;
  uint32_t *order;
  bool order_on_heap;
  uint64_t pc;
};

/* keep: the elements while they are put in order. */
static char *scratch;
static size_t scratch_size;

static void reserve_scratch(size_t size) {
  if (size <= scratch_size)
    return;
  free(scratch);
  scratch = malloc(size);
  ensure(scratch); /* out of memory */
  scratch_size = size;
}

static bool in_order(const struct sort *s, size_t a, size_t b) {
  return s->compare(s->base + a * s->size, s->base + b * s->size,
                    s->argument) <= 0;
}

static void order_put(struct sort *s, size_t place, size_t element) {
  if (s->order_on_heap)
    undo_note(&s->order[place], sizeof *s->order);
  s->order[place] = (uint32_t)element;
}

/* Element i of the range becomes what is now element order[i]. */
static void rearrange(struct sort *s, size_t low, size_t high) {
  char *from = s->base + low * s->size;
  size_t bytes = (high - low) * s->size;
  struct libcall e;
  libcall_begin(&e, OP_COPY, s->pc);
  libcall_write(&e, from, bytes);
  libcall_announce(&e);
  reserve_scratch(bytes);
  heddle_real_memcpy(scratch, from, bytes);
  for (size_t i = 0; i < high - low; i++)
    heddle_real_memcpy(from + i * s->size,
                       scratch + (s->order[i] - low) * s->size, s->size);
}

static void merge(struct sort *s, size_t low, size_t middle, size_t high) {
  size_t left = low, right = middle, place = 0;
  if (in_order(s, middle - 1, middle))
    return;
  while (left < middle && right < high)
    if (in_order(s, left, right))
      order_put(s, place++, left++);
    else
      order_put(s, place++, right++);
  while (left < middle)
    order_put(s, place++, left++);
  while (right < high)
    order_put(s, place++, right++);
  rearrange(s, low, high);
}

static void sort(struct sort *s, size_t low, size_t high) {
  if (high - low < 2)
    return;
  size_t middle = low + (high - low) / 2;
  sort(s, low, middle);
  sort(s, middle, high);
  merge(s, low, middle, high);
}

static void sort_all(struct sort *s, size_t count) {
  uint32_t few[FEW];
  if (count < 2 || !s->size)
    return;
  if (count > UINT32_MAX)
    refuse("qsort of %zu elements: up to %u are supported", count, UINT32_MAX);
  s->order = few;
  if (count > FEW) {
    s->order = heap_allocate(count * sizeof *s->order, 16, s->pc);
    heap_own(s->order);
    s->order_on_heap = true;
  }
  sort(s, 0, count);
  if (s->order_on_heap)
    heap_release(s->order, s->pc);
}

INTERPOSED void qsort_r(void *base, size_t count, size_t size,
                        int (*compare)(const void *, const void *, void *),
                        void *argument) {
  struct sort s = {base, size, compare, argument, NULL, false, CALLER};
  sort_all(&s, count);
}

/* For qsort: the argument is the comparison function, which has none itself. */
static int compare_plainly(const void *a, const void *b, void *compare) {
  return ((int (*)(const void *, const void *))compare)(a, b);
}

INTERPOSED void qsort(void *base, size_t count, size_t size,
                      int (*compare)(const void *, const void *)) {
  struct sort s = {base, size,  compare_plainly, (void *)compare,
                   NULL, false, CALLER};
  sort_all(&s, count);
}

INTERPOSED void *bsearch(const void *key, const void *base, size_t count,
                         size_t size,
                         int (*compare)(const void *, const void *)) {
  const char *from = base;
  while (count) {
    const char *middle = from + count / 2 * size;
    int order = compare(key, middle);
    if (!order)
      return (void *)(uintptr_t)middle;
    if (order > 0) {
      from = middle + size;
      count--;
    }
    count /= 2;
  }
  return NULL;
}
