/* Who touched which bytes, for data races where data orders nothing.
 *
 * With --interfere=locks only what synchronises is a step.  Accesses to data
 * are local code: they are not in footprints, and the trace knows nothing of
 * them.  That is sound as long as there are no data races (docs/algorithms.md),
 * so all of them are remembered here, granule by granule (8 bytes), with those
 * of the operations themselves, and a new one is compared with the old ones.
 *
 * A touch is before whatever has seen `index` events of its process.  The
 * operation of event i has index i; the local code behind it has i + 1: it is
 * before what the next event of its process releases, but not before what the
 * operation itself releases.
 *
 * As in the trace, a write hides what is older on its bytes.  If that is a race
 * with something later, so is the write, or it was one with the write.
 */
#ifndef CORE_SHADOW_H
#define CORE_SHADOW_H

#include "core/clock.h"
#include "core/event.h"

/* keep.  An access as its granule sees it. */
struct shadow_touch {
  uint32_t proc;
  uint32_t index;
  uint32_t cell;
  uint32_t older;   /* 1 + the touch before this one in the granule, or 0 */
  uint32_t matters; /* the same, without reads that this one outdates */
  uint8_t mask;     /* which of the 8 bytes */
  uint8_t mode;     /* ACCESS_ bits, SHADOW_BLOCK */
  uint64_t pc;
};

enum { SHADOW_BLOCK = 128 }; /* in an atomic block: they exclude each other */

struct shadow_cell {
  uint64_t granule;
  uint32_t newest; /* 1 + touch, or 0 */
};

struct shadow {
  VEC(struct shadow_touch) touches;
  VEC(struct shadow_cell) cells; /* every granule ever touched */
  uint32_t *buckets;             /* hash table of 1 + cell */
  size_t bucket_count;
};

/* Two accesses to `mask` of the granule, neither before the other. */
struct shadow_race {
  const struct shadow_touch *earlier;
  uint64_t granule;
  uint32_t proc;
  uint64_t pc;
};

/* An access, and what its process has seen. */
struct shadow_access {
  const struct access *access;
  uint32_t proc;
  uint32_t index;
  uint32_t mode; /* SHADOW_BLOCK or 0 */
  uint64_t pc;
  const struct clocks *clocks;
  uint32_t clock;
};

/* Enters the access; calls `report` for every earlier one that it races with.
 */
void shadow_enter(struct shadow *, const struct shadow_access *,
                  void (*report)(void *, const struct shadow_race *),
                  void *context);

/* Keeps the first `touches`. */
void shadow_truncate(struct shadow *, size_t touches);
void shadow_free(struct shadow *);

#endif
