/* The seam between algorithms and programs.
 *
 * An explorer drives a program through these few functions and never looks at
 * memory or stacks.  Implementations: system/native (real C programs),
 * system/model (small abstract programs), system/check (a wrapper that
 * verifies the claims of another system at run time).
 *
 * A system is a stack of steps: step() pushes one, undo() pops.  Processes have
 * small numbers that never change meaning: the same process, in the sense of
 * "the k-th child of that parent", has the same number in every execution.
 */
#ifndef CORE_SYSTEM_H
#define CORE_SYSTEM_H

#include <stddef.h>

#include "event.h"
#include "util/packed.h"

enum finding_kind {
#define FINDING(id, name, headline) FINDING_##id,
#include "findings.def"
#undef FINDING
  FINDINGS
};

/* An error in the program.  The texts are valid until the next step. */
struct finding {
  enum finding_kind kind;
  uint32_t proc;
  uint64_t pc;       /* its place in the code, 0: none in particular */
  uint64_t other_pc; /* a race's earlier access */
  uint64_t addr;     /* the memory touched, 0: none in particular */
  uint32_t size;
  uint32_t line; /* 0: file and line follow from pc */
  const char *file;
  const char *message;
};

enum step_result {
  STEP_DONE,
  STEP_FAILED,  /* the step is taken, and its process failed: see finding() */
  STEP_REFUSED, /* something unsupported: see finding()->message; no verdict */
};

/* The state in which no process is enabled. */
enum ending {
  ENDING_COMPLETE, /* every process that matters has ended */
  ENDING_STUCK,    /* deadlock or livelock: see finding() */
  ENDING_FAILED,   /* a process failed earlier in this execution */
  ENDING_ASSUMED,  /* an assumption did not hold: no outcome, no error */
  ENDING_STOPPED,  /* a process was stopped by a limit, and the others wait: no
                      verdict; see left_out() */
  ENDING_VAIN,     /* a process is held at a look, but bytes that it had looked
                      at before have changed: no verdict, other executions have
                      one */
  ENDING_UNCLEAR,  /* a process waits in a loop that would end if the process
                      went on: no verdict */
};

/* What is to be a step.  Without any of these the system chooses: operations
 * that no other process can notice may be local code. */
struct granularity {
  bool finest;    /* every visible operation is a step */
  bool apart;     /* accesses to data are no steps (--interfere=locks) */
  bool unordered; /* the algorithm leaves writes to one place without order */
  bool holds;     /* a read that would end a round of a loop in vain is not
                     enabled: see STEP_LOOK */
  bool updates;   /* updates of one kind need no order: see ACCESS_KIND */
  bool parts;     /* parts of executions are run: a step may come without reads
                     that it had to wait for, unless it reads their writes */
  bool writes_decide; /* ... whether a look passes, and not signals */
  bool joins;   /* a read and the compare-and-swap behind it may be one step (an
                 OP_CAS that is a look) where failing leads back */
  bool gathers; /* a step may have several causes (struct step, `more`): joins
                   of one process that follow each other are one step */
  bool states;  /* states are stored: see local_state() */
  bool outcomes; /* ... and outcomes are part of them */
  bool follows;  /* a given schedule is followed: no loop is made to wait, since
                   the moment of that depends on the size of steps */
};

/* A part of struct step. */
struct outline {
  uint32_t cause;
  uint32_t choices;
  uint32_t accesses;
  uint8_t flags;
};

/* What all processes are about to do, by bits, of the first 64. */
struct survey {
  uint64_t next;     /* they have a next step ... */
  uint64_t enabled;  /* ... and may take it */
  uint64_t awakened; /* the step asked for made their next step possible */
  uint64_t waits; /* their next step waits in a loop: STEP_LOOK, STEP_AWAIT */
  uint64_t quiet; /* outline_is_quiet() */
};

/* A digest of the state, in parts, so that a difference can be named. */
enum fingerprint_part {
  FINGERPRINT_VARIABLES,
  FINGERPRINT_HEAP,
  FINGERPRINT_PROCESSES, /* where each stands, and what it waits for */
  FINGERPRINT_STACKS,
  FINGERPRINT_OUTPUT,
  FINGERPRINT_PARTS
};

struct fingerprint {
  uint64_t part[FINGERPRINT_PARTS];
};

/* A digest of the difference between two states. */
struct changes {
  uint64_t word[2];
};

/* A digest of a part of a state.  In a search with N of them, two parts that
 * differ have the same digest with a probability of N^2 / 2^129: 10^-24 for ten
 * million.  Digests of parts are added up, so that no order matters. */
struct digest128 {
  uint64_t word[2];
};

struct system {
  const struct system_ops *ops;
  unsigned processes; /* numbers given so far: 0 .. processes-1 */
};

struct system_ops {
  /* Optional: called before the first step of a search. */
  void (*configure)(struct system *, const struct granularity *);

  /* May process p take a step?  False for a process that does not exist (yet),
   * has ended, has failed or is blocked. */
  bool (*enabled)(struct system *, unsigned p);
  /* Optional: the first enabled process from p on, or the number of processes.
   */
  unsigned (*next_enabled)(struct system *, unsigned p);

  /* The next step of p as far as it is known, p enabled or blocked.  False if
   * p has no next step.  The footprint of an atomic block is not known (no
   * accesses); a conditional step is described as if it succeeded. */
  bool (*pending)(struct system *, unsigned p, struct step *out);
  /* Optional: the first process from p on that has a next step, or the number
   * of processes. */
  unsigned (*next_pending)(struct system *, unsigned p);

  /* Optional: a part of what pending() says, for explorers that ask it of every
   * process after each step. */
  bool (*outline)(struct system *, unsigned p, struct outline *out);

  /* Optional: what outline() and enabled() say of these processes, of at most
   * 64; others have no next step.  `awakened` is asked of one step: `cause` is
   * 1 + its position. */
  void (*survey)(struct system *, uint64_t processes, uint32_t cause,
                 struct survey *out);

  /* Takes the step of the enabled process p with the given alternative. */
  enum step_result (*step)(struct system *, unsigned p, unsigned choice,
                           struct step *out);

  /* Back to the state after the first `depth` steps.  False: the program is not
   * deterministic; see finding().  Then the system is of no more use. */
  bool (*undo)(struct system *, size_t depth);

  /* Would the conditional step at position `later` write if it were taken in
   * the state before position `earlier`, its other predecessors being as they
   * were?  Only asked if the step at `earlier` wrote all that `later` tests. */
  bool (*succeeds_before)(struct system *, size_t later, size_t earlier);

  /* Optional: is the next step of p a look (STEP_LOOK)? */
  bool (*looks)(struct system *, unsigned p);

  /* Only asked then: what would come of the look if its object were as it was
   * before the step at `position`? */
  enum look (*look_before)(struct system *, unsigned p, size_t position);

  /* Only asked when no process is enabled. */
  enum ending (*ending)(struct system *);

  /* Optional: do processes wait for ever, and the program with them, though
   * others go on?  Of the first 64 processes only those in `moving` may ever
   * move again, by bits.  Then finding() says so. */
  bool (*stuck)(struct system *, uint64_t moving);

  /* The error of the last step or of the ending. */
  const struct finding *(*finding)(struct system *);

  /* The output of this execution so far. */
  const char *(*output)(struct system *, size_t *length);

  /* Only asked of systems that are asked for states: has a process failed, in a
   * step or before the first one? */
  bool (*failed)(struct system *);

  /* Optional: does the program have its outcome, though processes may go on? */
  bool (*over)(struct system *);

  /* Optional: was a process kept from going on, by a limit or an assumption? It
   * is no error that other processes wait for it. */
  bool (*halted)(struct system *);

  /* Optional: the exit status of this execution; else 0. */
  unsigned (*status)(struct system *);

  /* Optional: its output to the standard error stream so far. */
  const char *(*complaints)(struct system *, size_t *length);

  /* Optional: did the last step show that steps are too coarse, because an
   * operation taken for local is not?  Then all that was explored must be
   * explored anew, after undo(0) and restart().  `finest`: from now on every
   * visible operation is a step. */
  bool (*stale)(struct system *);
  void (*restart)(struct system *, bool finest);

  /* Optional: writes down what was learnt since the first search began, so that
   * schedules are understood elsewhere; or learns it, before the first step.
   * False: it does not fit this system. */
  bool (*learnt)(struct system *, struct packed *);
  /* Optional: from now on other processes rely on it.  If it grows such that
   * schedules mean something else, the system is stale, until restart(). */
  void (*freeze)(struct system *);

  /* Optional: a limit of the system's own that has left something out of the
   * executions since the search began (anew), for all i from 0 on; NULL: no
   * more. */
  const char *(*left_out)(struct system *, unsigned i);
  /* Only asked if a step was an update of a kind: the updates of these bytes
   * must have an order after all.  The system is stale from now on. */
  void (*order_updates)(struct system *, const struct access *);

  /* Only asked if a step had an ACCESS_LINK: it was touched by another process
   * in a step that has no other order with it.  The system is stale from now
   * on. */
  void (*expose)(struct system *);

  /* The number of operations of its process that are local code of the step at
   * this position.  With the finest steps each would be a step. */
  uint32_t (*hidden)(struct system *, size_t position);

  /* The difference between the state and the one after the first `depth` steps:
   * all bytes that differ, and the local state of the processes that moved.  If
   * two runs from one state give the same digest they led to the same state:
   * all that can follow one can follow the other. */
  struct changes (*changes)(struct system *, size_t depth);

  /* Optional, for systems that know something about the rest of a process.  The
   * accesses are those of the next step of `but`.  As long as `but` does not
   * move, could another process, or one created later, conflict with them?
   * True if that is not known. */
  bool (*may_touch)(struct system *, unsigned but, const struct access *,
                    uint32_t count);

  /* Optional: the steps from now on are taken to be compared by changes(), or
   * no longer.  The system may see to it that equal states look equal. */
  void (*comparing)(struct system *, bool);

  /* Optional, for explorers that store states.  A state has two parts: what the
   * processes keep for themselves, and the bytes that footprints name.  What
   * can follow a state depends on nothing else.
   *
   * local_state() is the first part: where each process stands, what it waits
   * for, and what it knows as far as it may still use it.  shared_state() is
   * the second part, all of it; contents() are single bytes of a granule (8
   * aligned bytes), or the object whose first bytes they are.
   *
   * A system without these is compared as a whole, by changes(). */
  struct digest128 (*local_state)(struct system *);
  struct digest128 (*shared_state)(struct system *);
  struct digest128 (*contents)(struct system *, uint64_t granule,
                               uint8_t bytes);

  /* A loop that looks under a lock waits, as one that looks at an atomic does:
   * if it never ends, that is an error. */
  bool polls;

  /* Only asked at the end of an execution: the bytes on which the outcome
   * depends.  Their number. */
  uint32_t (*left_behind)(struct system *, const struct access **);

  /* Optional, for system/check.  `exact`: a digest of all that undo() must
   * restore.  Otherwise of what equivalent schedules have in common: without
   * the positions of steps, and without leftovers on stacks. */
  void (*fingerprint)(struct system *, bool exact, struct fingerprint *);

  /* Optional, for system/check: does a step touch bytes that it does not
   * declare?  witness() comes before the step and remembers the state.
   * undeclared() comes after it: a text about a byte that was changed without
   * being declared, by this step or an earlier one, or NULL.
   *
   * places() finds places in memory that the last step does not declare, and
   * another content for each.  It returns their number.  The step may then be
   * undone and taken again: disturb() puts that content into the places up to
   * `end` for the duration of the next step.  place() is the address of a
   * place. */
  void (*witness)(struct system *);
  const char *(*undeclared)(struct system *);
  size_t (*places)(struct system *, uint64_t seed);
  uint64_t (*place)(struct system *, size_t i);
  void (*disturb)(struct system *, size_t end);
};

static inline bool system_outline(struct system *s, unsigned p,
                                  struct outline *out) {
  struct step next;
  if (s->ops->outline)
    return s->ops->outline(s, p, out);
  if (!s->ops->pending(s, p, &next))
    return false;
  *out = (struct outline){next.cause, next.choices, next.accesses, next.flags};
  return true;
}

/* Of an enabled process: is its next step independent of all steps of others?
 */
static inline bool outline_is_quiet(const struct outline *next) {
  return !next->accesses && next->choices == 1 && !(next->flags & STEP_BLOCK);
}

static inline void digest128_add(struct digest128 *sum, struct digest128 more) {
  sum->word[0] += more.word[0];
  sum->word[1] += more.word[1];
}

static inline void digest128_subtract(struct digest128 *sum,
                                      struct digest128 less) {
  sum->word[0] -= less.word[0];
  sum->word[1] -= less.word[1];
}

static inline bool digest128_equal(struct digest128 a, struct digest128 b) {
  return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

const char *finding_name(enum finding_kind);

#endif
