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

/* A thread of one execution; main is number 0. */
struct result_thread {
  uint32_t proc;
  const char *function; /* its start routine, NULL if unknown */
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
  const char *value;    /* NULL: none */
  uint64_t address;     /* of the memory that it touches, 0: none or unknown */
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
  VEC(struct result_thread) threads;
  VEC(struct result_step) steps;
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

struct result {
  enum verdict verdict;
  bool complete;
  const char *program; /* its name */
  const char *version;
  const char *algorithm;
  const char *limit;   /* why the result is incomplete, or NULL */
  const char *trusted; /* functions that were called unseen, or NULL */
  struct counters counters;
  double time;      /* of exploring, in seconds */
  uint64_t max_rss; /* of the exploring process, in kilobytes */
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

/* The operation in words, with the variable. */
void op_text_short(struct text *, const struct result_step *);

/* The same with the value and the thread that it concerns. */
void op_text_full(struct text *, const struct result_finding *,
                  const struct result_step *);

#endif
