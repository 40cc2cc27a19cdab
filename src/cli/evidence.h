/* From what the exploring process says to what people can read: every finding
 * is run again, and its addresses become names. */
#ifndef CLI_EVIDENCE_H
#define CLI_EVIDENCE_H

#include "cli/program.h"
#include "cli/supervise.h"
#include "report/result.h"

/* Sources must live as long as the results that they gave names to. */
struct evidence {
  const struct program *program;
  struct control settings;      /* of a replay, without the schedule */
  const char *directory;        /* file names are shown relative to it */
  VEC(struct source *) sources; /* all that were ever opened */
  struct run modules_of; /* only its modules: those of the latest source */
  bool lost; /* no more is run: interrupted, or it cannot be started */
};

void evidence_open(struct evidence *, const struct program *,
                   const struct options *, const char *externals,
                   size_t externals_length, const char *directory);
void evidence_close(struct evidence *);

/* What the replay of a finding came to. */
enum evidence_found {
  EVIDENCE_SAME,  /* it is there again */
  EVIDENCE_OTHER, /* the schedule gave something else */
  EVIDENCE_NONE,  /* it could not be run again */
};

/* Runs the finding's schedule again and fills `out` with all that is known.
 * If it could not be run, `out` has only what the finding says itself. */
enum evidence_found evidence_collect(struct evidence *, const struct run *,
                                     const struct run_finding *, struct texts *,
                                     struct result_finding *out);

#endif
