/* A configuration of the unfolding: a set of occurrences that can all happen in
 * one execution, with what each adds to the bytes it touches.
 *
 * The occurrences lie in an order in which they can happen, and the set grows
 * and is cut off at the end, like the trace.  Whether another occurrence can
 * join is decided by the newest touches of the granules: whatever conflicts
 * with it must be in its past.
 *
 * Invariants:
 *   F1  it is causally closed, and without conflicts.
 *   F2  lines[p].at[i] has index i + 1.
 */
#ifndef CORE_FRONT_H
#define CORE_FRONT_H

#include "core/event.h"
#include "core/unfolding.h"

#define NO_TOUCH UINT32_MAX

/* keep.  An occurrence touches bytes of a granule. */
struct front_touch {
  uint32_t occurrence;
  uint32_t proc;
  uint32_t index;
  uint32_t cell;
  uint32_t older;   /* in the same granule, or NO_TOUCH */
  uint32_t matters; /* the same, without reads that a later one outdates */
  uint32_t written; /* the nearest older write, or NO_TOUCH */
  uint8_t mask;
  uint8_t mode;
};

/* keep */
struct front_member {
  uint32_t occurrence;
  uint32_t first_touch;
};

struct front {
  struct unfolding *u;
  VEC(struct front_member) members;
  VEC(struct { VEC(uint32_t) at; }) lines; /* members by process, F2 */
  VEC(struct front_touch) touches;
  VEC(uint32_t) cells;   /* by number of the granule: newest touch */
  VEC(uint32_t) missing; /* scratch */
};

void front_init(struct front *, struct unfolding *);
void front_free(struct front *);

static inline size_t front_size(const struct front *f) {
  return f->members.size;
}

/* How many occurrences of process p are in it. */
static inline uint32_t front_line(const struct front *f, uint32_t p) {
  return p < f->lines.size ? (uint32_t)f->lines.at[p].at.size : 0;
}

/* The occurrence of p with this index in it, or 0 for index 0. */
static inline uint32_t front_at(const struct front *f, uint32_t p,
                                uint32_t index) {
  return index ? f->lines.at[p].at.at[index - 1] : 0;
}

/* The past of a draft, which is in the front, as numbers: so many of each
 * process. */
struct count {
  uint32_t index; /* of the draft: one more than there are of its process */
  uint32_t width;
  const uint32_t *of; /* the others, by process */
};

/* Names what the draft has before it; if it is alike, only the previous one. */
void front_past(const struct front *, struct draft *, const struct count *);

/* The draft touches these bytes. */
void front_visit(const struct front *, struct draft *, const struct count *,
                 uint32_t cell, uint8_t bytes, uint32_t mode);

/* Adds an occurrence whose past is in the front. */
void front_push(struct front *, uint32_t x);

void front_truncate(struct front *, size_t size);

/* Adds x and all its past.  If something of it is in conflict with what is
 * there, or asleep: false, and nothing is added. */
bool front_extend(struct front *, uint32_t x);

/* x, with its past, went with the front before its newest member joined: does
 * it still?  Not if something of it that is not in the front sleeps. */
enum front_answer {
  FRONT_FORBIDS,
  FRONT_ALLOWS,      /* they are independent */
  FRONT_LEADS_THERE, /* the newest member is in the past of x */
};
enum front_answer front_still_allows(struct front *, uint32_t x);

#endif
