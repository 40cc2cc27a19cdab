/* The algorithms of algorithms.def: their declarations, and finding one by its
 * name. */
#ifndef EXPLORE_ALGORITHMS_H
#define EXPLORE_ALGORITHMS_H

#include "core/search.h"

#define ALGORITHM(id, name, help) extern const struct algorithm id##_algorithm;
#define PRINTED(id, name, help) \
  extern const struct algorithm printed_##id##_algorithm;
#include "explore/algorithms.def"

/* The algorithm of that name.  If `as_printed` and a paper prints it otherwise,
 * that form: for the paper's tables, not for verdicts.  NULL: there is none. */
const struct algorithm *algorithm_find(const char *name, bool as_printed);

/* What is known of the executions that an algorithm explores.  The fuzzer
 * demands it of every program. */
enum algorithm_promise {
  EVERY_INTERLEAVING = 1, /* as many executions as interleavings */
  EVERY_TRACE = 2,        /* every trace is completed, ... */
  EACH_ONCE = 4,          /* ... just once */
  NEVER_BLOCKED = 8,      /* no execution is cut */
  BY_CONTEXT = 16,        /* steps that commute where they stand need not be
                             tried in both orders: at most one execution for
                             each trace */
  BY_OBSERVERS = 32,  /* traces are those in which writes have no order if no
                         read tells them apart */
  BY_READS_FROM = 64, /* one execution for each class of executions in which
                         every read observes the same write */
  MAY_LOSE = 128,     /* what it finds exists, but need not be all */
  BY_STATE = 256,     /* states that were met before are not explored again: at
                         most one execution for each trace */
};

/* Its promises; 0: nothing is known. */
unsigned algorithm_promises(const struct algorithm *);

/* Algorithms with a number: quasi=K and pct=D. */
struct algorithm_family {
  const char *stem; /* what stands before the number */
  const struct algorithm *algorithm;
};
extern const struct algorithm_family algorithm_families[];
enum { ALGORITHM_FAMILIES = 2 };

/* The number of a name in this family, from 1 and without a leading zero; else
 * 0. */
uint32_t algorithm_number(const struct algorithm_family *, const char *name);

#endif
