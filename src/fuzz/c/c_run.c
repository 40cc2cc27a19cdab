#define _GNU_SOURCE
#include "fuzz/c/c_run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cc/driver/cc_args.h"
#include "explore/algorithms.h"
#include "supervise/settings.h"
#include "host/process.h"
#include "supervise/supervise.h"
#include "core/search.h"
#include "fuzz/real/home.h"
#include "util/ensure.h"

#define TIME_LIMIT 30 /* seconds for an exploration; few take one */

/* ---- building --------------------------------------------------------------
 */

const char *const c_builders[C_BUILDERS] = {[GCC_O0] = "gcc -O0",
                                            [GCC_O2] = "gcc -O2",
                                            [CLANG_O0] = "clang -O0",
                                            [CLANG_O2] = "clang -O2"};

static char *source_of(const struct c_run *run) {
  return text_format("%s/c.c", run->folder);
}

static bool write_source(const struct c_run *run) {
  struct text source = {0};
  c_file_print(run->programs, run->count, &source);
  FILE *file = fopen(source_of(run), "w");
  bool good = file && fwrite(source.at, 1, source.size, file) == source.size;
  VEC_FREE(source);
  return file && !fclose(file) && good;
}

static bool build(const struct c_run *run, char *binary, char *option) {
  char *words[] = {"/proc/self/exe", "cc",       source_of(run), "-o",
                   binary,           "-latomic", option,         NULL};
  return !process_run(words, PROCESS_QUIET, NULL);
}

bool c_run_open(struct c_run *run, const struct c_program *programs,
                unsigned count) {
  *run = (struct c_run){.programs = programs, .count = count};
  run->folder = scratch_open();
  run->refused = calloc(count, sizeof *run->refused);
  ensure(run->refused);
  if (!run->folder || !write_source(run))
    return false;
  run->binary = text_format("%s/c", run->folder);
  run->cleared = text_format("%s/cleared", run->folder);
  return build(run, run->binary, NULL) &&
         build(run, run->cleared, CC_CLEAR_DEAD);
}

void c_run_close(struct c_run *run) {
  free(run->refused);
  scratch_close();
}

void c_run_build_real(struct c_run *run, enum c_builder builder) {
  struct real_build build = {.folder = run->folder, .messages = PROCESS_QUIET};
  char *binary = text_format("%s/real", run->folder);
  word_list_split(&build.compiler, c_builders[builder], ' ');
  word_list_add_each(&build.program, source_of(run), "-latomic", NULL);
  run->builder = builder;
  run->real = home_found() && !real_build(&build, binary) ? binary : NULL;
}

/* An optimising compiler does what it likes with data races, and so does
 * another compiler than ours with bit-fields. */
bool c_run_is_real(const struct c_run *run, unsigned number) {
  const struct c_program *p = &run->programs[number];
  bool gcc = run->builder == GCC_O0 || run->builder == GCC_O2;
  return run->real && p->real && !(p->clang && gcc) &&
         (!p->racy || run->builder == CLANG_O0);
}

/* ---- exploring -------------------------------------------------------------
 */

static void settings(const struct c_run *run, const struct c_way *way,
                     struct control *control) {
  struct options *options = &control->options;
  supervise_control(control, WIRE_EXPLORE);
  explore_settings_default(options);
  options->keep_going = 1;
  options->outcomes = !way->silent;
  options->exit_status = EXIT_STATUS_ANY;
  options->time_limit = TIME_LIMIT;
  options->retries = RETRIES_APART; /* see same_joined() in c_judge.c */
  for (int i = 0; i < 2 && way->options[i].name; i++)
    ensure(explore_settings_set(options, way->options[i].name,
                                way->options[i].value));
  ensure(strlen(way->algorithm) < sizeof control->algorithm);
  strcpy(control->algorithm, way->algorithm);
  memcpy(control->externals, run->allowed, run->allowed_length);
}

static void take_run(struct c_verdict *v, const struct run *run) {
  v->complete = run->complete && !run->limit;
  v->unclear = run->limit && strstr(run->limit, explore_unclear);
  v->executions = run->counters.executions;
  v->blocked = run->counters.blocked;
  v->traces = run->counters.traces;
  for (size_t i = 0; i < run->findings.size; i++) {
    const struct wire_finding *f = &run->findings.at[i].wire;
    c_verdict_add_finding(v, (enum finding_kind)f->kind,
                          f->line ? f->line : run_offset(run, f->pc),
                          run_offset(run, f->other_pc));
  }
  for (size_t i = 0; i < run->outcomes.size; i++)
    c_verdict_add_outcome(v, run->outcomes.at[i].output.at,
                          run->outcomes.at[i].output.size,
                          run->outcomes.at[i].status);
  c_verdict_settle(v);
}

/* The program that the first name pNUMBER_... in a message belongs to. */
static unsigned program_in(const struct c_run *run, const char *message) {
  for (const char *at = message; (at = strchr(at, 'p')); at++) {
    char *end;
    if (!isdigit((unsigned char)at[1]))
      continue;
    unsigned long number = strtoul(at + 1, &end, 10);
    if (*end == '_' && number < run->count)
      return (unsigned)number;
  }
  return run->count;
}

/* heddle refuses a file as a whole.  The function that it names is allowed, so
 * that the other programs can be checked, and its own never is.  False: the
 * message names none. */
static bool allow_refused(struct c_run *run, const char *message) {
  static const char remedy[] = "--allow-external=";
  unsigned named = program_in(run, message);
  const char *option = strstr(message, remedy);
  if (named == run->count || !option)
    return false;
  option += strlen(remedy);
  size_t length = strcspn(option, " \n,;");
  if (run->allowed_length + length + 1 > sizeof run->allowed)
    return false;
  memcpy(run->allowed + run->allowed_length, option, length);
  run->allowed_length += length + 1;
  run->refused[named] = true;
  return true;
}

static bool is_cleared(const struct c_way *way) {
  return way->cleared || algorithm_find(way->algorithm, false)->states;
}

enum c_ran c_run_check(struct c_run *c, unsigned number,
                       const struct c_way *way, struct c_verdict *v) {
  enum run_end end = RUN_REFUSED;
  bool again = true;
  *v = (struct c_verdict){0};
  while (again && !c->refused[number]) {
    struct run_request request = {
        .binary = is_cleared(way) ? c->cleared : c->binary,
        .argv = (char *[]){"c", text_format("%u", number), NULL}};
    struct run run;
    settings(c, way, &request.settings);
    if (!supervise(&request, &run))
      return RAN_WITHOUT_RESULT;
    end = run.end;
    again = end == RUN_REFUSED && allow_refused(c, run.refused);
    if (end != RUN_REFUSED)
      take_run(v, &run);
    run_free(&run);
  }
  return end == RUN_REFUSED ? RAN_REFUSED
         : end == RUN_DIED  ? RAN_WITHOUT_RESULT
                            : RAN;
}

bool c_run_report(const struct c_run *run, unsigned number,
                  struct claims *claims) {
  struct word_list words = {0};
  const char *end = run->allowed + run->allowed_length;
  for (const char *at = run->allowed; at < end; at += strlen(at) + 1)
    word_list_add(&words, text_format("--allow-external=%s", at));
  word_list_add_each(&words, run->binary, "--", text_format("%u", number),
                     NULL);
  int code = claims_check(claims, &words, run->folder, PROCESS_KEEP);
  return code <= 1 || code == 3;
}

/* ---- real threads ----------------------------------------------------------
 */

/* Where a hang is listed, a run that hangs is given up soon. */
bool c_run_real(const struct c_run *run, unsigned number, unsigned times,
                uint64_t seed, const struct c_verdict *v,
                struct c_complaint *c) {
  struct real_set set = {0};
  bool may_hang = c_verdict_hangs(v), right = true;
  struct real_plan plan = {.runs = times,
                           .seed = seed,
                           .patience = may_hang ? 10 : 2000,
                           .hangs = may_hang ? 5 : 1,
                           .seconds = TIME_LIMIT,
                           .alone = run->programs[number].sequential};
  char *arguments[] = {text_format("%u", number), NULL};
  if (!real_run(run->real, arguments, run->folder, &plan, &set))
    right = c_complain(c, "cannot be run on real threads", "see above");
  for (size_t i = 0; i < set.results.size && right; i++)
    right = c_verdict_allows(v, &set.results.at[i], c);
  real_set_free(&set);
  return right;
}
