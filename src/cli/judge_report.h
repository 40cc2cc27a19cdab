/* What `heddle judge` prints. */
#ifndef CLI_JUDGE_REPORT_H
#define CLI_JUDGE_REPORT_H

#include "cli/judge_options.h"
#include "fuzz/real.h"

struct judge_totals {
  uint64_t runs;
  unsigned binaries;
  uint64_t wrong;  /* results that heddle does not list */
  uint64_t noted;  /* the same, but nothing was demanded */
  size_t outcomes; /* that heddle lists */
  size_t seen;     /* of these, in some run */
};

/* A result that heddle does not list. */
void report_difference(const struct judge_options *, const char *compiler,
                       const struct real_set *, const struct real_result *,
                       bool demanded);

/* This compiler does not build the program. */
void report_skipped(const struct judge_options *, const char *compiler);

void report_totals(const struct judge_options *, const struct judge_totals *);

#endif
