/* Judging many random programs, in several processes.
 *
 * Program number i of a seed is always the same.  The workers are children: an
 * explorer that crashes or runs for ever ends only one of them, and the number
 * of the program is known.
 */
#ifndef FUZZ_MODEL_CAMPAIGN_H
#define FUZZ_MODEL_CAMPAIGN_H

#include "fuzz/model/compare.h"
#include "fuzz/model/generate.h"

#define CAMPAIGN_DEMANDS 16
#define CAMPAIGN_PROFILES 32

struct campaign_plan;

/* Compares the judgement of a program with another source of truth; c->message
 * says what is wrong. */
typedef enum compared (*campaign_check)(const struct campaign_plan *,
                                        struct comparison *c,
                                        const struct program *);

struct campaign_plan {
  uint64_t seed;
  double seconds;    /* at most */
  uint64_t programs; /* at most */
  unsigned failures; /* at most, then it ends */
  unsigned jobs;
  uint64_t
      verify; /* 1 in so many programs runs in the verifying wrapper; 0: none */
  const struct knobs *profiles[CAMPAIGN_PROFILES]; /* one for each program */
  unsigned profile_count;                          /* 0: any that there is */
  struct demand demands[CAMPAIGN_DEMANDS];
  unsigned demand_count;
  uint64_t native;             /* 1 in so many programs is also given to ... */
  campaign_check native_check; /* ... this one, if it is not 0 */
};

struct campaign_totals {
  uint64_t programs;
  uint64_t skipped;
  uint64_t natives; /* checked natively, too */
  uint64_t traces;
  uint64_t executions;
  uint64_t blocked;
  unsigned failures;
  double seconds;
};

/* Makes program number `index`; the name of its profile. */
const char *campaign_make(const struct campaign_plan *, uint64_t index,
                          struct program *);

/* Runs one program in a child.  If something is wrong, the message says what.
 */
enum compared campaign_test(const struct campaign_plan *,
                            const struct program *, char message[256]);

/* Makes a program that fails smaller, as long as it fails. */
void campaign_shrink(const struct campaign_plan *, struct program *);

/* Calls `failure` for every program with which something is wrong. */
void campaign_run(const struct campaign_plan *, struct campaign_totals *,
                  void (*failure)(void *, uint64_t index), void *context);

#endif
