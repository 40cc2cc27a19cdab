/* A model program is emitted as C, built with `heddle cc`, and checked by
 * `heddle check` with every algorithm whose counts are known.  It must have the
 * judge's outcomes, failures (kind and statement) and deadlocks, and as many
 * executions as there are traces (main prints the variables, so that the last
 * write of each is observed); by context, no more.
 *
 * An index out of bounds is an error of its own in a model and a failed
 * assertion in C: the native system knows the bounds of heap blocks only. */
#define _GNU_SOURCE
#include "fuzz/model/compare_native.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/json_read.h"
#include "host/process.h"
#include "host/word_list.h"
#include "explore/algorithms.h"
#include "session/local_session.h"
#include "fuzz/model/emit.h"
#include "util/ensure.h"
#include "util/hostile.h"

#define NAIVE_MOST "1500" /* executions */

enum { STUCK_DEADLOCK = 1, STUCK_LIVELOCK = 2 };

/* What an exploration says, ours or the native one. */
struct said {
  bool complete;
  uint64_t executions;
  uint64_t blocked;
  uint64_t traces;        /* of naive; 0: not known */
  unsigned stuck;         /* STUCK_ bits */
  VEC(uint64_t) failures; /* kind and statement; sorted, each once */
  VEC(char *) outcomes;   /* the same */
  const struct emitted *emitted;
  enum finding_kind kind; /* of the error being read */
  uint32_t line;          /* of it */
};

static void said_free(struct said *s) {
  for (size_t i = 0; i < s->outcomes.size; i++)
    free(s->outcomes.at[i]);
  VEC_FREE(s->outcomes);
  VEC_FREE(s->failures);
}

static void add_finding(struct said *s, enum finding_kind kind,
                        uint32_t statement) {
  if (kind == FINDING_DEADLOCK)
    s->stuck |= STUCK_DEADLOCK;
  else if (kind == FINDING_LIVELOCK)
    s->stuck |= STUCK_LIVELOCK;
  else
    VEC_PUSH(s->failures, ((uint64_t)kind << 32) | statement);
}

static int compare_numbers(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Outcomes are distinct already. */
static void sort(struct said *s) {
  if (s->outcomes.size)
    qsort(s->outcomes.at, s->outcomes.size, sizeof *s->outcomes.at,
          compare_texts);
  if (!s->failures.size)
    return;
  qsort(s->failures.at, s->failures.size, sizeof *s->failures.at,
        compare_numbers);
  size_t kept = 1;
  for (size_t i = 1; i < s->failures.size; i++)
    if (s->failures.at[i] != s->failures.at[kept - 1])
      s->failures.at[kept++] = s->failures.at[i];
  s->failures.size = kept;
}

/* ---- the model ------------------------------------------------------------
 */

static bool go_on(void *context) {
  (void)context;
  return false;
}

static void add_model_failure(struct said *s, const struct program *g,
                              enum finding_kind kind, uint64_t pc) {
  add_finding(s, kind == FINDING_MEMORY ? FINDING_ASSERTION : kind,
              g->code.at[pc - 1].statement);
}

/* The judge's failures, and those before the first step. */
static void take_failures(struct said *s, const struct program *g,
                          struct comparison *c) {
  const key_set *failures = &c->judged->failures;
  for (size_t i = 0; i < failures->size; i++)
    add_model_failure(s, g, (enum finding_kind)(failures->at[i].low >> 32),
                      failures->at[i].high);
  for (unsigned p = 0; p < g->processes.size; p++) {
    struct finding finding;
    if (model_failure(c->model, p, &finding))
      add_model_failure(s, g, finding.kind, finding.pc);
  }
}

/* The judge counts outcomes and deadlocks; the explorer, which was compared
 * with it, knows what they look like. */
static void say_model(struct said *s, const struct program *g,
                      struct comparison *c) {
  struct options options = {.races = RACES_OFF,
                            .keep_going = 1,
                            .outcomes = 1,
                            .max_steps = UINT64_MAX,
                            .max_executions = UINT64_MAX,
                            .preemptions = UINT64_MAX,
                            .skip = SKIP_DEFAULT,
                            .time_limit = UINT64_MAX};
  struct local_session session = {0};
  local_explore(&session, g, &optimal_algorithm, &options, go_on, NULL);
  const struct collection *found = &session.found;
  for (size_t i = 0; i < found->outcomes.size; i++)
    VEC_PUSH(s->outcomes, strndup(found->texts.at + found->outcomes.at[i].text,
                                  found->outcomes.at[i].length));
  for (size_t i = 0; i < session.findings.size; i++)
    if (session.findings.at[i].kind == FINDING_DEADLOCK ||
        session.findings.at[i].kind == FINDING_LIVELOCK)
      add_finding(s, session.findings.at[i].kind, NIL);
  take_failures(s, g, c);
  s->complete = session.result == EXPLORE_COMPLETE;
  local_session_free(&session);
  sort(s);
}

/* ---- the C program --------------------------------------------------------
 */

static enum finding_kind kind_named(const char *name) {
  int kind = 0;
  while (kind < FINDINGS && strcmp(name, finding_name((enum finding_kind)kind)))
    kind++;
  ensure(kind < FINDINGS);
  return (enum finding_kind)kind;
}

static uint32_t statement_of(const struct said *s) {
  return s->line < s->emitted->statement.size
             ? s->emitted->statement.at[s->line]
             : NIL;
}

static void take(void *context, const char *path, const char *value) {
  struct said *s = context;
  if (!strcmp(path, "errors") && !value)
    add_finding(s, s->kind, statement_of(s));
  else if (!value)
    return;
  else if (!strcmp(path, "complete"))
    s->complete = !strcmp(value, "true");
  else if (!strcmp(path, "executions"))
    s->executions = strtoull(value, NULL, 10);
  else if (!strcmp(path, "blocked"))
    s->blocked = strtoull(value, NULL, 10);
  else if (!strcmp(path, "traces"))
    s->traces = strtoull(value, NULL, 10);
  else if (!strcmp(path, "errors.kind"))
    s->kind = kind_named(value);
  else if (!strcmp(path, "errors.line"))
    s->line = (uint32_t)strtoul(value, NULL, 10); /* null is no line */
  else if (!strcmp(path, "outcomes.output"))
    VEC_PUSH(s->outcomes, strdup(value));
}

static bool write_source(const char *path, const struct emitted *emitted) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  fwrite(emitted->text.at, 1, emitted->text.size, file);
  return !fclose(file);
}

/* No program comes again: none is worth a place in the cache. */
static bool build(const char *folder, const struct emitted *emitted) {
  setenv("HEDDLE_CACHE_DIR", "", 1);
  char *source = text_format("%s/model.c", folder);
  char *binary = text_format("%s/model", folder);
  char *words[] = {"/proc/self/exe", "cc", "-g", source, "-o", binary, NULL};
  return write_source(source, emitted) &&
         !process_run(words, PROCESS_QUIET, NULL);
}

/* Looking for data races keeps operations that synchronise from commuting. */
static bool say_native(struct said *s, const char *folder,
                       const struct demand *d, const struct comparison *c) {
  struct word_list words = {0};
  char *json = NULL;
  word_list_add_each(&words, "/proc/self/exe", "check", "--keep-going",
                     "--outcomes", "--time-limit=20", "--json=-", NULL);
  bool inexact = d->by_context || (d->observers && c->blocks); /* with races */
  bool apart = c->apart;
  word_list_add(&words,
                text_format("--races=%s", inexact && !apart ? "off" : "error"));
  word_list_add(&words, text_format("--interfere=%s", apart ? "locks" : "all"));
  word_list_add(&words, text_format("--algo=%s", d->algorithm->name));
  if (HOSTILE && d->algorithm->part) /* elsewhere programs are too small */
    word_list_add(&words, "--jobs=3");
  if (d->every_interleaving)
    word_list_add(&words, "--max-executions=" NAIVE_MOST);
  word_list_add(&words, text_format("--error-file=%s/error", folder));
  word_list_add(&words, text_format("%s/model", folder));
  process_run(word_list_argv(&words), PROCESS_KEEP, &json);
  bool good = json && json_read(json, take, s);
  free(json);
  sort(s);
  return good;
}

/* ---- both -----------------------------------------------------------------
 */

static bool wrong(struct comparison *c, const char *algorithm,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool wrong(struct comparison *c, const char *algorithm,
                  const char *format, ...) {
  char words[160];
  va_list list;
  va_start(list, format);
  vsnprintf(words, sizeof words, format, list);
  va_end(list);
  snprintf(c->message, sizeof c->message, "native %s: %s", algorithm, words);
  return false;
}

static bool same_outcomes(const struct said *a, const struct said *b) {
  if (a->outcomes.size != b->outcomes.size)
    return false;
  for (size_t i = 0; i < a->outcomes.size; i++)
    if (strcmp(a->outcomes.at[i], b->outcomes.at[i]))
      return false;
  return true;
}

static bool same_failures(const struct said *a, const struct said *b) {
  return a->failures.size == b->failures.size &&
         (!a->failures.size || !memcmp(a->failures.at, b->failures.at,
                                       a->failures.size * sizeof(uint64_t)));
}

/* Where there are loops: which values are dead at their heads, and so which
 * rounds are part of an execution, is the compiler's decision.  `optimal` has
 * each trace once that `naive` sees there. */
static bool loop_counts_agree(struct comparison *c, const struct demand *d,
                              const struct said *model,
                              const struct said *native) {
  uint64_t seen = native->executions + native->blocked;
  bool exact = d->algorithm->joins && d->once && d->never_blocked;
  if (!exact || !model->traces || seen == model->traces)
    return true;
  return wrong(c, d->algorithm->name,
               "%" PRIu64 " executions, but %" PRIu64 " traces of naive", seen,
               model->traces);
}

static bool counts_agree(struct comparison *c, const struct demand *d,
                         const struct said *native) {
  const char *name = d->algorithm->name;
  const struct judgement *j = d->algorithm->holds ? c->held : c->judged;
  uint64_t most = d->observers ? j->printed.size : j->traces.size;
  uint64_t traces =
      d->algorithm->updates && !c->apart ? c->free->traces.size : most;
  /* A race in doubt, or a look, may have put updates in order. */
  if (!c->data && c->held == c->judged)
    most = traces;
  /* Natively a loop must have gone round to put stores in order. */
  if (d->observers && c->judged->printed.size < traces)
    traces = c->judged->printed.size;
  if (c->parts) /* natively looks may be held that the model does not hold */
    traces = 1;
  if (d->once && (native->executions < traces || native->executions > most))
    return wrong(c, name, "%" PRIu64 " executions, but %" PRIu64 " traces",
                 native->executions, traces);
  if ((d->by_context || d->reads_from) && native->executions > j->traces.size)
    return wrong(c, name, "%" PRIu64 " executions, but only %zu traces",
                 native->executions, j->traces.size);
  if (d->never_blocked && native->blocked)
    return wrong(c, name, "%" PRIu64 " executions blocked", native->blocked);
  return true;
}

static bool agree(struct comparison *c, const struct demand *d,
                  const struct said *model, const struct said *native) {
  const char *name = d->algorithm->name;
  if (!native->complete)
    return (c->loops && !d->algorithm->joins) ||
           wrong(c, name, "does not come to an end");
  if (!same_outcomes(model, native))
    return wrong(c, name, "%zu outcomes, but other than the model's %zu",
                 native->outcomes.size, model->outcomes.size);
  if (!same_failures(model, native))
    return wrong(c, name, "%zu failures, but other than the model's %zu",
                 native->failures.size, model->failures.size);
  if (model->stuck != native->stuck)
    return wrong(c, name,
                 model->stuck && native->stuck ? "another kind of deadlock"
                 : model->stuck                ? "deadlock not found"
                                : "a deadlock that does not exist");
  return c->loops ? loop_counts_agree(c, d, model, native)
                  : counts_agree(c, d, native);
}

static bool check_algorithm(struct comparison *c, const struct demand *d,
                            const char *folder, const struct emitted *emitted,
                            const struct said *model) {
  struct said native = {.emitted = emitted};
  bool right = say_native(&native, folder, d, c)
                   ? agree(c, d, model, &native)
                   : wrong(c, d->algorithm->name, "no result");
  said_free(&native);
  return right;
}

/* For programs with loops. */
static bool ask_naive(struct comparison *c, const char *folder,
                      const struct emitted *emitted, struct said *model) {
  struct said native = {.emitted = emitted};
  struct demand d;
  ensure(demand_for(&naive_algorithm, &d));
  bool right = say_native(&native, folder, &d, c) ||
               wrong(c, d.algorithm->name, "no result");
  right = right && (!native.complete || agree(c, &d, model, &native));
  model->traces = native.complete ? native.traces : 0;
  said_free(&native);
  return right;
}

/* Every interleaving of main's steps, too, would take long. */
static bool check_all(const struct campaign_plan *plan, struct comparison *c,
                      const char *folder, const struct emitted *emitted,
                      struct said *model) {
  if (c->loops && !ask_naive(c, folder, emitted, model))
    return false;
  for (unsigned i = 0; i < plan->demand_count; i++)
    if (!plan->demands[i].every_interleaving &&
        !(c->apart && plan->demands[i].algorithm->observes) &&
        !check_algorithm(c, &plan->demands[i], folder, emitted, model))
      return false;
  return true;
}

/* With data interleaved, and apart.  With data races the search ends early, or
 * there are findings that the model does not tell of. */
static bool check_both(const struct campaign_plan *plan, struct comparison *c,
                       const struct program *g, const char *folder,
                       const struct emitted *emitted, struct said *model) {
  if (c->racy.size)
    return true;
  if (!check_all(plan, c, folder, emitted, model))
    return false;
  c->apart = g->has_data;
  bool right = !c->apart || check_all(plan, c, folder, emitted, model);
  c->apart = false;
  return right;
}

enum compared compare_native(const struct campaign_plan *plan,
                             struct comparison *c, const struct program *g) {
  struct said model = {0};
  struct emitted emitted = {0};
  bool right = false;
  say_model(&model, g, c);
  program_emit(g, &emitted);
  const char *folder = scratch_open();
  if (!folder)
    wrong(c, "cc", "no folder for the program");
  else if (!build(folder, &emitted))
    wrong(c, "cc", "the program does not compile");
  else
    right = check_both(plan, c, g, folder, &emitted, &model);
  scratch_close();
  emitted_free(&emitted);
  said_free(&model);
  return right ? COMPARED_EQUAL : COMPARED_WRONG;
}
