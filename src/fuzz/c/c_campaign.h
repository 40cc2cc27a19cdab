/* heddle fuzz --c: random C programs, explored by several algorithms and run on
 * real threads.  All must say the same. */
#ifndef FUZZ_C_C_CAMPAIGN_H
#define FUZZ_C_C_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

struct c_campaign_plan {
  uint64_t seed;
  uint64_t index; /* only this program; UINT64_MAX: many */
  uint64_t programs;
  double seconds;
  unsigned jobs;
  unsigned failures;
  const char *save;
  const char *pieces;  /* only these pieces, or NULL: A,B,... */
  const char *without; /* not these pieces, places, guards, ... , or NULL */
  bool print;
  bool emit; /* print only */
};

/* The exit code. */
int c_campaign_run(const struct c_campaign_plan *);

#endif
