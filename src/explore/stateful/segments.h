/* The accesses of a future, process by process.
 *
 * Most processes have the same future in many states.  So the accesses of one
 * process are a segment, and equal segments are kept once: a future is a list
 * of their numbers.  What becomes of a segment before a step, or together with
 * another one, is worked out once and remembered: mostly a step changes
 * a segment or two, and in a way that was seen before.
 */
#ifndef EXPLORE_STATEFUL_SEGMENTS_H
#define EXPLORE_STATEFUL_SEGMENTS_H

#include "core/system.h"
#include "util/table.h"
#include "util/vec.h"

/* keep.  Sets, with a bit for each; numbers from 64 on are in no set. */
struct carriers {
  uint64_t processes;
  uint64_t objects; /* numbers of struct objects */
};

/* keep */
struct future_access {
  uint64_t granule;
  uint32_t proc : 24;
  /* How many steps of its process come before that of the access: at least
   * `first`, at most `last`, or FUTURE_FAR: any number. */
  uint32_t last : 8;
  uint8_t first;
  uint8_t bytes;
  uint8_t mode : 4;      /* ACCESS_WRITE, ACCESS_ATOMIC, FUTURE_BLOCK */
  uint8_t reordered : 4; /* REORDERED_ bits: what it may be in another order;
                            FUTURE_SOMETIMES */
  uint8_t wants; /* of an operation that may wait: the offer that it needs */
  struct carriers carriers;
  uint64_t acquired; /* objects that its own process acquires before it */
  uint64_t joined;   /* processes whose end some process awaits before it, by a
                        join that is still to come */
};

enum { FUTURE_FAR = 255 };

/* In an atomic block: two of these are in no data race. */
enum { FUTURE_BLOCK = 8 };

/* Some executions of which more is known do not have it. */
enum { FUTURE_SOMETIMES = 8 };

/* keep.  Accesses of one process, sorted, without duplicates. */
struct access_list {
  VEC(struct future_access) list;
};

/* keep */
struct access_segment {
  uint32_t first; /* in the pool */
  uint32_t count;
  uint32_t proc;
  struct carriers some; /* what is a carrier of some access */
};

/* keep.  What became of something by a change with this digest. */
struct recollection {
  struct digest128 change;
  uint32_t number; /* of a segment, ... */
  uint32_t result; /* 1 + the number, or 0: nothing is remembered */
};

struct recollections {
  struct recollection *at; /* by hashes, in pairs; the older one is replaced */
  size_t capacity;         /* a power of two, or 0 */
};

struct segments {
  VEC(struct future_access) pool;
  VEC(struct access_segment) list;
  struct table by_contents;
  struct recollections by_change;
  struct access_list scratch, more;
};

/* A segment that does not exist: its process has no access. */
#define NO_SEGMENT UINT32_MAX

static inline const struct future_access *
segment_at(const struct segments *s, uint32_t number, size_t *count) {
  const struct access_segment *at = &s->list.at[number];
  *count = at->count;
  return &s->pool.at[at->first];
}

/* Adds an access, or unites it with an equal one. */
void accesses_insert(struct access_list *, const struct future_access *);

/* Those of the segment, NO_SEGMENT included, to be changed. */
struct access_list *segments_open(struct segments *, uint32_t number);
/* The number of the segment with these accesses: one at least. */
uint32_t segments_intern(struct segments *, const struct access_list *);
/* The same accesses as in another collection. */
uint32_t segments_again(struct segments *, const struct segments *from,
                        uint32_t number);

/* All accesses of two segments of one process. */
uint32_t segments_merge(struct segments *, uint32_t, uint32_t);

/* The first of two slots. */
static inline struct recollection *
recollection_slots(const struct recollections *r, uint32_t number,
                   struct digest128 change) {
  uint64_t hash =
      (change.word[0] + number * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u;
  return &r->at[(hash >> 32) & (r->capacity - 2)];
}

static inline bool recollection_is(const struct recollection *m,
                                   uint32_t number, struct digest128 change) {
  return m->number == number && digest128_equal(m->change, change);
}

/* NO_SEGMENT: what becomes of it is not remembered. */
static inline uint32_t recollection_find(const struct recollections *r,
                                         uint32_t number,
                                         struct digest128 change) {
  if (!r->capacity)
    return NO_SEGMENT;
  const struct recollection *m = recollection_slots(r, number, change);
  if (!recollection_is(m, number, change) &&
      !recollection_is(++m, number, change))
    return NO_SEGMENT;
  return m->result - 1; /* NO_SEGMENT if the slot is free */
}

/* There are so many numbers: with more of them more is remembered. */
void recollection_add(struct recollections *, uint32_t number,
                      struct digest128 change, uint32_t result, size_t numbers);

/* NO_SEGMENT: what becomes of the segment is not remembered. */
static inline uint32_t segments_recall(const struct segments *s,
                                       uint32_t number,
                                       struct digest128 change) {
  return recollection_find(&s->by_change, number, change);
}

void segments_remember(struct segments *, uint32_t number,
                       struct digest128 change, uint32_t result);

uint64_t segments_bytes(const struct segments *);
void segments_free(struct segments *);

#endif
