/* The unfolding of a program: its prime event structure, as far as it is known.
 *
 * An occurrence is an event together with its history.  The same step of the
 * same process after the same past is one occurrence, in whatever execution it
 * was seen.  Its name consists of its process, the alternative taken, and for
 * each process the last occurrence in its past.  Equal names are entered once.
 * What the step touches follows from its name.  A step that learns nothing of
 * other processes shares the past of the occurrence before it in its process.
 *
 * Two occurrences are in direct conflict if they depend on each other, neither
 * is in the other's past, and their pasts are compatible.  Then they touch a
 * byte, one of them writing, which the same occurrence wrote last in both
 * histories, updates of a kind (ACCESS_KIND) left out: of two other writes one
 * is in the other's past, and whatever touches the byte conflicts with them.
 * So a *place* is a granule (8 aligned bytes) together with the last writer of
 * some of its bytes, and rivals of an occurrence are found among the others at
 * its places.  Alternatives of one step meet at a place of their own, since
 * they need not touch anything.
 *
 * Occurrences are numbered from 1; 0 is none.  When others are dropped, those
 * that are still referred to by number must be kept: see unfolding_keep().
 *
 * Invariants:
 *   U1  past[p] of an occurrence is the last occurrence of another process p in
 *       its history, and 0 for its own process.  It has no zeros at the end.
 *   U2  the occurrences that are kept are causally closed.
 *   U3  an occurrence with the same past as the one before it in its process
 *       shares it: both have the same owner.
 */
#ifndef EXPLORE_UNFOLDING_UNFOLDING_H
#define EXPLORE_UNFOLDING_UNFOLDING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/event.h"
#include "util/table.h"
#include "util/vec.h"

/* keep */
struct occurrence {
  uint32_t proc;
  uint32_t index;  /* in its process, from 1: its depth in the process's tree */
  uint32_t height; /* the longest chain of causes that ends with it */
  uint32_t previous; /* the occurrence before it in its process, or 0 */
  uint32_t skip;     /* see unfolding.skip */
  uint32_t leap;     /* an ancestor far above it: see unfolding_ancestor() */
  uint32_t choice;
  uint32_t choices;
  uint32_t hash;  /* of its name, if it is an owner */
  uint32_t owner; /* of its past: itself, or an occurrence before it, U3 */
  uint32_t heir; /* the first occurrence directly after it that shares its past,
                    or 0.  There is one for each alternative. */
  uint32_t
      sibling;    /* the next occurrence that shares the past of the same one */
  uint32_t width; /* how many processes its past counts */
  uint32_t past;  /* in unfolding.pasts */
  uint32_t visits; /* its first visit in unfolding.visits, ... */
  uint32_t visit_count;
  uint64_t listed; /* for the explorer: see unfold.c */
  bool used;       /* false: the number is unused */
  bool keep;       /* during a collection: it is not dropped */
  bool inside;     /* a member of the configuration: see configuration.h */
  bool asleep;     /* it sleeps: it must not be added to the configuration */
};

/* keep.  Some bytes of a granule, and the occurrence that wrote them last. */
struct unfolding_place {
  uint32_t cell;   /* number of the granule */
  uint32_t writer; /* occurrence, or 0 */
  uint32_t newest; /* visit + 1, or 0 */
  uint32_t count;  /* of visits */
};

/* An occurrence touches a place.  keep */
struct unfolding_visit {
  uint32_t place;
  uint32_t occurrence;
  uint32_t older;  /* visit of the same place + 1, or 0 */
  uint8_t mask;    /* which of the 8 bytes */
  uint8_t mode;    /* ACCESS_WRITE or 0 */
  uint16_t update; /* see update_name() */
};

/* Bytes of a granule that a new event touches. */
struct new_event_visit {
  uint32_t cell;
  uint32_t writer; /* the occurrence that wrote them last, or 0 */
  uint8_t mask;
  uint8_t mode;
  uint16_t update;
};

/* Two updates commute if they have the same name in a granule: one kind, and
 * the same bytes.  0: it is no update of a kind. */
static inline uint16_t update_name(const struct access *a, uint64_t granule) {
  uint32_t offset = (uint32_t)(a->addr - (granule << 3) + 8);
  return a->mode & ACCESS_KIND
             ? (uint16_t)((a->mode & ACCESS_KIND) << 8 | offset << 4 | a->size)
             : 0;
}

/* An occurrence that may be entered. */
struct new_event {
  uint32_t proc;
  uint32_t choice;
  uint32_t choices;
  uint32_t previous;  /* in its process, or 0 */
  bool same_past;     /* its past is that of the previous occurrence; if not: */
  VEC(uint32_t) past; /* as in U1, but perhaps with zeros at the end */
  uint32_t hash;      /* of its name */
  VEC(struct new_event_visit) visits;
};

struct unfolding {
  /* The occurrences of a process form a tree: each has one before it.
   * `previous` leads to that one, `skip` to the nearest ancestor whose index is
   * a multiple of this. */
  uint32_t skip;
  VEC(struct occurrence) occurrences; /* occurrences.at[0] is not used */
  VEC(uint32_t) pasts;
  VEC(struct unfolding_visit) visits;
  VEC(struct unfolding_place) places;
  VEC(uint32_t) unused;                   /* unused numbers */
  struct table names;                     /* owners by name */
  struct table keys;                      /* places by cell and writer */
  VEC(uint32_t) old_pasts;                /* scratch of the collection */
  VEC(struct unfolding_visit) old_visits; /* the same */
  VEC(struct unfolding_place) old_places; /* the same */
  VEC(uint32_t) to_keep;                  /* the same */
  struct unfolding_marks *marks; /* scratch: see unfolding_dependent() */
  uint64_t *looked_at;           /* see unfolding_init() */
  size_t live;
  size_t threshold; /* so many occurrences may live before a collection */
  struct unfolding_counts {
    uint64_t entered; /* occurrences */
    uint64_t most;    /* at one time */
    uint64_t depth;   /* of the deepest in its process's tree */
    uint64_t queries; /* for ancestors in the trees, ... */
    uint64_t distance,
        farthest;   /* ... how far they were, in all and at most, ... */
    uint64_t steps; /* ... and the steps and skips that led to them */
  } counts;
};

/* `looked_at` counts the work of collections, as a sign of life. */
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
uint32_t unfolding_find(const struct unfolding *, struct new_event *);

/* Enters the new event, after it has not been found. */
uint32_t unfolding_add(struct unfolding *, const struct new_event *);

/* How a new event touches a granule. */
struct new_event_mode {
  uint32_t mode;
  uint16_t update;
};

/* Bytes of the cell that were last written by this occurrence. */
static inline void new_event_visit(struct new_event *d, uint32_t cell,
                                   uint32_t writer, uint8_t bytes,
                                   struct new_event_mode how) {
  if (bytes)
    VEC_PUSH(d->visits, (struct new_event_visit){
                            cell, writer, bytes,
                            (uint8_t)(how.mode & ACCESS_WRITE), how.update});
}

/* The ancestor of x, or x, with this index (from 1) in its process's tree. */
uint32_t unfolding_ancestor(struct unfolding *, uint32_t x, uint32_t index);

/* Do two visits of one place conflict? */
static inline bool visits_conflict(const struct unfolding_visit *a,
                                   const struct unfolding_visit *b) {
  return (a->mask & b->mask) && ((a->mode | b->mode) & ACCESS_WRITE) &&
         !(a->update && a->update == b->update);
}

/* Do the occurrences depend on each other, both being possible now? */
bool unfolding_dependent(const struct unfolding *, uint32_t x, uint32_t y);

/* Dropping occurrences: keep all that are needed, then drop the others.  A kept
 * occurrence keeps its past (U2). */
static inline bool unfolding_is_full(const struct unfolding *u) {
  return u->live > u->threshold;
}
void unfolding_keep(struct unfolding *, uint32_t x);
void unfolding_drop_others(struct unfolding *);

/* Checks the invariants, and that everything is where it is looked for. */
void unfolding_check(const struct unfolding *);

#endif
