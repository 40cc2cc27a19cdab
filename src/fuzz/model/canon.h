/* The Mazurkiewicz trace of an execution, by the definition and nothing else.
 *
 * Two executions are equivalent iff one comes from the other by swapping
 * adjacent independent steps; equivalently, iff they have the same events with
 * the same dependence between them.  So an event is named by its process, its
 * index there, the alternative it took, and the names of all earlier events it
 * depends on; a trace is the set of its events' names.  Names are 128-bit
 * hashes, sets are sums.
 *
 * This is written apart from core/trace.c on purpose, and as plainly as
 * possible: it judges that one.
 */
#ifndef FUZZ_MODEL_CANON_H
#define FUZZ_MODEL_CANON_H

#include "core/system.h"
#include "util/vec.h"

struct key {
  uint64_t low, high;
};

static inline bool key_equal(struct key a, struct key b) {
  return a.low == b.low && a.high == b.high;
}

/* keep */
struct canon_event {
  uint32_t proc;
  uint32_t index;        /* in its process, from 0 */
  uint32_t first_access; /* in canon.accesses */
  uint32_t accesses;
  uint32_t cause; /* 1 + position of what made it possible, or 0 */
  uint16_t choice;
  uint16_t op;
  bool failed;    /* its process failed in it */
  bool look;      /* it could have had to wait */
  bool tainted;   /* a failed event happens before it */
  uint32_t blind; /* 1 + the one access that overwrites all of something and
                     depends on nothing that was there; 0: there is none, or
                     there are several */
  uint64_t
      touched; /* a bit for each variable, modulo 64: no bit in common ... */
  uint64_t written;      /* ... means no overlap */
  struct key link;       /* what its name adds to those of its dependents */
  struct key observed;   /* the same for canon_observed() */
  struct key trace;      /* sum of the names up to here */
  struct key reads_from; /* sum of the reads-from pairs up to here */
};

typedef VEC(struct access) access_list;

/* keep */
struct canon {
  VEC(struct canon_event) events;
  access_list accesses;
  bool reads; /* canon_reads_from() is asked for: it takes its time */
  const access_list *ordered; /* a write to these reads the old value, too;
                               * NULL: nothing is ordered */
};

void canon_free(struct canon *);
void canon_push(struct canon *, uint32_t proc, const struct step *,
                bool failed);
void canon_truncate(struct canon *, size_t length);

/* The trace so far, and its class if only the writer of each byte that is read
 * matters (operations on mutexes and their like read the one before), and for
 * writes which looks came before them. */
struct key canon_trace(const struct canon *);
struct key canon_reads_from(const struct canon *);

/* The class of the whole execution with observers.  Two writes of the same
 * bytes, neither of which reads them, are ordered only if the later one is
 * observed: the next event that touches one of these bytes is not such a write.
 * All executions with one Mazurkiewicz trace are in one class: every event that
 * touches the bytes depends on the write, so equivalent executions differ at
 * most in which of several reads comes next.  `printed`: at the end of the
 * execution every variable is read. */
struct key canon_observed(struct canon *, bool printed);

#endif
