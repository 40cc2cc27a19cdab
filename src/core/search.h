/* The search loop: asks the algorithm for the next step and the system to take
 * it.
 *
 * The search is depth-first, without recursion.  The explorer holds the trace
 * and keeps the system in the state after the trace's last event.  The
 * algorithm holds its nodes, one for each length of the trace, and decides.
 *
 * Invariants, checked in the hostile build:
 *   S1  preemptions, and the states of data races, have an entry for each event
 *       if they are in use; failures are positions of events, in rising order.
 *   S2  a picked process is enabled.
 *   S3  PICK_END: no process is enabled.
 *
 * search.c is the loop, determinism.c compares steps that are taken again,
 * failure.c tells errors, bound.c counts what is left out, progress.c
 * estimates how much is done.
 */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include "core/datarace.h"
#include "core/system.h"
#include "core/trace.h"
#include "core/wire.h"
#include "util/text.h"

struct explorer;

enum pick {
  PICK_MOVE,  /* take this step */
  PICK_END,   /* no process is enabled: a complete execution */
  PICK_CUT,   /* every enabled process is in the sleep set */
  PICK_BOUND, /* every move left is one preemption too many */
  PICK_DROP,  /* the planned step is not possible: no execution */
};

/* Options that only some algorithms have. */
enum {
  TAKES_PREEMPTIONS = 1, /* it asks explorer_allows() */
  TAKES_SKIP = 2,
  TAKES_SAMPLES = 4, /* it runs samples, and proves nothing */
};

/* What to give away of what is left to do. */
enum give {
  GIVE_HALF,
  GIVE_ALL,
  GIVE_BRANCH, /* what is under way, for algorithms that wait */
};

struct algorithm {
  const char *name;
  struct order_rules order; /* `synchronise` is set by the options */
  unsigned takes;           /* TAKES_ bits */
  uint32_t parameter;       /* its own, the K of quasi=K; 0: none */
  bool finest;              /* every visible operation must be a step */
  bool follows;             /* a given schedule: see struct granularity */
  bool printed;             /* follows a paper that loses executions */
  bool observes;            /* every read must be in a footprint */
  bool writes_decide;       /* whether a look passes: see granularity */
  bool holds;               /* looks of loops may be disabled (STEP_LOOK) */
  bool updates;             /* updates of one kind may have no order */
  bool parts;               /* see struct granularity */
  bool joins;               /* it plans looks by race.look, or runs them: a
                               read may become a compare-and-swap */
  bool gathers;             /* a step may have several causes */
  bool unordered;           /* leaves writes to one place without an order */
  bool states;              /* it stores states: see local_state in system.h */
  void *(*create)(struct explorer *);
  void (*destroy)(void *);
  /* The next move from the state reached. */
  enum pick (*pick)(void *, struct move *);
  /* The picked step is now the newest event of the trace. */
  void (*stepped)(void *);
  /* The execution is at its end, for the reason that pick() gave.  PICK_MOVE:
   * it has reached the step limit. */
  void (*ended)(void *, enum pick);
  /* The length of the trace to go back to.  False: the search is complete. */
  bool (*retreat)(void *, size_t *length);
  /* Optional: how many branches are planned at the node of this length, without
   * the one under way and those before it. */
  size_t (*planned)(const void *, size_t length);
  /* Optional, instead: the part of the search that is done, from 0 to 1, as an
   * estimate; negative: it is not known. */
  double (*done)(const void *);
  /* Optional, for searches that are shared (--jobs) or interrupted
   * (--checkpoint): a *unit* is a part of what is left to do, as text.  It is
   * understood in another process whose system has learnt the same.
   *
   * give() writes down the later half of what is left, between two executions;
   * or all of it, at any moment, the execution at hand included if it has not
   * ended.  It forgets what it gives.  False: too little is left, or it cannot
   * be written down.
   *
   * take() is given a unit, which is explored before what was there.  False:
   * it is damaged. */
  bool (*give)(void *, struct text *, enum give);
  bool (*take)(void *, const char *unit, size_t size);
  /* Optional: writes down, or reads, what its choices depend on besides the
   * units. */
  void (*learnt)(void *, struct packed *);
  /* Optional: the process is a fork of the one that gave this unit, which is
   * all that it is to explore, with what is known here.  Without it, or in any
   * other process, all begins anew and the unit is taken. */
  void (*part)(void *, const char *unit, size_t size);
  /* Optional: what counters depend on besides.  Writes down what was seen, or
   * adds what another process has seen: it has counted for itself, and the sum
   * of the counters is corrected.  If that does not fit what is known here, it
   * is marked as bad, and the search must begin anew. */
  void (*seen)(void *, struct packed *);
  bool alone; /* what it does next depends on all that it has seen */
  /* Optional: a unit is a part of a search that goes on here, and what is seen
   * there is needed here.  What is left of a unit comes back to the process
   * that gave it.  With GIVE_ALL nothing is forgotten.  Must something be known
   * before anything else can be done? */
  bool (*waits)(const void *);
  /* With it: is all at hand that was taken? */
  bool (*ready)(const void *);
};

/* Gives away what is left, if the algorithm can: see struct algorithm. */
static inline bool algorithm_give(const struct algorithm *a, void *state,
                                  struct text *to, enum give how) {
  return a->give && a->give(state, to, how);
}

/* What came of sharing the search with other processes. */
enum share {
  SHARE_NOTHING,
  SHARE_TAKEN, /* the algorithm was given more to do */
  SHARE_STALE, /* the search must begin anew: see `stale` in system.h */
};

enum explore_result {
  EXPLORE_COMPLETE,
  EXPLORE_STOPPED, /* by the listener, or at the first error */
  EXPLORE_LIMIT,   /* something was left out: see explorer.limits */
  EXPLORE_REFUSED, /* the system cannot run the program: see its finding */
};

/* What the explorer tells its owner. */
struct search_listener {
  void *context;
  /* An error or warning.  The execution so far is in explorer->trace. */
  void (*finding)(void *, const struct explorer *, const struct finding *,
                  bool warning);
  void (*outcome)(void *, const char *output, size_t length, unsigned status);
  /* Optional.  The search begins anew: forget the outcomes. */
  void (*restart)(void *);
  /* Asked after every execution and every 1024 accesses: end the search now? */
  bool (*stop)(void *);
  /* Optional: the search has ended so.  What it becomes if it was shared. */
  enum explore_result (*ended)(void *, enum explore_result);
  /* Optional: an execution ended without an error. */
  void (*complete)(void *, const struct explorer *);
  /* Optional.  Between two executions: a part of what is left may be given to
   * another process.  Nothing is left: waits for the others. */
  enum share (*share)(void *);
  enum share (*await)(void *);
  /* Optional, before the first execution.  True: something was done before, and
   * what is left was given to the algorithm. */
  bool (*begin)(void *);
};

/* Two places in the code whose accesses are known to race. */
struct known_race {
  uint64_t pc;
  uint64_t other_pc;
};

/* Nodes that were left for good. */
struct left_nodes {
  uint64_t branches; /* of all of them */
  uint64_t count;
};

/* keep: see progress.c. */
struct search_progress {
  VEC(uint32_t) taken; /* by depth: branches of the node that are finished */
  VEC(struct left_nodes) left; /* by depth */
  uint64_t elsewhere; /* executions that count, but were none of this search:
                         before the part at hand, and other processes' */
};

/* The limit of a search in which a waiting loop turned out to end. */
extern const char explore_unclear[];

/* More than there are kinds of limits. */
enum { EXPLORER_LIMITS = 16 };

/* keep */
struct explorer {
  struct system *system;
  const struct algorithm *algorithm;
  void *state;                       /* the algorithm's */
  const struct algorithm *first;     /* as the search was begun */
  const struct algorithm *successor; /* see explorer_replace() */
  bool replaced;                     /* the algorithm is another one's */
  const struct options *options;
  struct counters *counters;
  struct search_listener listener;
  struct trace trace;
  struct datarace datarace;
  struct known_race known_races[64];   /* a cache of races told */
  struct trace_deed known_deeds[4096]; /* a cache of what steps did */
  VEC(uint32_t) failures;    /* positions of failed steps in this execution */
  VEC(uint32_t) preemptions; /* by position: how many up to there */
  struct search_progress progress;
  double done; /* when the search has ended: see explorer_done() */
  struct access look[MOST_LOOKED]; /* see explorer_pending_before() */
  uint64_t sampled_depth;          /* how long an execution is, for samples */
  uint64_t samples;                /* how many there are to be, or 0 */
  bool keeps; /* what is left is wanted if the search is stopped */
  unsigned restarts;
  uint64_t unwatched; /* accesses since the listener was last asked to stop */
  const char *limits[EXPLORER_LIMITS]; /* the limits reached, in order */
  unsigned limit_count;
  bool stopped;  /* see explorer_must_end() */
  bool error;    /* an error was told */
  bool raced;    /* a data race was found with --interfere=locks: only the
                    execution at hand can still be relied on */
  bool diverged; /* the same moves did not give the same steps: the search
                    must end, and proves nothing */
  bool refused;  /* the system refused a step that was only tried; then
                    `diverged` is set, too */
};

/* Why this algorithm, which may be NULL, cannot explore with these options;
 * NULL: it can. */
const char *explorer_refuses(const struct algorithm *, const struct options *);

enum explore_result explore(struct explorer *);

/* The part of the search that is done, from 0 to 1; an estimate.  Negative: it
 * is not known. */
double explorer_done(const struct explorer *);

/* Of a part of the search, which may be shared: how many executions are left,
 * as an estimate; negative: it is not known.  A part begins with what the
 * algorithm was given. */
double explorer_part_left(const struct explorer *);
void explorer_begin_part(struct explorer *);
/* So many executions were explored elsewhere, and count here from now on. */
void explorer_add_elsewhere(struct explorer *, uint64_t executions);

/* ---- for algorithms: moves ------------------------------------------------
 */

/* An enabled process that is not asleep, if possible the one that moved last:
 * few switches make readable schedules.  After many steps in a row it is the
 * turn of the next one.  PICK_END: no process is enabled.  PICK_CUT: every
 * enabled process is asleep. */
enum pick explorer_free_choice(const struct explorer *,
                               bool (*asleep)(const void *, uint32_t proc),
                               const void *context, uint32_t *proc);

/* The same if no process is asleep.  False: none is enabled. */
bool explorer_free_move(const struct explorer *, uint32_t *proc);

/* Has the system found its steps too coarse?  Then the search is about to begin
 * anew: see `stale` in system.h. */
bool explorer_stale(const struct explorer *);

/* Forgets all counts: the algorithm begins its search anew. */
void explorer_restart(struct explorer *);

/* The same, and goes back to the empty trace. */
void explorer_begin_anew(struct explorer *);

/* The search is left to another algorithm, which begins it anew after this
 * execution.  Both must want the same of the system. */
void explorer_replace(struct explorer *, const struct algorithm *);

/* ---- for algorithms: what is left out -------------------------------------
 */

/* Is the number of preemptions limited? */
static inline bool explorer_is_bounded(const struct explorer *x) {
  return x->options->preemptions != UINT64_MAX;
}

/* May this process move, or would that be a preemption too many?  The process
 * that moved last may always move; if it is not enabled, every process may. */
bool explorer_allows(const struct explorer *, uint32_t proc);

/* So many moves are left out because explorer_allows() forbids them. */
void explorer_leave_out(struct explorer *, uint64_t moves);

/* Is the search asked to end?  For loops over the events or races of a long
 * execution: what comes after such a loop may then be left undone. */
bool explorer_must_end(struct explorer *);

/* Something is left out because of this limit. */
void explorer_limit(struct explorer *, const char *which);

/* ---- for algorithms: what they find themselves ----------------------------
 */

/* Only the first `length` steps are left of the execution, in the system,
 * too. */
void explorer_shorten(struct explorer *, size_t length);

/* The process takes a step of which the algorithm hears nothing: the execution
 * is to be shortened before the algorithm goes on.  False: it cannot. */
bool explorer_go_on(struct explorer *, uint32_t proc);

/* After the first `length` steps, which are all that is left of the execution,
 * no process does more than look, for ever. */
void explorer_livelock(struct explorer *, size_t length);

/* Is that an error?  Not if a process has failed, or was kept from going on, or
 * if the program has its outcome. */
bool explorer_may_livelock(const struct explorer *);

/* The first process from p on that has a next step, or may have one; or the
 * number of processes. */
static inline uint32_t explorer_next_pending(const struct explorer *x,
                                             uint32_t p) {
  struct system *system = x->system;
  return system->ops->next_pending ? system->ops->next_pending(system, p) : p;
}

/* Behind the first `length` events no execution ends, and of the first 64
 * processes only these move, by bits.  Tells an error if the program waits for
 * others. */
void explorer_stuck(struct explorer *, size_t length, uint64_t moving);

/* Does the program have its outcome, though processes may go on?  Tells that
 * outcome. */
bool explorer_is_over(const struct explorer *);
void explorer_outcome(struct explorer *);

/* ---- for algorithms: the same moves again ---------------------------------
 */

/* Takes the system, not the trace, back to an earlier state. */
void explorer_undo(struct explorer *, size_t depth);

/* The system, which is in the state before it, takes the step of the trace's
 * event at this position again.  It must do the same. */
void explorer_retake(struct explorer *, size_t position);

/* The same without "must".  False: the step is not possible or does something
 * else. */
bool explorer_try(struct explorer *, size_t position);

/* The pending step of a process as it would be just before the event at
 * `position`, with which it races: a look (STEP_LOOK) may write there or not.
 * The access is valid until the next call. */
struct step explorer_pending_before(struct explorer *, uint32_t proc,
                                    const struct step *, uint32_t position);

/* Takes a step only to see what it does.  False: it is not possible. */
bool explorer_probe(struct explorer *, uint32_t proc, uint32_t choice,
                    struct step *);

/* The newest event must have this footprint, which was known beforehand. */
void explorer_expect(struct explorer *, const struct access *, uint32_t count);

/* The newest event is not what was known beforehand. */
void explorer_surprised(struct explorer *);

/* A step of this process must be possible and is not. */
void explorer_impossible(struct explorer *, uint32_t proc);

bool explorer_same_footprint(const struct trace *, const struct event *,
                             const struct step *);

#endif
