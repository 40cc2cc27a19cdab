/* Running the exploring process and listening to it.
 *
 * The process is a child in a process group of its own that dies with us.  It
 * gets a fixed environment, fixed addresses and nothing to read.  Whatever it
 * does, supervise() returns with what is known so far. */
#ifndef SUPERVISE_SUPERVISE_H
#define SUPERVISE_SUPERVISE_H

#include <stdbool.h>

#include "core/wire.h"
#include "core/event.h"
#include "report/texts.h"
#include "supervise/checkpoint.h"
#include "util/vec.h"

/* The seconds of its own time that the program may take for one step. */
enum { SUPERVISE_PATIENCE = 10 };

/* What to run, and how. */
struct run_request {
  const char *binary;
  char **argv;             /* argv[0] included, ends with NULL */
  struct control settings; /* mode, algorithm, options, externals, moves */
  const struct move *moves;
  const uint32_t *keys; /* of their events, or NULL: see control.by_events */
  bool progress;        /* keep a progress line on standard error ... */
  const char *label;    /* ... that begins with this, or NULL */
  const char *status;   /* the path of a status file, or NULL ... */
  const char *state;    /* ... and what it says of a run that is not the search
                           itself; NULL: it is */
  const struct checkpoint_plan *checkpoint; /* or NULL */
  const struct text *resume; /* a checkpoint's state to go on from, or NULL */
  /* The search has paused (control.pause_at) with these counters, or because
   * its steps are slow.  Returns the number of steps at which it pauses next;
   * 0: it shall end.  NULL: it does not pause. */
  uint64_t (*paused)(void *context, const struct counters *);
  bool modest;       /* it ends if it takes far more processor time than the run
                        that pauses meanwhile, or that it follows */
  double before;     /* seconds of the run that it follows, or 0; the time limit
                        holds for both together */
  bool statistics;   /* of a cluster, on standard error */
  bool returns;      /* parts of the search go back to what gave them */
  uint64_t identity; /* checksum of the program, for a cluster */
  /* Optional, asked all the time: is it to end, with what it has? */
  bool (*asked)(void *context);
  void *context;
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

/* A site: see core/hook.h.  "" where something is not known. */
struct run_site {
  char *object; /* what the source calls the memory */
  char *function;
  char *type; /* that the last pointer in that points to */
};

struct run_step {
  struct wire_step wire;
  struct run_site site;
  struct access *access; /* wire.accesses of them */
  char *text;            /* wire.text bytes */
  struct text printed;   /* what the program printed in this step */
};

/* A local variable that begins. */
struct run_local {
  struct wire_local wire;
  struct run_site site;
  size_t step; /* there were so many before */
};

/* Where a thread stands at the end. */
struct run_stand {
  struct wire_stand wire;
  struct access *looks;
  struct text stack; /* from wire.sp on */
};

struct run_outcome {
  uint64_t count;
  uint32_t status;
  struct text output;
  struct move *moves;   /* of an execution with it ... */
  uint32_t moves_count; /* ... 0: not wanted */
};

enum run_end {
  RUN_DONE,    /* it sent MESSAGE_DONE */
  RUN_REFUSED, /* it cannot check the program: see `refused` */
  RUN_STOPPED, /* we ended it: see `limit` */
  RUN_DIED,    /* it ended without a message: see `status` */
};

/* A complete execution. */
struct run_sample {
  struct move *moves;
  uint32_t count;
  struct text output;
};

/* The result of a run. */
struct run {
  enum run_end end;
  int status;                 /* as from wait() */
  bool stuck;                 /* a step did not end ... */
  struct wire_stuck stuck_at; /* ... here; all 0 if that is not known */
  bool garbled;               /* it sent an invalid message */
  char *limit; /* why the search is incomplete: all the limits, or NULL */
  char *refused;
  bool complete;
  bool left;        /* something is left to do, and checkpoints were wanted */
  bool checkpoints; /* one was written */
  struct counters counters;
  double time;      /* in seconds */
  uint64_t max_rss; /* in kilobytes */
  VEC(struct run_module) modules;
  VEC(struct run_finding) findings; /* no two the same */
  VEC(struct run_outcome) outcomes;
  VEC(struct run_sample) samples;
  VEC(struct wire_thread) threads;
  VEC(struct run_step) steps;
  VEC(struct run_local) locals;
  VEC(struct run_stand) stands;
  bool departed; /* the schedule could not be followed: see */
  struct wire_departed departed_at;
  uint64_t critical; /* of WIRE_CRITICAL: 1 + the critical move, or 0 */
  struct text output;
  struct text complaints; /* what the program wrote to stderr */
};

/* Runs until the end, a limit or a signal.  False: it could not be started, and
 * a message was printed.  Runs may be started while another one pauses: the
 * limits of that one hold for all of them together. */
bool supervise(const struct run_request *, struct run *);

/* The same in turns.  The process begins; NULL: see above.  What the request
 * points to must stay. */
struct child *supervise_begin(const struct run_request *, struct run *);
/* It goes on until it has taken so many steps in all, and then rests: true.
 * False: it has ended, and the run is what supervise() would give. */
bool supervise_turn(struct child *, uint64_t steps);
/* What it has counted so far. */
const struct counters *supervise_counters(const struct child *);
/* Its time so far, without that in which it rested. */
double supervise_seconds(const struct child *);
/* Ends it, if it has not ended, and forgets it.  NULL: there is none. */
void supervise_free(struct child *);

/* One more limit that was reached. */
void run_add_limit(struct run *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
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

/* Did a signal ask us to end, or has a run reached its time limit? */
bool supervise_must_end(void);

/* The environment that programs run in: "NAME=value", ends with NULL.  The
 * strings are valid until the next call. */
char **supervise_environment(const char *control_path, const struct options *);

/* Fills magic, version and defaults of a control structure. */
void supervise_control(struct control *, enum wire_mode);

#endif
