/* The result of a check, ready to be shown: addresses have become names.
 *
 * Strings belong to `texts` or to the `struct source_lines` that was asked; the
 * report writers only read. */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/system.h"
#include "core/wire.h"
#include "report/source_lines.h"
#include "report/texts.h"
#include "util/vec.h"

enum verdict { VERDICT_SAFE, VERDICT_ERROR, VERDICT_INCOMPLETE };

/* Where a thread stands at the end of an execution. */
enum thread_end {
  THREAD_END_UNKNOWN,
  THREAD_END_RUNS,    /* it could go on */
  THREAD_END_WAITS,   /* see result_thread.waits */
  THREAD_END_ENDED,   /* it has returned from its start routine */
  THREAD_END_FAILED,  /* the error stopped it */
  THREAD_END_STOPPED, /* by --loop-bound or an assumption */
};

/* A lock that a thread holds. */
struct result_lock {
  const char *name;
  size_t step; /* 1 + the step that locked it */
};

/* A thread of one execution; main is number 0. */
struct result_thread {
  uint32_t proc;
  const char *function; /* its start routine, NULL if unknown */
  enum thread_end end;
  const char *waits; /* "waits to lock m, held by T2"; NULL: it does not */
  VEC(struct source_place) stack; /* innermost first, empty if unknown */
  VEC(struct result_lock) holds;
};

/* A block of the heap that the steps name. */
struct result_object {
  const char *name; /* "queue#2" */
  uint64_t size;
  struct source_place place; /* of its allocation */
};

/* How a step follows from an earlier one: see report/links.h. */
enum step_link { LINK_DATA, LINK_LOCK, LINK_THREAD };

struct result_step {
  uint32_t proc;
  uint32_t target; /* thread created or joined; choice taken */
  uint16_t op;
  bool failed;
  bool local;    /* no step of its own in the search: part of the one before */
  bool preempts; /* the thread before could have gone on */
  size_t number; /* of the step in the search, from 1 on */
  struct source_place place;
  const char *variable; /* NULL: none */
  const char *value;    /* NULL: none; of a write: the new one */
  const char *before;   /* of a write: the old value, NULL: not known */
  const char *object;   /* the heap object it touches, NULL: none ... */
  bool several;         /* ... and there are others of its type */
  uint32_t key;         /* of the event: see wire_step.key */
  /* The bytes that it touches: so many of finding.accesses, from this one. */
  size_t first;
  size_t accesses;
  bool shown; /* in the short schedule: see relevance.h */
  /* Found by link_steps(): */
  size_t reads_from; /* 1 + the step of another thread whose write it reads */
  size_t overwrites; /* 1 + the step of another thread that read the value
                         which this step replaces */
  size_t repeats;    /* so many other steps that do the same are not shown */
  uint64_t address;  /* of the memory that it touches, 0: none or unknown */
  uint64_t size;
  size_t follows;      /* 1 + the step that it follows from, or 0 */
  enum step_link link; /* how */
};

struct result_finding {
  enum finding_kind kind;
  uint32_t proc;
  const char *message;
  const char *variable; /* what was touched, NULL: nothing */
  struct source_place place;
  struct source_place other; /* a race's earlier access */
  size_t access;             /* 1 + the step that is its later access, or 0 */
  size_t other_access;       /* 1 + the step that is its earlier access, or 0 */
  /* 1 + the last step before which the failure could be avoided, or 0: not
   * known. */
  size_t critical;
  VEC(struct result_thread) threads;
  VEC(struct result_object) objects;
  VEC(struct result_step) steps;
  VEC(struct access) accesses;
  struct text output;     /* what the program printed in this execution */
  struct text complaints; /* what it wrote to stderr */
  const char *replay;     /* path of the error file, NULL: none */
};

struct result_outcome {
  struct text output;
  uint32_t status; /* that the program ended with */
  uint64_t count;
  struct result_finding example; /* an execution; no steps: none is known */
};

/* What was looked at while the search paused; its counters have none of it. */
struct result_hunt {
  const char *strategy; /* that found the error, NULL: none did */
  uint64_t executions;  /* of all hunts */
  uint64_t steps;
  uint64_t searched; /* executions of the search until the error was found */
};

/* Another search, with stored states, that took turns with the search. */
struct result_turns {
  const char *first;   /* the search's algorithm, if the other one has the
                          result; NULL: it has not */
  bool followed;       /* the search had ended, at loops without end */
  uint64_t executions; /* of the search until then */
  uint64_t steps; /* its steps until then; or those of the other, in vain */
};

struct result {
  enum verdict verdict;
  bool complete;
  const char *program; /* its name */
  const char *version;
  const char *algorithm;
  const char *limit;   /* why the result is incomplete, or NULL */
  const char *resume;  /* a checkpoint to go on from, or NULL */
  const char *trusted; /* functions that were called unseen, or NULL */
  bool assumes;        /* a real program: what is assumed is told */
  struct counters counters;
  struct result_hunt hunt;   /* all 0: none was necessary */
  struct result_turns turns; /* the same */
  double time;               /* of exploring, in seconds */
  uint64_t max_rss;          /* of the exploring process, in kilobytes */
  bool outcomes_wanted;
  VEC(struct result_finding) errors;
  VEC(struct result_finding) warnings;
  VEC(struct result_outcome) outcomes; /* sorted */
  struct texts texts;
};

void result_free(struct result *);
void result_finding_free(struct result_finding *);

/* Adds the next step of the schedule and gives it its number. */
void result_add_step(struct result_finding *, struct result_step);

/* How often a step of another thread came while one could have gone on. */
size_t result_preemptions(const struct result_finding *);

/* All executions were cut by assumptions: nothing was checked behind them. */
bool result_is_vacuous(const struct result *);

/* Sorts the outcomes and adds up the counts of equal ones. */
void result_sort_outcomes(struct result *);

/* ---- writers ------------------------------------------------------------- */

enum detail { DETAIL_VERDICT, DETAIL_USUAL, DETAIL_ALL };

struct text_style {
  enum detail detail;
  bool color;
  bool full;      /* every step of a schedule */
  bool replaying; /* the report of a replay: no counters */
};

void report_as_text(FILE *, const struct result *, struct text_style);
void report_as_json(FILE *, const struct result *);
void report_as_html(FILE *, const struct result *);
void report_as_sarif(FILE *, const struct result *);
void report_as_junit(FILE *, const struct result *);

/* A JSON string with its quotes.  Bytes that are not UTF-8 become \u00XX. */
void json_string(FILE *, const char *, size_t length);

/* The headline of a kind of error: "assertion failed". */
const char *finding_headline(enum finding_kind);

/* "main", "T1". */
void thread_name(uint32_t proc, char *to, size_t size);

/* "main", "T1 worker". */
void thread_text(struct text *, const struct result_finding *, uint32_t proc);

/* "waits to lock m, held by T2 worker; holds n (step 7)" */
void stand_words(struct text *, const struct result_finding *,
                 const struct result_thread *);

/* "transfer pool.c:47 < worker pool.c:57" */
void stand_stack(struct text *, const struct result_thread *);

/* The operation in words, with the variable. */
void op_text_short(struct text *, const struct result_step *);

/* The same with the value and the thread that it concerns. */
void op_text_full(struct text *, const struct result_finding *,
                  const struct result_step *);

#endif
