/* Sets of segments, one for each process that has accesses.
 *
 * In most programs there are about as many of these sets as stored states, and
 * each has as many members as processes are left.  But the sets of two states
 * differ in a few of them.  So a set is a tree of pairs, and each tree is kept
 * once: a new set costs one pair, mostly.
 *
 * A tree of level n has the segments of 2^n processes, by their numbers: one of
 * level 1 has two segments, one of level n two trees of level n - 1.  If the
 * right half of a tree is empty, the tree is its left half.
 */
#ifndef EXPLORE_STATEFUL_SEGMENT_SETS_H
#define EXPLORE_STATEFUL_SEGMENT_SETS_H

#include "explore/stateful/segments.h"
#include "util/compact_table.h"

/* keep.  A part of a tree that is being built, for the processes from
 * `place` * 2^level on. */
struct segment_part {
  uint32_t place;
  uint32_t part; /* as in a pair */
};

typedef VEC(uint32_t) segment_list;

/* keep.  A pair is one word: level, left and right, each with 1 + the number of
 * a segment or a pair, or 0: none. */
struct segment_sets {
  VEC(uint64_t) pairs;
  struct compact_table by_contents;
  VEC(struct segment_part) parts; /* scratch */
};

/* The number of the set with these segments, which are in the order of their
 * processes.  The empty one has number 0. */
uint32_t segment_sets_intern(struct segment_sets *, const struct segments *,
                             const uint32_t *segments, size_t count);

/* Adds its members to the list, in the order of their processes. */
void segment_sets_list(const struct segment_sets *, uint32_t set,
                       segment_list *);

/* A set that is not empty is a pair, of segments (level 1) or of other sets,
 * with 1 + the number of a segment or the number of a set on each side, or 0:
 * none. */
struct segment_pair {
  uint32_t level;
  uint32_t left;
  uint32_t right;
};

struct segment_pair segment_sets_split(const struct segment_sets *,
                                       uint32_t set);
/* The number of the set: of the same pair, in numbers of these sets. */
uint32_t segment_sets_join(struct segment_sets *, struct segment_pair);

uint64_t segment_sets_bytes(const struct segment_sets *);
void segment_sets_free(struct segment_sets *);

#endif
