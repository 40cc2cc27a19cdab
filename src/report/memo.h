/* A table from two numbers to a pointer, for answers that are asked for again
 * and again.  Never iterated. */
#ifndef REPORT_MEMO_H
#define REPORT_MEMO_H

#include <stddef.h>
#include <stdint.h>

struct memo_slot {
  uint64_t a, b;
  void *answer; /* NULL: free */
};

struct memo {
  struct memo_slot *at;
  size_t size;     /* answers */
  size_t capacity; /* slots, a power of two or 0 */
};

/* The answer, or NULL. */
void *memo_get(const struct memo *, uint64_t a, uint64_t b);
void memo_put(struct memo *, uint64_t a, uint64_t b, void *answer);
void memo_free(struct memo *);

#endif
