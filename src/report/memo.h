/* A table from two numbers to a pointer, for answers that are asked for again
 * and again. */
#ifndef REPORT_MEMO_H
#define REPORT_MEMO_H

#include <stdint.h>

#include "util/table.h"
#include "util/vec.h"

struct memo_entry {
  uint64_t a, b;
  void *answer;
};

/* All zero is an empty memo. */
struct memo {
  VEC(struct memo_entry) entries;
  struct table by_numbers;
};

/* The answer, or NULL. */
void *memo_get(const struct memo *, uint64_t a, uint64_t b);
/* The two numbers must be new. */
void memo_put(struct memo *, uint64_t a, uint64_t b, void *answer);
void memo_free(struct memo *);

#endif
