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

enum finding_kind {
#define FINDING(id, name, headline) FINDING_##id,
#include "findings.def"
#undef FINDING
  FINDINGS
};

/* An error in the program.  The text fields are valid until the next step. */
struct finding {
  enum finding_kind kind;
  uint32_t proc;
  uint64_t pc;       /* where it happened, 0 if nowhere in particular */
  uint64_t other_pc; /* a race's earlier access */
  uint64_t addr;     /* what was touched, 0 if nothing in particular */
  uint32_t size;
  uint32_t line; /* 0: derive file and line from pc */
  const char *file;
  const char *message;
};

enum step_result {
  STEP_DONE,
  STEP_FAILED,  /* done, and the process failed in it: see finding() */
  STEP_REFUSED, /* something unsupported: see finding()->message; no verdict */
};

/* The state in which no process is enabled. */
enum ending {
  ENDING_COMPLETE, /* every process that matters has ended */
  ENDING_STUCK,    /* deadlock or livelock: see finding() */
  ENDING_FAILED,   /* a process failed earlier in this execution */
  ENDING_ASSUMED,  /* an assumption did not hold: no outcome, no error */
};

/* A digest of the state, in parts, so that a difference can be named. */
enum fingerprint_part {
  FINGERPRINT_VARIABLES,
  FINGERPRINT_HEAP,
  FINGERPRINT_PROCESSES, /* where each stands, what it waits for */
  FINGERPRINT_STACKS,
  FINGERPRINT_OUTPUT,
  FINGERPRINT_PARTS
};

struct fingerprint {
  uint64_t part[FINGERPRINT_PARTS];
};

/* A digest of how one state differs from another. */
struct changes {
  uint64_t word[2];
};

struct system {
  const struct system_ops *ops;
  unsigned processes; /* numbers given so far: 0 .. processes-1 */
};

struct system_ops {
  /* May process p take a step?  False for processes that do not exist (yet),
   * have ended, have failed or are blocked. */
  bool (*enabled)(struct system *, unsigned p);

  /* The next step of p as far as it is known, p enabled or blocked.  False if
   * p has no next step.  The footprint of an atomic block is not known (no
   * accesses); a conditional step is described as if it succeeded. */
  bool (*pending)(struct system *, unsigned p, struct step *out);

  /* Takes the step of the enabled process p with the given alternative. */
  enum step_result (*step)(struct system *, unsigned p, unsigned choice,
                           struct step *out);

  /* Back to the state after the first `depth` steps.  False if that failed
   * because the program is not deterministic: see finding(); the system is of
   * no use any more. */
  bool (*undo)(struct system *, size_t depth);

  /* Would the conditional step at position `later` write if it were taken in
   * the state before position `earlier`, its other predecessors being as they
   * were?  Only asked where the step at `earlier` wrote all that `later` tests.
   */
  bool (*succeeds_before)(struct system *, size_t later, size_t earlier);

  /* Only asked when nothing is enabled. */
  enum ending (*ending)(struct system *);

  /* What went wrong in the last step or at the end. */
  const struct finding *(*finding)(struct system *);

  /* What this execution has printed so far. */
  const char *(*output)(struct system *, size_t *length);

  /* Optional: has the system found out in the last step that its steps are too
   * coarse, that is, that what it took for local is not?  Then all that was
   * explored must be explored anew, after undo(0) and restart(); `finest` asks
   * for the finest steps from now on. */
  bool (*stale)(struct system *);
  void (*restart)(struct system *, bool finest);

  /* How the state differs from the one after the first `depth` steps: the bytes
   * that are not as they were then, whoever wrote them, and the local state of
   * the processes that moved.  If two runs from one state give the same, they
   * led to the same state: whatever can follow one can follow the other. */
  struct changes (*changes)(struct system *, size_t depth);

  /* Optional, where something is known about what processes will do: from the
   * state as it is, could another process than `but`, or one that it creates,
   * sooner or later touch these bytes so as to conflict, as long as `but` does
   * not move?  True if that is not known.  The bytes are those that its next
   * step touches. */
  bool (*may_touch)(struct system *, unsigned but, const struct access *,
                    uint32_t count);

  /* Optional: the steps from now on are taken to be compared by changes(), or
   * no longer.  The system may see to it that what is equal looks equal. */
  void (*comparing)(struct system *, bool);

  /* Optional, for system/check.  `exact`: of everything that undo() must
   * restore.  Otherwise of what equivalent schedules lead to: without the
   * positions of steps, and without what lies on a stack by chance. */
  void (*fingerprint)(struct system *, bool exact, struct fingerprint *);

  /* Optional, for system/check: does a step touch what it does not declare?
   * witness() comes before the step and remembers the state; undeclared() comes
   * after it and says where the step, or an earlier one as it shows now, has
   * changed something that it does not say it writes, in words, or NULL.
   *
   * places() finds the places in memory that the last step does not say it
   * touches, and for each something else to be there.  How many?  The step may
   * then be undone and taken again: disturb() lets the next step find that in
   * the places up to `end`; it is taken away when the step has been taken.
   * place() is the address of a place. */
  void (*witness)(struct system *);
  const char *(*undeclared)(struct system *);
  size_t (*places)(struct system *, uint64_t seed);
  uint64_t (*place)(struct system *, size_t i);
  void (*disturb)(struct system *, size_t end);
};

const char *finding_name(enum finding_kind);

#endif
