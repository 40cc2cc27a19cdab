#define _GNU_SOURCE
#include "cli/check_model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "host/complain.h"
#include "supervise/memory_limit.h"
#include "supervise/supervise.h"
#include "host/version.h"
#include "explore/algorithms.h"
#include "session/local_session.h"
#include "util/ensure.h"

/* One check of a model. */
struct model_check {
  const struct check_options *options;
  struct program program;
  struct local_session session;
  struct result *result;
  struct timespec start;
  bool late;     /* the time limit was reached */
  bool full;     /* the memory limit was */
  double looked; /* at the memory, last; seconds from the start */
};

static bool ends_in_model(const char *name) {
  size_t length = strlen(name);
  return length > 6 && !strcmp(name + length - 6, ".model");
}

bool is_model_check(const struct check_options *o) {
  return o->files.size == 1 && ends_in_model(o->files.at[0]);
}

/* ---- reading --------------------------------------------------------------
 */

static bool read_all(const char *path, struct text *text) {
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  char buffer[4096];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)))
    text_add(text, buffer, got);
  bool good = !ferror(file);
  fclose(file);
  return good;
}

static int read_program(struct model_check *c) {
  const char *path = c->options->files.at[0];
  struct text text = {0};
  struct model_error error;
  int code = 0;
  if (!read_all(path, &text)) {
    code = complain("%s: %s", path, strerror(errno));
  } else if (!program_parse(&c->program, path, text.at, text.size, &error)) {
    fprintf(stderr, "%s:%u:%u: %s\n", path, error.line, error.column,
            error.message);
    code = EXIT_UNCHECKED;
  }
  VEC_FREE(text);
  return code;
}

/* ---- exploring ------------------------------------------------------------
 */

static double elapsed(const struct model_check *c) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - c->start.tv_sec) +
         (double)(now.tv_nsec - c->start.tv_nsec) * 1e-9;
}

/* Looked at every few milliseconds: it costs as much as some executions. */
static bool is_full(struct model_check *c, double time) {
  if (time - c->looked < 0.01)
    return false;
  c->looked = time;
  return memory_of(getpid()) >= memory_limit(c->options->explore.memory_limit);
}

static bool must_stop(void *context) {
  struct model_check *c = context;
  uint64_t limit = c->options->explore.time_limit;
  double time = elapsed(c);
  c->late = limit < UINT32_MAX && time >= (double)limit;
  c->full = is_full(c, time);
  return c->late || c->full || supervise_interrupted();
}

/* ---- the result -----------------------------------------------------------
 */

static const char *keep(struct model_check *c, const char *text) {
  return texts_copy(&c->result->texts, text, strlen(text));
}

static const char *process_name(struct model_check *c, uint32_t p) {
  return keep(c, program_name(&c->program, c->program.processes.at[p].name));
}

struct telling {
  struct model_check *c;
  struct result_finding *to;
};

static void add_step(void *context, const struct local_step *step) {
  struct telling *t = context;
  struct result_step shown = {.proc = step->proc,
                              .target = step->target,
                              .op = step->op,
                              .failed = step->failed,
                              .local = step->local,
                              .place = {process_name(t->c, step->proc),
                                        t->c->options->files.at[0],
                                        step->line}};
  if (*step->object)
    shown.variable = keep(t->c, step->object);
  if (step->has_value)
    shown.value = texts_format(&t->c->result->texts, "%" PRId64, step->value);
  result_add_step(t->to, shown);
}

static void add_finding(struct model_check *c, const struct local_finding *f) {
  struct result_finding shown = {
      .kind = f->kind,
      .proc = f->proc,
      .message = keep(c, f->message),
      .place = {process_name(c, f->proc), c->options->files.at[0], f->line}};
  for (uint32_t p = 0; p < c->program.processes.size; p++)
    VEC_PUSH(shown.threads, ((struct result_thread){
                                .proc = p, .function = process_name(c, p)}));
  struct telling telling = {c, &shown};
  local_replay(&c->program, f->moves.at, f->moves.size, add_step, &telling);
  if (f->warning)
    VEC_PUSH(c->result->warnings, shown);
  else
    VEC_PUSH(c->result->errors, shown);
}

static void add_outcomes(struct model_check *c) {
  const struct collection *found = &c->session.found;
  for (size_t i = 0; i < found->outcomes.size; i++) {
    struct result_outcome shown = {.count = found->outcomes.at[i].count};
    text_add(&shown.output, found->texts.at + found->outcomes.at[i].text,
             found->outcomes.at[i].length);
    VEC_PUSH(c->result->outcomes, shown);
  }
  result_sort_outcomes(c->result);
}

static void add_limit(struct text *all, const char *limit) {
  text_print(all, "%s%s", all->size ? ", " : "", limit);
}

static const char *memory_reached(const struct model_check *c) {
  char size[64];
  memory_text(memory_limit(c->options->explore.memory_limit), size,
              sizeof size);
  return texts_format(&c->result->texts, "memory limit of %s reached", size);
}

static const char *why_incomplete(const struct model_check *c) {
  const struct local_session *s = &c->session;
  struct text all = {0};
  if (c->late)
    add_limit(&all, texts_format(&c->result->texts,
                                 "time limit of %" PRIu64 " s reached",
                                 c->options->explore.time_limit));
  if (c->full)
    add_limit(&all, memory_reached(c));
  if (supervise_interrupted())
    add_limit(&all, "interrupted");
  for (unsigned i = 0; i < s->limit_count && s->result != EXPLORE_COMPLETE; i++)
    add_limit(&all, s->limits[i]);
  const char *limit =
      all.size ? texts_copy(&c->result->texts, all.at, all.size) : NULL;
  VEC_FREE(all);
  if (limit)
    return limit;
  if (c->options->explore.as_printed)
    return AS_PRINTED_LIMIT;
  return NULL;
}

static void make_result(struct model_check *c) {
  struct result *r = c->result;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  r->program = keep(c, c->options->files.at[0]);
  r->version = HEDDLE_VERSION;
  r->algorithm = c->options->algorithm;
  r->counters = c->session.counters;
  r->time = elapsed(c);
  r->max_rss = (uint64_t)usage.ru_maxrss;
  r->limit = why_incomplete(c);
  r->complete = c->session.result == EXPLORE_COMPLETE && !r->limit;
  r->outcomes_wanted = c->options->explore.outcomes;
  for (size_t i = 0; i < c->session.findings.size; i++)
    add_finding(c, &c->session.findings.at[i]);
  add_outcomes(c);
  r->verdict = r->errors.size ? VERDICT_ERROR
               : r->complete  ? VERDICT_SAFE
                              : VERDICT_INCOMPLETE;
}

int check_model(const struct check_options *options, struct result *result) {
  struct model_check c = {.options = options, .result = result};
  int code = read_program(&c);
  if (!code) {
    const struct algorithm *algorithm =
        algorithm_find(options->algorithm, options->explore.as_printed);
    ensure(algorithm); /* the command line was checked */
    const char *refused = explorer_refuses(algorithm, &options->explore);
    if (!refused && c.program.loops && !algorithm->joins && !algorithm->states)
      refused = "models with 'loop' are not for --as-printed, which would go "
                "round for ever";
    if (!refused && c.program.endless && !algorithm->states)
      refused = "a model with 'loop' and data has executions without end: use "
                "--algo stateful";
    struct options explore = options->explore;
    if (!c.program.has_data && explore.interfere == INTERFERE_ALL)
      explore.races = RACES_OFF; /* there are none */
    clock_gettime(CLOCK_MONOTONIC, &c.start);
    if (!refused && options->explore.jobs > 1)
      refused = "--jobs: a model is explored by one process";
    if (refused) {
      code = complain("%s", refused);
    } else {
      local_explore(&c.session, &c.program, algorithm, &explore, must_stop, &c);
      make_result(&c);
    }
  }
  local_session_free(&c.session);
  program_free(&c.program);
  return code;
}
