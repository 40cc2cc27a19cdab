/* Judging one of the C programs of a file. */
#ifndef FUZZ_C_C_JUDGE_H
#define FUZZ_C_C_JUDGE_H

#include "fuzz/c/c_run.h"

enum c_judged { JUDGED_RIGHT, JUDGED_WRONG, JUDGED_TOO_LARGE, JUDGED_REFUSED };

struct c_effort {
  unsigned real_runs; /* for each program that may be compared with them */
  bool all;           /* every algorithm and option, not a few by chance */
};

/* What is tried depends on the program's seed and index only. */
enum c_judged c_judge(struct c_run *, unsigned number, const struct c_effort *,
                      struct c_complaint *);

#endif
