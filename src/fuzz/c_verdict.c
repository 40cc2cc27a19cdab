#define _GNU_SOURCE
#include "fuzz/c_verdict.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ensure.h"

#define EXIT_CHECK_FAILED 9 /* c_prelude.c */

/* ---- sets of texts ---------------------------------------------------------
 */

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void set_settle(text_set *set) {
  size_t kept = 0;
  if (set->size)
    qsort(set->at, set->size, sizeof *set->at, by_text);
  for (size_t i = 0; i < set->size; i++)
    if (kept && !strcmp(set->at[kept - 1], set->at[i]))
      free(set->at[i]);
    else
      set->at[kept++] = set->at[i];
  set->size = kept;
}

static void set_free(text_set *set) {
  for (size_t i = 0; i < set->size; i++)
    free(set->at[i]);
  VEC_FREE(*set);
}

static bool set_has(const text_set *set, const char *text) {
  return set->size &&
         bsearch(&text, set->at, set->size, sizeof *set->at, by_text);
}

/* A text of `a` that is not in `b`, or NULL. */
static const char *set_lacks(const text_set *a, const text_set *b) {
  for (size_t i = 0; i < a->size; i++)
    if (!set_has(b, a->at[i]))
      return a->at[i];
  return NULL;
}

static bool set_has_kind(const text_set *set, const char *kind) {
  for (size_t i = 0; i < set->size; i++)
    if (!strncmp(set->at[i], kind, strlen(kind)))
      return true;
  return false;
}

/* ---- reading ---------------------------------------------------------------
 */

static void add_error(struct c_verdict *v, text_set *set) {
  char *text;
  bool stuck = strstr(v->at.kind, "lock") != NULL;
  bool race = !strcmp(v->at.kind, "race");
  unsigned low = v->at.line < v->at.other ? v->at.line : v->at.other;
  unsigned high = v->at.line < v->at.other ? v->at.other : v->at.line;
  ensure((race    ? asprintf(&text, "%u %u", low, high)
          : stuck ? asprintf(&text, "%s", v->at.kind)
                  : asprintf(&text, "%s %u", v->at.kind, v->at.line)) >= 0);
  if (race)
    VEC_PUSH(v->races, text);
  else
    VEC_PUSH(*set, text);
  memset(&v->at, 0, sizeof v->at);
}

static void take_error(struct c_verdict *v, const char *name,
                       const char *value) {
  if (!strcmp(name, "kind"))
    snprintf(v->at.kind, sizeof v->at.kind, "%s", value);
  else if (!strcmp(name, "line"))
    v->at.line = (unsigned)strtoul(value, NULL, 10);
  else if (!strcmp(name, "other.line"))
    v->at.other = (unsigned)strtoul(value, NULL, 10);
}

void c_verdict_take(void *context, const char *path, const char *value) {
  struct c_verdict *v = context;
  if (!strcmp(path, "errors") || !strcmp(path, "warnings")) {
    if (!value)
      add_error(v, &v->errors);
  } else if (!value)
    return;
  else if (!strncmp(path, "errors.", 7))
    take_error(v, path + 7, value);
  else if (!strncmp(path, "warnings.", 9))
    take_error(v, path + 9, value);
  else if (!strcmp(path, "complete"))
    v->complete = !strcmp(value, "true");
  else if (!strcmp(path, "executions"))
    v->executions = strtoull(value, NULL, 10);
  else if (!strcmp(path, "blocked"))
    v->blocked = strtoull(value, NULL, 10);
  else if (!strcmp(path, "traces"))
    v->traces = strtoull(value, NULL, 10);
  else if (!strcmp(path, "outcomes.output"))
    VEC_PUSH(v->outcomes, strdup(value));
}

void c_verdict_settle(struct c_verdict *v) {
  set_settle(&v->outcomes);
  set_settle(&v->errors);
  set_settle(&v->races);
}

void c_verdict_free(struct c_verdict *v) {
  set_free(&v->outcomes);
  set_free(&v->errors);
  set_free(&v->races);
}

/* ---- comparing -------------------------------------------------------------
 */

bool c_complain(struct c_complaint *c, const char *what, const char *format,
                ...) {
  va_list list;
  va_start(list, format);
  snprintf(c->what, sizeof c->what, "%s", what);
  vsnprintf(c->more, sizeof c->more, format, list);
  va_end(list);
  return false;
}

static bool same_sets(const char *name, const char *kind, const text_set *set,
                      const text_set *judge, struct c_complaint *c) {
  char what[80];
  const char *lost = set_lacks(judge, set), *new = set_lacks(set, judge);
  if (!lost && !new)
    return true;
  snprintf(what, sizeof what, "%s %s %s", name, lost ? "loses" : "invents",
           kind);
  return c_complain(c, what, "%s", lost ? lost : new);
}

/* How many executions an algorithm may have (docs/algorithms.md). */
struct promise {
  const char *name; /* up to '=' */
  bool every_trace; /* once each */
  bool never_blocked;
};

static const struct promise promises[] = {
    {"optimal", true, true}, {"unfold", true, true}, {"source", true, false},
    {"dpor", true, false},   {"quasi", true, false}, {"", false, false},
};

static const struct promise *promise_of(const char *algorithm) {
  const struct promise *p = promises;
  size_t length = strcspn(algorithm, "=");
  while (*p->name &&
         (strlen(p->name) != length || strncmp(p->name, algorithm, length)))
    p++;
  return p;
}

static bool right_counts(const struct c_verdict *v, const char *algorithm,
                         uint64_t traces, struct c_complaint *c) {
  char what[80];
  const struct promise *promise = promise_of(algorithm);
  snprintf(what, sizeof what, "%s: wrong number of executions", algorithm);
  if (promise->every_trace ? v->executions != traces : v->executions > traces)
    return c_complain(c, what, "%" PRIu64 " executions, %" PRIu64 " traces",
                      v->executions, traces);
  snprintf(what, sizeof what, "%s: is blocked", algorithm);
  if (promise->never_blocked && v->blocked)
    return c_complain(c, what, "%" PRIu64 " times", v->blocked);
  return true;
}

static bool same_races(const struct c_verdict *v, const char *algorithm,
                       const struct c_verdict *judge, struct c_complaint *c) {
  char what[80];
  if (promise_of(algorithm)->every_trace)
    return same_sets(algorithm, "a race", &v->races, &judge->races, c);
  if (!v->races.size == !judge->races.size)
    return true;
  snprintf(what, sizeof what, "%s: %s all races", algorithm,
           v->races.size ? "invents" : "loses");
  return c_complain(c, what, "%zu pairs, %zu", v->races.size,
                    judge->races.size);
}

bool c_verdict_agrees(const struct c_verdict *v, const char *algorithm,
                      const struct c_verdict *judge, struct c_complaint *c) {
  char what[80];
  snprintf(what, sizeof what, "%s: does not come to an end", algorithm);
  if (!v->complete)
    return !judge->traces ||
           c_complain(c, what, "%" PRIu64 " executions", v->executions);
  return same_sets(algorithm, "an outcome", &v->outcomes, &judge->outcomes,
                   c) &&
         same_sets(algorithm, "an error", &v->errors, &judge->errors, c) &&
         same_races(v, algorithm, judge, c) &&
         (!judge->traces || right_counts(v, algorithm, judge->traces, c));
}

bool c_verdict_same(const struct c_verdict *a, const struct c_verdict *b,
                    const char *option, struct c_complaint *c) {
  if (a->executions != b->executions || a->blocked != b->blocked)
    return c_complain(c, option, "%" PRIu64 " executions, without %" PRIu64,
                      a->executions, b->executions);
  return same_sets(option, "an outcome", &a->outcomes, &b->outcomes, c) &&
         same_sets(option, "an error", &a->errors, &b->errors, c) &&
         same_sets(option, "a race", &a->races, &b->races, c);
}

bool c_verdict_fits(const struct c_verdict *v, const struct c_program *p,
                    struct c_complaint *c) {
  if (!p->racy && v->races.size)
    return c_complain(c, "a race that does not exist", "lines %s",
                      v->races.at[0]);
  if (set_has_kind(&v->errors, "nondeterminism"))
    return c_complain(c, "called not deterministic", "%zu errors",
                      v->errors.size);
  if (!v->outcomes.size && !v->errors.size)
    return c_complain(c, "neither an outcome nor an error",
                      "%" PRIu64 " executions", v->executions);
  return true;
}

/* ---- real runs -------------------------------------------------------------
 */

static bool known_failure(const struct c_verdict *v, const char *output,
                          struct c_complaint *c) {
  char error[40];
  const char *line = strrchr(output, '\n');
  snprintf(error, sizeof error, "assertion %s", line ? line + 1 : "");
  return set_has(&v->errors, error) ||
         c_complain(c, "a real run fails, heddle does not", "%s", error);
}

/* After an error that is none for the machine a real run goes on. */
static bool goes_on(const struct c_verdict *v) {
  return set_has_kind(&v->errors, "memory") ||
         set_has_kind(&v->errors, "misuse") ||
         set_has_kind(&v->errors, "crash");
}

bool c_verdict_allows(const struct c_verdict *v, const char *output, int status,
                      struct c_complaint *c) {
  if (goes_on(v))
    return true;
  if (status == EXIT_CHECK_FAILED)
    return known_failure(v, output, c);
  if (status == 128 + SIGALRM)
    return set_has_kind(&v->errors, "deadlock") ||
           set_has_kind(&v->errors, "livelock") ||
           c_complain(c, "a real run does not end", "heddle knows no deadlock");
  if (status)
    return c_complain(c, "a real run crashes", "status %d", status);
  return set_has(&v->outcomes, output) ||
         c_complain(c, "a real run prints what heddle does not", "%s", output);
}
