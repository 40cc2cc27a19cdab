/* Random programs, in as many processes as there is work for.
 *
 * Program number i of a seed is always the same one.  The workers are children:
 * an explorer that crashes or runs for ever takes only one of them along, and
 * the program it was at is known.
 */
#ifndef RUN_LOCAL_FUZZ_H
#define RUN_LOCAL_FUZZ_H

#include "run/local_compare.h"
#include "system/model/generate.h"

#define FUZZ_DEMANDS 16
#define FUZZ_PROFILES 32

struct fuzz_plan;

/* Holds a program that was compared, and its judgement, against something else;
 * c->message says what is wrong. */
typedef enum compared (*fuzz_check)(const struct fuzz_plan *,
                                    struct comparison *c,
                                    const struct program *);

struct fuzz_plan {
  uint64_t seed;
  double seconds;    /* at most */
  uint64_t programs; /* at most */
  unsigned failures; /* at most, then it ends */
  unsigned jobs;
  uint64_t
      verify; /* every so many programs in the verifying wrapper; 0: none */
  const struct knobs *profiles[FUZZ_PROFILES]; /* one for each program */
  unsigned profile_count;                      /* 0: any that there is */
  struct demand demands[FUZZ_DEMANDS];
  unsigned demand_count;
  uint64_t native;         /* every so many-th program is also given to ... */
  fuzz_check native_check; /* ... this one, if it is not 0 */
};

struct fuzz_totals {
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
const char *fuzz_make(const struct fuzz_plan *, uint64_t index,
                      struct program *);

/* Runs one program in a child.  If something is wrong, the message says what.
 */
enum compared fuzz_test(const struct fuzz_plan *, const struct program *,
                        char message[256]);

/* Makes a program that fails smaller, as long as it fails. */
void fuzz_shrink(const struct fuzz_plan *, struct program *);

/* Calls `failure` for every program with which something is wrong. */
void fuzz_run(const struct fuzz_plan *, struct fuzz_totals *,
              void (*failure)(void *, uint64_t index), void *context);

#endif
