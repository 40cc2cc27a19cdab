/* The accesses to each byte, for data races under --interfere=locks.
 *
 * With --interfere=locks only synchronisation is a step.  Accesses to data are
 * local code: no footprint and no trace has them.  That is sound as long as
 * there is no data race (docs/algorithms/settings.md).  So all accesses are
 * entered here, granule by granule (8 bytes), those of local code and those of
 * operations, and each new one is compared with the earlier ones.
 *
 * A touch happens before every event that knows `index` events of its process.
 * The operation of event i has index i.  The local code behind it has index
 * i + 1: it is before the release of its process's next event, but not before
 * the release of event i itself.
 *
 * As in the trace, a write hides older touches of its bytes.  If a hidden touch
 * races with a later access, then the write races with that access as well, or
 * the hidden touch races with the write.  The exception: an atomic write does
 * not hide a plain access from an atomic one.
 */
#ifndef CORE_SHADOW_H
#define CORE_SHADOW_H

#include "core/clock.h"
#include "core/event.h"
#include "util/table.h"

/* keep.  An access as its granule sees it. */
struct shadow_touch {
  uint32_t proc;
  uint32_t index;
  uint32_t cell;
  uint32_t older; /* 1 + the touch before this one in the granule, or 0 */
  uint32_t live;  /* the same, without the outdated ones; it changes */
  uint8_t mask;   /* which of the 8 bytes */
  uint8_t mode;   /* ACCESS_ bits, SHADOW_BLOCK */
  uint64_t pc;
};

enum { SHADOW_BLOCK = 128 }; /* of an atomic block: blocks exclude each other */

struct shadow_cell {
  uint64_t granule;
  uint32_t newest; /* 1 + touch, or 0 */
};

/* keep.  A touch that was left out of the chain of live ones. */
struct shadow_unlinked {
  uint32_t by;   /* 1 + the touch that outdated it */
  uint32_t from; /* the touch whose `live` it was ... */
  uint32_t live; /* ... which was this */
};

struct shadow {
  VEC(struct shadow_touch) touches;
  VEC(struct shadow_unlinked) unlinked;
  VEC(struct shadow_cell) cells; /* every granule ever touched */
  struct table by_granule;       /* finds cells */
};

/* Two accesses that race. */
struct data_race {
  uint32_t proc;     /* of the later access */
  uint64_t pc;       /* the place of the later access ... */
  uint64_t other_pc; /* ... and of the earlier one */
  uint64_t granule;
  uint8_t mask; /* the bytes of the granule */
  bool other_writes;
};

typedef void data_race_report(void *context, const struct data_race *);

/* An access, and the events that its process knows. */
struct shadow_access {
  const struct access *access;
  uint32_t proc;
  uint32_t index;
  uint32_t mode; /* SHADOW_BLOCK or 0 */
  uint64_t pc;
  const struct clocks *clocks;
  uint32_t clock;
};

/* Enters the access and reports every earlier one that it races with. */
void shadow_enter(struct shadow *, const struct shadow_access *,
                  data_race_report *, void *context);

/* Keeps the first `touches`. */
void shadow_truncate(struct shadow *, size_t touches);
void shadow_free(struct shadow *);

#endif
