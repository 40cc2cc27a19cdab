/* From findings of the exploring process to findings that people can read: each
 * is run again, and its addresses become names. */
#ifndef SUPERVISE_EVIDENCE_H
#define SUPERVISE_EVIDENCE_H

#include "supervise/checked_program.h"
#include "supervise/supervise.h"
#include "report/result.h"

/* Sources must live as long as the results that they gave names to. */
struct evidence {
  const struct checked_program *program;
  struct control settings;            /* of a replay, without the schedule */
  const char *directory;              /* file names are shown relative to it */
  VEC(struct source_lines *) sources; /* all that were ever opened */
  struct run modules_of; /* only its modules: those of the latest source */
  const uint32_t *keys;  /* of the events to follow, or NULL: the program is the
                           one that failed */
  bool departed;         /* the last schedule could not be followed: see */
  struct wire_departed departed_at;
  struct source_place departed_to;
  bool lost; /* nothing more is run: interrupted, or not to be started */
};

void evidence_open(struct evidence *, const struct checked_program *,
                   const struct options *, const char *externals,
                   size_t externals_length, const char *directory);
void evidence_close(struct evidence *);

/* Where a code address of the run lies. */
struct source_place evidence_place(struct evidence *, const struct run *,
                                   uint64_t pc);

/* A message of the run, with names for the addresses in it. */
const char *evidence_words(struct evidence *, const struct run *,
                           const char *message, struct texts *);

/* Runs a schedule in a new process; if it leads to a finding, then to one of
 * this kind.  False: it could not be run. */
bool evidence_run(struct evidence *, struct move *moves, uint32_t count,
                  enum finding_kind, struct run *);

/* Runs a complete execution again and fills `out` with its steps.  False: it
 * could not be run. */
bool evidence_example(struct evidence *, struct move *moves, uint32_t count,
                      struct texts *, struct result_finding *out);

/* The result of replaying a finding. */
enum evidence_found {
  EVIDENCE_SAME,  /* the same finding */
  EVIDENCE_OTHER, /* the schedule gave something else */
  EVIDENCE_NONE,  /* it could not be run again */
};

/* Runs the finding's schedule again and fills `out` with all that is known.
 * If it could not be run, `out` has only what the finding says itself. */
enum evidence_found evidence_collect(struct evidence *, const struct run *,
                                     const struct run_finding *, struct texts *,
                                     struct result_finding *out);

#endif
