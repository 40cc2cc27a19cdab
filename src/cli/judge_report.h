/* What `heddle judge` prints. */
#ifndef CLI_JUDGE_REPORT_H
#define CLI_JUDGE_REPORT_H

#include "cli/judge_options.h"
#include "fuzz/real/real_threads.h"
#include "util/vec.h"

/* How often a result came in the runs of one binary. */
struct sighting {
  const char *compiler;
  uint64_t count;
  uint64_t runs;
  uint64_t alone; /* of `count`, on one processor */
};

/* A result that heddle does not list. */
struct difference {
  struct real_result result;
  bool demanded; /* it must be listed */
  VEC(struct sighting) sightings;
};

struct judge_result {
  uint64_t runs;
  uint64_t assumed;           /* runs that do not count */
  struct word_list built;     /* the compilers that built the program */
  struct word_list not_built; /* and those that did not */
  size_t outcomes;            /* that heddle lists */
  size_t seen;                /* of these, in some run */
  VEC(struct difference) differences;
};

/* Notes that a result of these runs is not listed. */
void judge_result_add(struct judge_result *, const char *compiler,
                      const struct real_set *, const struct real_result *,
                      bool demanded);
bool judge_result_wrong(const struct judge_result *);
void judge_result_free(struct judge_result *);

void judge_report(const struct judge_options *, const struct judge_result *);

#endif
