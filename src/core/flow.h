/* A whole execution, as data flows through it.
 *
 * Where core/trace.h asks what depends on what, a flow says of every read which
 * write it observed.  The bytes that the execution touched are cut into *atoms*
 * at the ends of all ranges, so that every access covers whole atoms; an event
 * has one *item* for each atom that it touches.  An item reads if the event
 * looked at the atom (operations on mutexes and their like do, whatever they
 * do), and writes if it changed it, or may have.
 *
 * The *cone* of an event is all that it follows from: what its process did
 * before, what created, joined or woke it, the writes that it observed, and the
 * cones of these.  A cone can be run without the rest and does the same.
 *
 * A spin loop waits until a write to what it reads has changed something, and
 * whether a write does depends on those before.  So a write to a byte that
 * somebody awaits (such bytes are *ordered*) is taken to observe what was
 * there, in all the bytes that it writes.
 *
 * Behind the events that were taken stand the operations that wait at the end.
 */
#ifndef CORE_FLOW_H
#define CORE_FLOW_H

#include "core/pairs.h"
#include "core/system.h"
#include "core/trace.h"

/* keep */
struct item {
  uint32_t atom;
  uint32_t event;
  uint32_t from;  /* of a read: 1 + the item that wrote what it saw, or 0 */
  uint32_t next;  /* 1 + the next item that touches this atom, or 0 */
  uint32_t older; /* 1 + the one before, or 0 */
  bool reads;
  bool writes;
};

/* keep */
struct deed {
  uint32_t proc;
  uint32_t index;    /* from 1 */
  uint32_t previous; /* 1 + position, or 0 */
  uint32_t cause;    /* 1 + position, or 0 */
  uint32_t first_item, items;
  uint32_t first_access, accesses;
  uint32_t choices;
  uint32_t pair;        /* what it observed, or 0: nothing is there to see */
  uint32_t choice_pair; /* the alternative it took, or 0: there is no other */
  uint16_t op;
  uint16_t choice;
  uint8_t flags; /* STEP_ bits */
  uint8_t wants, offers;
};

struct atom {
  uint64_t from, to;
  uint32_t first; /* 1 + the first item that touches it, or 0 */
  bool ordered;
};

/* A write that was taken, and those of one process to one atom, in its order.
 */
struct write {
  uint32_t deed;
  uint32_t index; /* of the deed in its process */
  uint32_t item;
};
struct writer {
  uint32_t proc;
  uint32_t first, count; /* in flow.writes */
};

/* keep */
struct flow {
  uint32_t length; /* events taken */
  uint32_t processes;
  VEC(struct deed) deeds; /* in the order of the execution, then who waits */
  VEC(struct item) items;
  VEC(struct access) accesses;
  VEC(struct atom) atoms;         /* in the order of addresses */
  VEC(uint32_t) cones;            /* by deed and process: how many deeds */
  VEC(uint32_t) first_of_process; /* into: */
  VEC(uint32_t) of_process;       /* deeds of each process */
  VEC(struct write) writes;       /* sorted by atom, process and index */
  VEC(struct writer) writers;     /* by rising process, of each atom: */
  VEC(uint32_t) first_writer;     /* by atom, and the end */
};

/* keep.  What is needed to make runs. */
struct flow_maker {
  struct pairs pairs;
  VEC(struct access) ordered; /* awaited at some time, or by `blocks_order` */
  bool blocks_order;          /* what blocks write is ordered */
  struct flow now; /* the last one, but for what is sorted: the next one begins
                      like it */
  VEC(struct access) places; /* ranges of this flow and others, each once */
  uint32_t *buckets;         /* 1 + index into places */
  size_t bucket_count;
  VEC(uint32_t) used; /* buckets */
  VEC(uint64_t) ends;
  VEC(uint32_t) last;           /* by atom: 1 + item of the last write */
  VEC(uint32_t) newest;         /* by atom: 1 + item of the last touch */
  VEC(uint32_t) ends_of_writes; /* by atom */
  VEC(struct segment) segments; /* scratch */
};

void flow_maker_init(struct flow_maker *);
void flow_maker_free(struct flow_maker *);
void flow_free(struct flow *);

/* Makes the flow of a trace that has come to its end, from the last one up to
 * trace.shortest.  False: there are bytes to be ordered that were not known to
 * be; they are now. */
bool flow_make(struct flow_maker *, struct flow *, struct trace *,
               struct system *);

/* Does the access, whose first atom this is, observe what was there? */
bool flow_looks(const struct flow *, const struct access *, uint32_t atom);

/* How many deeds a process has, and the k-th of them, from 1. */
static inline uint32_t flow_count(const struct flow *r, uint32_t p) {
  return r->first_of_process.at[p + 1] - r->first_of_process.at[p];
}

static inline uint32_t flow_deed(const struct flow *r, uint32_t p, uint32_t k) {
  return r->of_process.at[r->first_of_process.at[p] + k - 1];
}

/* The processes that write to an atom, and how many these are. */
static inline const struct writer *
flow_writers(const struct flow *r, uint32_t atom, uint32_t *count) {
  *count = r->first_writer.at[atom + 1] - r->first_writer.at[atom];
  return r->writers.at + r->first_writer.at[atom];
}

/* How many of a process's writes to an atom are among its first `most` deeds.
 */
uint32_t flow_writes_within(const struct flow *, const struct writer *,
                            uint32_t most);

static inline uint32_t *flow_cone(const struct flow *r, uint32_t deed) {
  return &r->cones.at[(size_t)deed * r->processes];
}

/* The number of what a deed observes if its items were these. */
uint32_t flow_pair(struct flow_maker *, const struct flow *, uint32_t deed,
                   const struct item *, uint32_t count);

/* The same if it made these accesses when it was tried: they may lie where
 * nobody else was in this flow. */
uint32_t flow_pair_tried(struct flow_maker *, const struct flow *,
                         uint32_t deed, const struct access *,
                         uint32_t accesses, const struct item *,
                         uint32_t count);

/* The atoms that overlap a range: the first one, and how many. */
uint32_t flow_atoms(const struct flow *, uint64_t addr, uint32_t size,
                    uint32_t *first);

#endif
