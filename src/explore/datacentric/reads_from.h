/* The reads-from relation (rf) of a whole execution, a *run*.
 *
 * Where core/trace.h says which events depend on each other, a run says which
 * write every read observed.  The bytes that the execution touched are cut into
 * *atoms* at the ends of all ranges, so that every access covers whole atoms.
 * An event has one *item* for each atom that it touches.  An item reads if the
 * event looked at the atom (operations on mutexes and their like always do),
 * and writes if the event changed it, or may have.
 *
 * The *cone* of an event contains all that it follows from: the events of its
 * process before it, the event that created, joined or woke it, the writes that
 * it observed, and the cones of all these.  A cone can be run without the rest,
 * and does the same.
 *
 * A spin loop waits until a write to the bytes it reads has changed something,
 * and whether a write does depends on the writes before.  So a write to an
 * awaited byte (such bytes are *ordered*) is taken to observe what was there,
 * in all the bytes that it writes.  So is a write to memory that may end before
 * it: then the write fails, and its process stops.  Such bytes are ordered once
 * a write to them has failed.
 *
 * A look (STEP_LOOK) is a read that may have to wait.  Two executions may
 * differ only in that one look was in time in the one and waits for ever in the
 * other, since the write that came too early does not observe looks.  So a look
 * leaves a *mark*, in bytes of its process and place that no event really
 * touches, and every write to the place observes the marks of all other
 * processes there.  Looks do not observe each other.  Which processes look
 * where is known once they did; then the search begins anew.  A look that may
 * write is a write or a look, as it turns out when it is run.
 *
 * Behind the events stand the operations that wait at the end.
 *
 * Invariants:
 *   R1  atoms rise and do not overlap.
 *   R2  the items of an atom, from its first, are in the order of the run.
 *   R3  a read observes the last write to its atom before it.
 *   R4  a cone has the cones of all that its event follows from.
 */
#ifndef EXPLORE_DATACENTRIC_READS_FROM_H
#define EXPLORE_DATACENTRIC_READS_FROM_H

#include "explore/datacentric/annotation.h"
#include "core/system.h"
#include "core/trace.h"
#include "util/table.h"

/* keep */
struct rf_item {
  uint32_t atom;
  uint32_t event;
  uint32_t from;  /* of a read: 1 + the item whose write it observed, or 0 */
  uint32_t next;  /* 1 + the next item that touches this atom, or 0 */
  uint32_t older; /* 1 + the item before it in the atom, or 0 */
  bool reads;
  bool writes;
};

/* keep */
struct rf_event {
  uint32_t proc;
  uint32_t index;    /* from 1 */
  uint32_t previous; /* 1 + position, or 0 */
  uint32_t cause;    /* 1 + position, or 0 */
  uint32_t first_item, items;
  uint32_t first_access, accesses;
  uint32_t marks; /* so many behind its accesses */
  uint32_t choices;
  uint32_t pair;        /* what it observed; 0 if it reads nothing */
  uint32_t choice_pair; /* the alternative that it took; 0 if it has only one */
  uint16_t op;
  uint16_t choice;
  uint8_t flags; /* STEP_ bits */
  bool varies;   /* what it touches depends on what it observes: a block, a
                    compare-and-swap where others look, or a look */
  uint8_t wants, offers;
};

struct rf_atom {
  uint64_t from, to;
  uint32_t first; /* 1 + the first item that touches it, or 0 */
  bool ordered;
};

/* A write of an event, and the writes of one process to one atom, in order. */
struct rf_write {
  uint32_t event;
  uint32_t index; /* of the event in its process */
  uint32_t item;
};
struct rf_writer {
  uint32_t proc;
  uint32_t first, count; /* in run.writes */
};

/* keep */
struct reads_from {
  uint32_t length; /* events taken */
  uint32_t processes;
  VEC(struct rf_event)
  events; /* in the order of the execution, then the waiting operations */
  VEC(struct rf_item) items;
  VEC(struct access) accesses;
  VEC(struct rf_atom) atoms;      /* in the order of addresses */
  VEC(uint32_t) cones;            /* by event and process: how many events */
  VEC(uint32_t) first_of_process; /* into: */
  VEC(uint32_t) of_process;       /* events of each process */
  VEC(struct rf_write) writes;    /* sorted by atom, process and index */
  VEC(struct rf_writer) writers;  /* of each atom, by rising process */
  VEC(uint32_t) first_writer;     /* by atom, and the end */
};

/* keep.  A process looks at a place. */
struct rf_looker {
  uint64_t addr;
  uint32_t size;
  uint32_t proc;
};

#define RF_MARK 48 /* user addresses have fewer bits */

static inline bool rf_is_mark(uint64_t addr) {
  return addr >> RF_MARK;
}

/* keep.  Makes runs. */
struct rf_maker {
  struct annotation_pairs pairs;
  VEC(struct access)
  ordered; /* bytes that were ever awaited, or that blocks wrote
                            (`blocks_order`), or that had ended when they
                            were written */
  VEC(struct rf_looker) lookers;
  bool joins;               /* a look may be a read and a swap in one step */
  bool blocks_order;        /* bytes that blocks write are ordered */
  const uint32_t *failures; /* positions of failed events in the trace ... */
  size_t failure_count;     /* ... and their number; set by the caller */
  struct reads_from now;    /* the last run, but for its sorted arrays: the next
                            one begins like it */
  VEC(struct access)
  places;                /* ranges of this run and of earlier ones, each once */
  struct table by_range; /* finds places */
  VEC(uint64_t) ends;
  VEC(uint32_t) last;           /* by atom: 1 + item of the last write */
  VEC(uint32_t) newest;         /* by atom: 1 + item of the last touch */
  VEC(uint32_t) ends_of_writes; /* by atom */
  VEC(struct annotation_segment) segments; /* scratch */
};

void rf_maker_init(struct rf_maker *);
void rf_maker_free(struct rf_maker *);
void rf_free(struct reads_from *);

/* Makes the run of a trace that has come to its end, from the last run up to
 * trace.unchanged.  False if it has bytes to be ordered that were not known to
 * be; now they are. */
bool rf_make(struct rf_maker *, struct reads_from *, struct trace *,
             struct system *);

/* Does the access, whose first atom this is, observe what was there? */
bool rf_looks(const struct reads_from *, const struct access *, uint32_t atom);

/* The marks that a write of the process observes: the first one from number
 * `from` on, which is then one less than the result; 0: there are no more. */
uint32_t rf_mark(const struct rf_maker *, uint32_t proc, const struct access *,
                 uint32_t from, struct access *);

/* The mark that a look of the process leaves which only reads this. */
struct access rf_own_mark(uint32_t proc, const struct access *);

/* How many events a process has, and the k-th of them, from 1. */
static inline uint32_t rf_count(const struct reads_from *r, uint32_t p) {
  return r->first_of_process.at[p + 1] - r->first_of_process.at[p];
}

static inline uint32_t rf_event(const struct reads_from *r, uint32_t p,
                                uint32_t k) {
  return r->of_process.at[r->first_of_process.at[p] + k - 1];
}

/* The processes that write to an atom, and how many these are. */
static inline const struct rf_writer *
rf_writers(const struct reads_from *r, uint32_t atom, uint32_t *count) {
  *count = r->first_writer.at[atom + 1] - r->first_writer.at[atom];
  return r->writers.at + r->first_writer.at[atom];
}

/* How many of a process's writes to an atom are among its first `most` events.
 */
uint32_t rf_writes_within(const struct reads_from *, const struct rf_writer *,
                          uint32_t most);

static inline uint32_t *rf_cone(const struct reads_from *r, uint32_t event) {
  return &r->cones.at[(size_t)event * r->processes];
}

/* The number of the pair of an event with these items. */
uint32_t rf_pair(struct rf_maker *, const struct reads_from *, uint32_t event,
                 const struct rf_item *, uint32_t count);

/* The same if the event made these accesses when it was tried.  They may touch
 * bytes that no other event of this run touches. */
uint32_t rf_pair_tried(struct rf_maker *, const struct reads_from *,
                       uint32_t event, const struct access *, uint32_t accesses,
                       const struct rf_item *, uint32_t count);

/* The atoms that overlap a range: the first one, and how many. */
uint32_t rf_atoms(const struct reads_from *, uint64_t addr, uint32_t size,
                  uint32_t *first);

/* Checks the invariants. */
void rf_check(const struct reads_from *);

#endif
