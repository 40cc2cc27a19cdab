/* The search: one loop, asked by it an algorithm, driven by it a system.
 *
 * Depth-first, without recursion.  The explorer holds the trace and keeps the
 * system in step with it; the algorithm holds its nodes, one for each length of
 * the trace, and decides.
 */
#ifndef CORE_EXPLORE_H
#define CORE_EXPLORE_H

#include "core/datarace.h"
#include "core/system.h"
#include "core/trace.h"
#include "core/wire.h"

struct explorer;

enum pick {
  PICK_MOVE,  /* take this step */
  PICK_END,   /* nothing is enabled: a complete execution */
  PICK_CUT,   /* all that is enabled is known to be redundant */
  PICK_BOUND, /* what is left would be one preemption too many */
  PICK_DROP,  /* what was to be tried is not possible: no execution */
};

struct algorithm {
  const char *name;
  bool wants_races; /* trace.races is used */
  bool finest;      /* every visible operation must be a step */
  bool printed;     /* follows a paper that loses executions */
  bool bounds;      /* asks explorer_allows() */
  bool observes;    /* needs to know of every read: it must be in a footprint */
  bool skips;       /* has trees with skips: see unfolding.h */
  uint32_t spikes;  /* see comb.h; 0: no bound */
  void *(*create)(struct explorer *);
  void (*destroy)(void *);
  /* What to do in the state reached. */
  enum pick (*pick)(void *, struct move *);
  /* The picked step is now the newest event of the trace. */
  void (*stepped)(void *);
  /* The execution cannot go on: PICK_END, PICK_CUT, PICK_DROP or, PICK_MOVE,
   * the step limit. */
  void (*ended)(void *, enum pick);
  /* Where something is left to do: how much of the trace to keep.  False: the
   * search is complete. */
  bool (*retreat)(void *, size_t *length);
};

/* What the explorer tells its owner. */
struct listener {
  void *context;
  /* An error, with the execution so far in explorer->trace. */
  void (*finding)(void *, const struct explorer *, const struct finding *,
                  bool warning);
  void (*outcome)(void *, const char *output, size_t length);
  /* The search begins anew: forget the outcomes. */
  void (*restart)(void *);
  /* Looked at after every execution and every 1024 steps: end now? */
  bool (*stop)(void *);
};

enum explore_result {
  EXPLORE_COMPLETE,
  EXPLORE_STOPPED, /* by the listener, or at the first error */
  EXPLORE_LIMIT,   /* a limit cut executions or the search: see limit */
  EXPLORE_REFUSED, /* the system cannot run the program: see its finding */
};

/* Two places that are known to race. */
struct known_race {
  uint64_t pc;
  uint64_t other_pc;
};

/* keep */
struct explorer {
  struct system *system;
  const struct algorithm *algorithm;
  void *state; /* the algorithm's */
  const struct options *options;
  struct counters *counters;
  struct listener listener;
  struct trace trace;
  struct datarace datarace;
  struct known_race known_races[64];   /* told lately; a cache */
  struct trace_deed known_deeds[4096]; /* a cache */
  VEC(uint32_t) failures;    /* positions of failed steps in this execution */
  VEC(uint32_t) preemptions; /* by position: how many up to there */
  unsigned restarts;
  const char *limit; /* which limit was reached, NULL: none */
  bool error;        /* an error was reported */
  bool raced;        /* a data race, where data is not interleaved: only the
                        execution at hand can still be relied on */
  bool diverged;     /* the same moves did not give the same steps: the
                        search must end, and proves nothing */
};

/* Why this algorithm, which may be NULL, cannot explore with these options;
 * NULL: it can. */
const char *explorer_refuses(const struct algorithm *, const struct options *);

enum explore_result explore(struct explorer *);

/* ---- for algorithms -------------------------------------------------------
 */

/* An enabled process that is not asleep, the one that moved last if possible:
 * few switches make readable schedules.  PICK_END if nobody is enabled,
 * PICK_CUT if all who are sleep. */
enum pick explorer_free_choice(const struct explorer *,
                               bool (*asleep)(const void *, uint32_t proc),
                               const void *context, uint32_t *proc);

/* Does anything depend on explorer_allows()? */
static inline bool explorer_is_bounded(const struct explorer *x) {
  return x->options->preemptions != UINT64_MAX;
}

/* May this process move, or is that a preemption too many (--preemptions)?  A
 * process that was the last to move and still is enabled may, and if it is not
 * enabled, everybody may. */
bool explorer_allows(const struct explorer *, uint32_t proc);

/* So many moves were left out because they are not allowed. */
void explorer_leave_out(struct explorer *, uint64_t moves);

/* The search is about to begin anew: see `stale` in system.h. */
bool explorer_stale(const struct explorer *);

/* Forgets what was counted: the algorithm begins its search anew. */
void explorer_restart(struct explorer *);

/* A step that must be possible is not. */
void explorer_impossible(struct explorer *, uint32_t proc);

/* Takes the system, not the trace, back to an earlier state. */
void explorer_undo(struct explorer *, size_t depth);

/* The newest event must touch just this, as was known before it was taken. */
void explorer_expect(struct explorer *, const struct access *, uint32_t count);

/* The same without "must": false if it is not possible or does something else.
 */
bool explorer_try(struct explorer *, size_t position);

/* The newest event is not what was known before it was taken. */
void explorer_surprised(struct explorer *);

bool explorer_same_footprint(const struct trace *, const struct event *,
                             const struct step *);

/* The system, which is in the right state for it, takes the move of the trace's
 * event at this position again.  It must do the same. */
void explorer_retake(struct explorer *, size_t position);

#endif
