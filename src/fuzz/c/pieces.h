/* What random C programs are made of: shared objects with what threads do to
 * them, where they lie, and what guards them.  All are templates (template.h)
 * in the .def files. */
#ifndef FUZZ_C_PIECES_H
#define FUZZ_C_PIECES_H

enum trait {
  SINGLE = 1 << 0,  /* accesses are machine accesses: a real run without
                       optimisation does nothing else, even with data races */
  GUARDED = 1 << 1, /* never without a guard */
  GLOBAL = 1 << 2,  /* its object is always a global variable */
  ATOMIC = 1 << 3,  /* needs no guard */
  CLANG = 1 << 4,   /* gcc does not know it */
  SPINS = 1 << 5,   /* a loop that waits ... */
  PLAIN = 1 << 6,   /* not for _Atomic types */
  ITSELF = 1 << 7,  /* declares its objects itself: there is no @X */
  AWAITS = 1 << 8, /* ... with SPINS: for ever, if others do not let it go on */
  SIGNALS = 1 << 9, /* threads are interrupted or cancelled: naive has more
                       traces, as private steps are interrupted, too */
};

struct piece {
  const char *name;
  unsigned traits;
  const char *declarations;
  const char *opening; /* run by the owner before there are other threads */
  const char *const *reads;
  const char *const *writes; /* these and the reads end with NULL */
  const char *closing;       /* run by the owner after all have ended */
};

struct guard {
  const char *name;
  unsigned traits;
  const char *declarations;
  const char *opening;
  const char *enter, *leave;
  const char *enter_read, *leave_read; /* NULL: as for writing */
};

struct object_place {
  const char *name;
  unsigned traits;
  const char *declarations;
  const char *opening;
  const char *object;  /* as the owner reaches it */
  const char *address; /* NULL: all reach it like the owner */
  const char *closing;
};

extern const struct piece pieces[];
extern const struct guard guards[];
extern const struct object_place places[];
extern const unsigned piece_count, guard_count, place_count;

#endif
