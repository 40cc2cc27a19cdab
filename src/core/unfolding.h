/* The unfolding of a program: its prime event structure, as far as it is known.
 *
 * An occurrence is an event together with its history: the same step of the
 * same process after the same past is one occurrence, in whatever execution it
 * was seen.  Its name is its process, the alternative taken, and for each
 * process the last occurrence in its past; equal names are entered once.  What
 * the step touches follows from its name.  A step that learns nothing of other
 * processes shares what is known of them with the one before it.
 *
 * Two occurrences are in direct conflict if they depend on each other, neither
 * is in the other's past, and all that is before them can be together.  Then
 * they touch a byte, one of them writing, which the same occurrence wrote last
 * in both histories.  So a *place* is a granule (8 aligned bytes) together with
 * the last writer of some of its bytes, and rivals are found among those who
 * are at the same place.  Alternatives of one step meet at a place of their
 * own, since they need not touch anything.
 *
 * Occurrences are numbered from 1; 0 is none.  Whoever holds numbers must name
 * them when the rest is dropped: see unfolding_keep().
 *
 * Invariants:
 *   U1  past[p] of an occurrence x is the last occurrence of another process p
 *       in its history, and 0 for its own; it has no zeros at the end.
 *   U2  what is kept is causally closed.
 *   U3  if there is one before it whose past is the same, it is shared: the
 *       owner of both is the same.
 */
#ifndef CORE_UNFOLDING_H
#define CORE_UNFOLDING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/event.h"
#include "util/vec.h"

/* keep */
struct occurrence {
  uint32_t proc;
  uint32_t index;    /* which of its process, from 1: its depth in the tree */
  uint32_t height;   /* the longest chain of causes that ends with it */
  uint32_t previous; /* the one before it in its process, or 0 */
  uint32_t skip;     /* see unfolding.skip */
  uint32_t choice;
  uint32_t choices;
  uint32_t hash;    /* of its name, if it is an owner */
  uint32_t owner;   /* of its past: itself, or one before it, U3 */
  uint32_t heir;    /* the first of those directly after it that share its past,
                       one for each alternative, or 0; */
  uint32_t sibling; /* the next of them */
  uint32_t width;   /* of its past: how many processes */
  uint32_t past;    /* in unfolding.pasts */
  uint32_t visits;  /* in unfolding.visits: where the first is, ... */
  uint32_t visit_count;
  uint64_t listed; /* for the explorer: see unfold.c */
  bool used;       /* false: the number is free */
  bool keep;       /* in a collection: it stays */
  bool inside;     /* of the configuration at hand: see front.h */
  bool asleep;     /* must not be added to the front */
};

/* Some bytes of a granule, and who wrote them last.  keep */
struct place {
  uint32_t cell;   /* number of the granule */
  uint32_t writer; /* occurrence, or 0 */
  uint32_t newest; /* visit + 1, or 0 */
  uint32_t count;  /* of visits */
};

/* An occurrence touches a place.  keep */
struct visit {
  uint32_t place;
  uint32_t occurrence;
  uint32_t older; /* visit of the same place + 1, or 0 */
  uint8_t mask;   /* which of the 8 bytes */
  uint8_t mode;   /* ACCESS_WRITE or 0 */
};

/* Bytes of a granule that a draft touches. */
struct draft_visit {
  uint32_t cell;
  uint32_t writer; /* occurrence that wrote them last, or 0 */
  uint8_t mask;
  uint8_t mode;
};

/* What an occurrence is to be, or might be. */
struct draft {
  uint32_t proc;
  uint32_t choice;
  uint32_t choices;
  uint32_t previous;  /* in its process, or 0 */
  bool alike;         /* the past is that of the previous one; if not: */
  VEC(uint32_t) past; /* as in U1, but for zeros at the end */
  uint32_t hash;      /* of its name */
  VEC(struct draft_visit) visits;
};

struct unfolding {
  /* The occurrences of a process form a tree: every one has one before it.  One
   * step leads to the one before, a skip to the next whose index is a multiple
   * of this. */
  uint32_t skip;
  VEC(struct occurrence) occurrences; /* occurrences.at[0] is not used */
  VEC(uint32_t) pasts;
  VEC(struct visit) visits;
  VEC(struct place) places;
  VEC(uint32_t) unused; /* numbers that are free */
  struct table {
    struct slot {
      uint32_t number; /* or 0 */
      uint32_t hash;
    } * slots;
    size_t size; /* a power of two */
    size_t used;
  } names, keys;                /* of owners; of places, their numbers + 1 */
  VEC(uint32_t) old_pasts;      /* scratch of the collection */
  VEC(struct visit) old_visits; /* the same */
  VEC(struct place) old_places; /* the same */
  VEC(uint32_t) to_keep;        /* the same */
  struct marks *marks;          /* scratch: see unfolding_dependent() */
  uint64_t *looked_at;          /* see unfolding_init() */
  size_t live;
  size_t threshold; /* so many may live before something is dropped */
  struct unfolding_counts {
    uint64_t entered; /* occurrences */
    uint64_t most;    /* kept at a time */
    uint64_t depth;   /* of the deepest in its process's tree */
    uint64_t queries; /* for ancestors in these trees, */
    uint64_t distance,
        farthest;   /* and how far these were, in all and at most */
    uint64_t steps; /* steps and skips that led there */
  } counts;
};

/* `looked_at` counts what dropping takes, for who waits for it. */
void unfolding_init(struct unfolding *, uint32_t skip, uint64_t *looked_at);
void unfolding_free(struct unfolding *);

static inline struct occurrence *occurrence_at(const struct unfolding *u,
                                               uint32_t x) {
  return &u->occurrences.at[x];
}

/* The last occurrence of process p in the history of x, or 0. */
static inline uint32_t occurrence_past(const struct unfolding *u,
                                       const struct occurrence *x, uint32_t p) {
  if (p == x->proc)
    return x->previous;
  return p < x->width ? u->pasts.at[x->past + p] : 0;
}

static inline uint32_t occurrence_index(const struct unfolding *u, uint32_t x) {
  return x ? u->occurrences.at[x].index : 0;
}

/* The occurrence of that name, or 0. */
uint32_t unfolding_find(const struct unfolding *, struct draft *);

/* Enters the draft, after it has not been found. */
uint32_t unfolding_add(struct unfolding *, const struct draft *);

/* Bytes of the cell that were last written by this occurrence. */
static inline void draft_visit(struct draft *d, uint32_t cell, uint32_t writer,
                               uint8_t bytes, uint32_t mode) {
  if (bytes)
    VEC_PUSH(d->visits, (struct draft_visit){cell, writer, bytes,
                                             (uint8_t)(mode & ACCESS_WRITE)});
}

/* The ancestor of x, or x, with this index (from 1) in its process's tree. */
uint32_t unfolding_ancestor(struct unfolding *, uint32_t x, uint32_t index);

/* Do two visits of one place conflict? */
static inline bool visits_conflict(const struct visit *a,
                                   const struct visit *b) {
  return (a->mask & b->mask) && ((a->mode | b->mode) & ACCESS_WRITE);
}

/* Do the occurrences depend on each other, both being possible now? */
bool unfolding_dependent(const struct unfolding *, uint32_t x, uint32_t y);

/* Dropping what is not needed: begin, keep what is, end.  What is kept keeps
 * its past (U2). */
static inline bool unfolding_is_full(const struct unfolding *u) {
  return u->live > u->threshold;
}
void unfolding_keep(struct unfolding *, uint32_t x);
void unfolding_drop_others(struct unfolding *);

#endif
