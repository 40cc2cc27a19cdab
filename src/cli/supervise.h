/* Running the exploring process and listening to it.
 *
 * The process is a child in a process group of its own that dies with us.  It
 * gets a fixed environment, fixed addresses and nothing to read.  Whatever it
 * does, supervise() returns with what is known so far. */
#ifndef CLI_SUPERVISE_H
#define CLI_SUPERVISE_H

#include <stdbool.h>

#include "core/wire.h"
#include "report/texts.h"
#include "util/vec.h"

/* What to run, and how. */
struct run_request {
  const char *binary;
  char **argv;             /* argv[0] included, ends with NULL */
  struct control settings; /* mode, algorithm, options, externals, moves */
  const struct move *moves;
  bool progress; /* keep a progress line on standard error */
};

struct run_module {
  uint64_t bias;
  char *path;
};

struct run_finding {
  struct wire_finding wire;
  char *file; /* "" if it comes from the pc */
  char *message;
  struct move *moves;
};

struct run_step {
  struct wire_step wire;
  char *object; /* what the source calls the memory, "" if that is not known */
};

struct run_outcome {
  uint64_t count;
  struct text output;
};

enum run_end {
  RUN_DONE,    /* it said that it is done */
  RUN_REFUSED, /* it cannot check the program: see `refused` */
  RUN_STOPPED, /* we ended it: see `limit` */
  RUN_DIED,    /* it ended without a word: see `status` */
};

/* What came of it. */
struct run {
  enum run_end end;
  int status;   /* as from wait() */
  bool stuck;   /* a step did not end */
  bool garbled; /* it sent something that is no message */
  char *limit;  /* why the search is incomplete, or NULL */
  char *refused;
  bool complete;
  struct counters counters;
  double time;      /* in seconds */
  uint64_t max_rss; /* in kilobytes */
  VEC(struct run_module) modules;
  VEC(struct run_finding) findings; /* no two the same */
  VEC(struct run_outcome) outcomes;
  VEC(struct wire_thread) threads;
  VEC(struct run_step) steps;
  struct text output;
};

/* Runs until the end, a limit or a signal.  False: it could not be started, and
 * a message was printed. */
bool supervise(const struct run_request *, struct run *);
void run_free(struct run *);
void run_forget_steps(struct run *);

/* The address in its file of a code address: comparable between runs. */
uint64_t run_offset(const struct run *, uint64_t pc);

/* Do two findings, of this or another run, have the same kind and place? */
bool run_same_finding(const struct run *, const struct run_finding *,
                      const struct run *, const struct run_finding *);

/* From here on SIGINT, SIGTERM and SIGHUP are noted, not obeyed. */
void supervise_signals(void);

/* The signal that asked us to end, or 0. */
int supervise_interrupted(void);

/* The environment that programs run in: "NAME=value", ends with NULL.  The
 * strings are valid until the next call. */
char **supervise_environment(const char *control_path);

/* Fills magic, version and defaults of a control structure. */
void supervise_control(struct control *, enum wire_mode);

#endif
