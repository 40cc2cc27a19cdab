/* Who observed what, as numbers.
 *
 * A *pair* says of one event, named by its process and its index there, what it
 * observed: the writes that left the bytes it read.  Mostly that is one write,
 * named like an event, or what was there at the start.  A read of several
 * writes observes a list of ranges with the write of each.  Which alternative
 * an event took is a pair of its own.  Equal pairs have equal numbers, so sets
 * of pairs are arrays of numbers.
 *
 * A pair alone does not say which event it is about: what comes before the
 * event does.  Sets of pairs are closed in this sense: see explore/dc.c.
 */
#ifndef CORE_PAIRS_H
#define CORE_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/vec.h"

/* keep */
struct pair {
  uint32_t proc;
  uint32_t index;
  bool choice; /* it is about the alternative taken */
  uint64_t observed;
};

/* A range of bytes and the write that left them; INITIAL: nobody's. */
struct segment {
  uint64_t from, to;
  uint64_t write;
};

#define INITIAL UINT64_C(0)

static inline uint64_t write_name(uint32_t proc, uint32_t index) {
  return ((uint64_t)proc + 1) << 32 | index;
}

/* keep */
struct pairs {
  VEC(struct pair) list; /* the first one stands for none */
  uint32_t *buckets;     /* numbers of pairs, or 0 */
  size_t bucket_count;
  VEC(struct segment) segments; /* of all lists */
  VEC(uint32_t) first;          /* where each list begins, and the end */
  uint32_t *list_buckets;       /* 1 + number of a list */
  size_t list_bucket_count;
};

void pairs_init(struct pairs *);
void pairs_free(struct pairs *);

/* The number of a pair. */
uint32_t pair_number(struct pairs *, struct pair);

/* The name of what was observed, for neighbouring ranges in rising order. */
uint64_t pairs_observed(struct pairs *, const struct segment *, uint32_t count);

#endif
