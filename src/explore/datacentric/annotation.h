/* Observations as numbers.
 *
 * A *pair* says of one event what it observed.  The event is named by its
 * process and its index there.  It observed the writes that left the bytes it
 * read: mostly one write, named like an event, or the initial content.  A read
 * of several writes observes a list of ranges with the write of each.  The
 * alternative that an event took is a pair of its own.  Equal pairs have equal
 * numbers, so sets of pairs are arrays of numbers.
 *
 * A pair alone does not identify its event: the events before it do.  Sets of
 * pairs are closed in this sense: see explore/datacentric/dc.c.
 *
 * Invariants:
 *   A1  every pair and every list is found under its own number.
 *   A2  the ranges of a list rise and do not overlap; neighbours that the same
 *       write left are one.
 */
#ifndef EXPLORE_DATACENTRIC_ANNOTATION_H
#define EXPLORE_DATACENTRIC_ANNOTATION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/packed.h"
#include "util/table.h"
#include "util/vec.h"

/* keep */
struct annotation_pair {
  uint32_t proc;
  uint32_t index;
  bool choice; /* the pair is about the alternative taken */
  uint64_t observed;
};

/* A range of bytes and the write that left them, or INITIAL. */
struct annotation_segment {
  uint64_t from, to;
  uint64_t write;
};

#define INITIAL UINT64_C(0)

static inline uint64_t write_name(uint32_t proc, uint32_t index) {
  return ((uint64_t)proc + 1) << 32 | index;
}

/* keep */
struct annotation_pairs {
  VEC(struct annotation_pair) list;        /* the first one stands for none */
  struct table by_pair;                    /* finds numbers of pairs */
  VEC(struct annotation_segment) segments; /* of all lists */
  VEC(uint32_t) first;      /* where each list begins, and the end */
  struct table by_segments; /* finds numbers of lists */
};

void annotation_init(struct annotation_pairs *);
void annotation_free(struct annotation_pairs *);

/* The number of a pair. */
uint32_t annotation_pair_number(struct annotation_pairs *,
                                struct annotation_pair);

/* The name of the observation, for neighbouring ranges in rising order. */
uint64_t annotation_observed(struct annotation_pairs *,
                             const struct annotation_segment *, uint32_t count);

/* Writes out the pair with this number; or reads one, and finds its number. */
void annotation_pack(struct annotation_pairs *, struct packed *,
                     uint32_t *number);

/* Checks the invariants. */
void annotation_check(struct annotation_pairs *);

#endif
