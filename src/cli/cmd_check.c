/* heddle check: build, explore, report. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/atomic.h"
#include "cc/driver/cache.h"
#include "cli/check_model.h"
#include "explore/algorithms.h"
#include "cli/check_series.h"
#include "cli/cmd_resume.h"
#include "cli/command.h"
#include "host/complain.h"
#include "supervise/errorfile.h"
#include "supervise/estimate.h"
#include "supervise/evidence.h"
#include "cli/check_options.h"
#include "supervise/checked_program.h"
#include "supervise/coordinate.h"
#include "supervise/minimize.h"
#include "supervise/pauses.h"
#include "supervise/supervise.h"
#include "supervise/trust.h"
#include "host/version.h"
#include "report/result.h"
#include "util/ensure.h"

/* One check, from beginning to end. */
struct check_job {
  struct check_options options;
  struct checked_program program;
  struct run run;
  struct pauses pauses;
  struct evidence evidence;
  struct result result;
  char *directory;
  struct checkpoint_plan plan;
  struct cluster *cluster;         /* of mpirun, or NULL */
  char **words;                    /* the command line, for checkpoints */
  const struct checkpoint *resume; /* goes on from there, or NULL */
};

/* ---- exploring ----------------------------------------------------------- */

/* Outcomes that the page shows a schedule of. */
enum { MOST_EXAMPLES = 50 };

/* A search pauses only where the user has not said what is to be run, nor asks
 * for more than one error.  A shared search has no moment at which all have
 * taken so many steps.  Samples need no hunt. */
static bool may_pause(const struct check_job *check) {
  const struct check_options *o = &check->options;
  const struct algorithm *a =
      algorithm_find(o->algorithm, o->explore.as_printed);
  return !(a->takes & TAKES_SAMPLES) && !o->explore.keep_going &&
         !o->explore.as_printed && o->explore.preemptions == UINT64_MAX &&
         o->explore.max_executions == UINT64_MAX && o->explore.jobs == 1 &&
         !check->resume && !check->cluster;
}

/* May another search have the result?  Not, where executions with an outcome
 * are counted, or something is written down or verified that is of this one, or
 * where only many executions show whether functions keep state (trust.h). */
static bool takes_turns(const struct check_job *check) {
  const struct check_options *o = &check->options;
  const struct algorithm *other = algorithm_find(TURNS_ALGORITHM, false);
  return o->take_turns && may_pause(check) && !o->explore.outcomes &&
         !o->checkpoint && !o->explore.verify && !o->externals_length &&
         strcmp(o->algorithm, other->name) != 0 &&
         !explorer_refuses(other, &o->explore);
}

static void prepare_pauses(struct check_job *check, struct run_request *request,
                           const struct checked_program_words *words) {
  uint64_t seconds = may_pause(check) ? check->options.hunt_seconds : 0;
  hunter_prepare(&check->pauses.hunter, request, seconds);
  turns_prepare(&check->pauses.turns, request, &check->program,
                takes_turns(check) ? words : 0);
  pauses_prepare(&check->pauses, request);
}

static void tell_end(const struct check_job *check) {
  const struct run *run = &check->run;
  struct estimate done = {0};
  estimate_add(&done, &run->counters, run->complete ? 1 : -1, run->time);
  if (check->options.status_file)
    status_write(check->options.status_file, "ended", &run->counters, &done,
                 run->time);
}

/* What a hunt or the other search has found is what there is to report. */
static void take_result(struct check_job *check) {
  bool followed = pauses_follow(&check->pauses, &check->run);
  bool taken = pauses_take_result(&check->pauses, &check->run);
  if (followed || taken)
    tell_end(check);
  if (!check->pauses.turns.won)
    return;
  checked_program_become(&check->program, &check->pauses.turns.built);
  check->result.turns.first = check->options.algorithm;
  check->options.algorithm = TURNS_ALGORITHM;
}

/* ---- checkpoints --------------------------------------------------------- */

static void plan_checkpoints(struct check_job *check) {
  const struct check_options *o = &check->options;
  struct checkpoint *head = &check->plan.head;
  check->plan.path = o->checkpoint;
  check->plan.seconds = (double)o->checkpoint_seconds;
  head->directory = check->directory;
  head->binary = check->program.hash;
  for (char **word = check->words; *word; word++)
    VEC_PUSH(head->words, *word);
  VEC_PUSH(head->words, NULL);
}

/* A search that is over needs no checkpoint any more. */
static void end_checkpoints(struct check_job *check) {
  const struct run *run = &check->run;
  if (!check->options.checkpoint)
    return;
  if (!run->left)
    unlink(check->options.checkpoint);
  else if (run->checkpoints || check->resume)
    check->result.resume = check->options.checkpoint;
}

/* Why this search cannot be written down, or NULL. */
static const char *no_checkpoints(const struct check_options *o) {
  const struct algorithm *a =
      algorithm_find(o->algorithm, o->explore.as_printed);
  if (!a->give)
    return "what this algorithm has left to do cannot be written down; use "
           "--algo pop";
  if (is_model_check(o))
    return "a model is checked in one go";
  return 0;
}

static bool algorithm_returns(const struct check_options *o) {
  const struct algorithm *a =
      algorithm_find(o->algorithm, o->explore.as_printed);
  return a && a->waits;
}

static struct run_request make_request(struct check_job *check) {
  const struct check_options *o = &check->options;
  struct run_request request = {.binary = check->program.binary,
                                .argv = check->program.argv,
                                .progress = isatty(2) && !o->quiet,
                                .status = o->status_file,
                                .checkpoint = o->checkpoint ? &check->plan : 0,
                                .resume =
                                    check->resume ? &check->resume->state : 0,
                                .statistics = o->verbose,
                                .returns = algorithm_returns(o),
                                .identity = check->program.hash};
  supervise_control(&request.settings, WIRE_EXPLORE);
  request.settings.options = o->explore;
  ensure(strlen(o->algorithm) < sizeof request.settings.algorithm);
  strcpy(request.settings.algorithm, o->algorithm);
  memcpy(request.settings.externals, o->externals, o->externals_length);
  request.settings.examples = o->html ? MOST_EXAMPLES : 0;
  return request;
}

static struct checked_program_words words_of(const struct check_options *o) {
  return (struct checked_program_words){
      .build = o->build.at,
      .builds = o->build.size,
      .files = o->files.at,
      .file_count = o->files.size,
      .arguments = o->arguments,
      .clear_dead =
          algorithm_find(o->algorithm, o->explore.as_printed)->states};
}

static bool explore_program(struct check_job *check) {
  const struct check_options *o = &check->options;
  struct run_request request = make_request(check);
  struct checked_program_words words = words_of(o);
  prepare_pauses(check, &request, &words);
  if (o->checkpoint)
    plan_checkpoints(check);
  bool ran = check->cluster ? coordinate(check->cluster, &request, &check->run)
                            : supervise(&request, &check->run);
  take_result(check);
  end_checkpoints(check);
  return ran;
}

/* Explains why the exploring process ended without a result. */
static int explain_death(const struct run *run) {
  int status = run->status;
  if (run->garbled)
    return complain("the exploring process sent an invalid message");
  if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_INTERNAL) {
    complain("the exploring process stopped with an internal error");
    return EXIT_INTERNAL;
  }
  if (WIFSIGNALED(status))
    return complain(
        "the exploring process ended unexpectedly: %s (signal %d)%s",
        strsignal(WTERMSIG(status)), WTERMSIG(status),
        WTERMSIG(status) == SIGKILL ? "; out of memory?" : "");
  return complain("the exploring process ended unexpectedly with exit code %d",
                  WEXITSTATUS(status));
}

static bool has_errors(const struct run *run) {
  for (size_t i = 0; i < run->findings.size; i++)
    if (!run->findings.at[i].wire.warning)
      return true;
  return false;
}

/* 0: there is something to report.  An error that was found stays found,
 * whatever happened after it. */
static int judge_end(struct check_job *check) {
  const struct run *run = &check->run;
  bool errors = has_errors(run);
  if (run->end == RUN_REFUSED && !errors)
    return complain("%s", evidence_words(&check->evidence, run, run->refused,
                                         &check->result.texts));
  if (run->end == RUN_DIED) {
    int code = explain_death(run);
    if (check->result.resume)
      complain("to go on: heddle resume %s", check->result.resume);
    return errors && code != EXIT_INTERNAL ? 0 : code;
  }
  return 0;
}

/* ---- error files --------------------------------------------------------- */

static void describe_program(const struct check_job *check,
                             struct errorfile *file) {
  const struct check_options *o = &check->options;
  file->directory = check->directory;
  for (size_t i = 0, next = 0; i < o->build.size; i++) {
    bool is_file = next < o->files.size && o->build.at[i] == o->files.at[next];
    next += is_file;
    VEC_PUSH(file->build, (struct errorfile_word){o->build.at[i], is_file});
  }
  for (char **argument = o->arguments; *argument; argument++)
    VEC_PUSH(file->arguments, *argument);
  file->algorithm = (char *)o->algorithm;
  file->options = o->explore;
  memcpy(file->externals, o->externals, o->externals_length);
  file->externals_length = o->externals_length;
  file->binary = check->program.hash;
}

static void describe_error(const struct check_job *check,
                           const struct run_finding *finding,
                           struct errorfile *file) {
  file->kind = finding->wire.kind;
  file->file = finding->file;
  file->line = finding->wire.line;
  file->pc = run_offset(&check->run, finding->wire.pc);
  file->other_pc = run_offset(&check->run, finding->wire.other_pc);
  file->message = finding->message;
  for (uint32_t i = 0; i < finding->wire.moves; i++)
    VEC_PUSH(file->moves, finding->moves[i]);
}

/* The first error goes where the user said, the others beside it. */
static char *path_for(const struct check_job *check,
                      const struct errorfile *file) {
  const char *wanted = check->options.error_file;
  size_t number = check->result.errors.size + 1;
  char *path = 0;
  if (!wanted)
    return errorfile_path(check->program.name, file);
  if (number == 1)
    ensure(asprintf(&path, "%s", wanted) >= 0);
  else
    ensure(asprintf(&path, "%s.%zu", wanted, number) >= 0);
  return path;
}

/* "T1 worker locks q->lock in transfer (pool.c:46)" */
static void event_words(struct text *to, const struct result_finding *shown,
                        const struct result_step *step) {
  to->size = 0;
  thread_text(to, shown, step->proc);
  text_print(to, " ");
  op_text_short(to, step);
  if (step->place.function)
    text_print(to, " in %s", step->place.function);
  if (step->place.file)
    text_print(to, " (%s:%u)", step->place.file, step->place.line);
}

/* What the moves did, for a replay after the program has changed. */
static void describe_events(const struct result_finding *shown,
                            struct errorfile *file) {
  struct text words = {0};
  if (shown->steps.size != file->moves.size)
    return;
  for (size_t i = 0; i < shown->steps.size; i++) {
    event_words(&words, shown, &shown->steps.at[i]);
    errorfile_add_event(file, shown->steps.at[i].key, text_string(&words));
  }
  VEC_FREE(words);
}

/* The path of the new error file, or NULL. */
static const char *save_error(struct check_job *check,
                              const struct run_finding *finding,
                              const struct result_finding *shown) {
  struct errorfile file = {0};
  const char *kept = 0;
  describe_program(check, &file);
  describe_error(check, finding, &file);
  describe_events(shown, &file);
  char *path = path_for(check, &file);
  if (path && errorfile_write(path, &file))
    kept = texts_copy(&check->result.texts, path, strlen(path));
  free(path);
  errorfile_free(&file);
  return kept;
}

/* ---- the result ---------------------------------------------------------- */

/* A run that shows the finding, by the smallest schedule that is known.  The
 * run is what confirms a smaller one. */
static enum evidence_found show(struct check_job *check, struct minimizer *m,
                                const struct run_finding *finding,
                                struct result_finding *shown) {
  struct run_finding smaller;
  struct texts *texts = &check->result.texts;
  if (minimize(m, &check->run, finding, &smaller)) {
    enum evidence_found found =
        evidence_collect(&check->evidence, &check->run, &smaller, texts, shown);
    if (found == EVIDENCE_SAME) {
      shown->replay =
          finding->wire.warning ? 0 : save_error(check, &smaller, shown);
      free(smaller.moves);
      return found;
    }
    result_finding_free(shown);
    free(smaller.moves);
  }
  enum evidence_found found =
      evidence_collect(&check->evidence, &check->run, finding, texts, shown);
  if (!finding->wire.warning || found == EVIDENCE_OTHER)
    shown->replay = save_error(check, finding, shown);
  return found;
}

/* A line may have several accesses to a variable: a reader sees one race. */
static bool is_told(const struct result *result,
                    const struct result_finding *race) {
  for (size_t i = 0; i < result->warnings.size; i++)
    if (!strcmp(result->warnings.at[i].message, race->message))
      return true;
  return false;
}

static void add_finding(struct check_job *check, struct minimizer *m,
                        const struct run_finding *finding) {
  struct result *result = &check->result;
  struct result_finding shown;
  enum evidence_found found = show(check, m, finding, &shown);
  if (!finding->wire.warning || found == EVIDENCE_OTHER)
    VEC_PUSH(result->errors, shown);
  else if (!is_told(result, &shown))
    VEC_PUSH(result->warnings, shown);
  else
    result_finding_free(&shown);
}

static size_t count_errors(const struct run *run) {
  size_t count = 0;
  for (size_t i = 0; i < run->findings.size; i++)
    count += !run->findings.at[i].wire.warning;
  return count;
}

/* Errors come first: warnings get what is left of the time. */
static void add_findings(struct check_job *check) {
  const struct run *run = &check->run;
  struct minimizer minimizer;
  minimizer_open(&minimizer, &check->evidence, check->options.minimize_seconds,
                 count_errors(run));
  for (uint32_t warnings = 0; warnings < 2; warnings++)
    for (size_t i = 0; i < run->findings.size; i++)
      if (run->findings.at[i].wire.warning == warnings)
        add_finding(check, &minimizer, &run->findings.at[i]);
}

static void add_example(struct check_job *check,
                        const struct run_outcome *outcome,
                        struct result_outcome *shown) {
  if (outcome->moves_count)
    evidence_example(&check->evidence, outcome->moves, outcome->moves_count,
                     &check->result.texts, &shown->example);
}

static void take_outcomes(struct check_job *check) {
  struct run *run = &check->run;
  for (size_t i = 0; i < run->outcomes.size; i++) {
    VEC_PUSH(check->result.outcomes,
             (struct result_outcome){.output = run->outcomes.at[i].output,
                                     .status = run->outcomes.at[i].status,
                                     .count = run->outcomes.at[i].count});
    add_example(check, &run->outcomes.at[i], &VEC_TOP(check->result.outcomes));
    free(run->outcomes.at[i].moves);
  }
  run->outcomes.size = 0; /* the bytes are the result's now */
  result_sort_outcomes(&check->result);
}

/* "a step of T1 worker did not end within 10 s of its time: ...": the function
 * is put in by evidence_words(). */
static void add_stuck(struct check_job *check) {
  struct run *run = &check->run;
  const struct wire_stuck *at = &run->stuck_at;
  if (!at->pc) {
    run_add_limit(run, "the program did not come to main within %d s",
                  SUPERVISE_PATIENCE);
    return;
  }
  struct source_place place = evidence_place(&check->evidence, run, at->pc);
  run_add_limit(run,
                "a step of T%" PRIu32 "{start:%" PRIx64
                "} did not end within %d s: %s %s (%s:%u)",
                at->proc, at->start, SUPERVISE_PATIENCE,
                at->waits ? "it waits in a call in"
                          : "a loop without any visible operation in",
                place.function ? place.function : "?",
                place.file ? place.file : "?", place.line);
}

static const char *why_incomplete(struct check_job *check) {
  const struct run *run = &check->run;
  if (run->limit)
    return run->limit;
  if (run->refused) /* only its first line */
    return texts_copy(&check->result.texts, run->refused,
                      strcspn(run->refused, "\n"));
  if (run->end == RUN_DIED)
    return "the exploring process ended unexpectedly";
  if (check->options.explore.as_printed)
    return AS_PRINTED_LIMIT;
  return 0;
}

/* What the user allowed, with commas between; NULL if that is nothing. */
static const char *trusted_names(struct check_job *check) {
  size_t length = check->options.externals_length;
  if (!length)
    return 0;
  struct text names = {0};
  const char *name = check->options.externals;
  for (const char *end = name + length; name < end; name += strlen(name) + 1) {
    if (names.size)
      text_add(&names, ", ", 2);
    text_add(&names, name, strlen(name));
  }
  const char *made = texts_copy(&check->result.texts, names.at, names.size);
  VEC_FREE(names);
  return made;
}

static void suspect_trusted(struct check_job *check) {
  struct result *result = &check->result;
  for (size_t i = 0; i < result->errors.size && result->trusted; i++) {
    struct result_finding *f = &result->errors.at[i];
    if (f->kind == FINDING_NONDETERMINISM)
      f->message = texts_format(
          &result->texts, "%s; a function that was allowed (%s) may keep state",
          f->message, result->trusted);
  }
}

static void add_pauses(struct check_job *check) {
  const struct hunter *h = &check->pauses.hunter;
  const struct turns *t = &check->pauses.turns;
  check->result.hunt = (struct result_hunt){.strategy = h->strategy,
                                            .executions = h->executions,
                                            .steps = h->steps,
                                            .searched = h->searched};
  check->result.turns.executions = t->searched.executions;
  check->result.turns.followed = t->followed;
  check->result.turns.steps = t->won ? t->searched.steps : turns_steps(t);
}

static void make_result(struct check_job *check) {
  const struct run *run = &check->run;
  struct result *result = &check->result;
  if (run->stuck)
    add_stuck(check);
  const char *limit = why_incomplete(check);
  result->program = texts_copy(&result->texts, check->program.name,
                               strlen(check->program.name));
  result->version = HEDDLE_VERSION;
  result->algorithm = check->options.algorithm;
  result->counters = run->counters;
  result->time = run->time;
  result->max_rss = run->max_rss;
  result->complete = run->complete && !limit;
  result->limit =
      limit ? evidence_words(&check->evidence, run, limit, &result->texts) : 0;
  result->outcomes_wanted = check->options.explore.outcomes;
  result->trusted = trusted_names(check);
  add_pauses(check);
  result->assumes = true;
  add_findings(check);
  suspect_trusted(check);
  take_outcomes(check);
  if (result->errors.size)
    result->verdict = VERDICT_ERROR;
  else
    result->verdict = result->complete ? VERDICT_SAFE : VERDICT_INCOMPLETE;
}

static int exit_code(const struct result *result) {
  static const int codes[] = {EXIT_SAFE, EXIT_ERROR, EXIT_INCOMPLETE};
  return codes[result->verdict];
}

/* ---- reporting ----------------------------------------------------------- */

/* A report into a file.  False after a message. */
static bool write_file(const char *option, const char *path,
                       void (*write)(FILE *, const struct result *),
                       const struct result *result) {
  struct atomic_file file;
  if (!path || !strcmp(path, "-"))
    return true;
  bool good = atomic_open(&file, path);
  if (good) {
    write(file.to, result);
    good = atomic_close(&file);
  }
  if (!good)
    complain("--%s %s: cannot be written: %s", option, path, strerror(errno));
  return good;
}

static bool write_files(const struct check_options *o,
                        const struct result *result) {
  bool json = write_file("json", o->json, report_as_json, result);
  bool html = write_file("html", o->html, report_as_html, result);
  bool sarif = write_file("sarif", o->sarif, report_as_sarif, result);
  bool junit = write_file("junit", o->junit, report_as_junit, result);
  return json && html && sarif && junit;
}

static void write_text(const struct check_job *check) {
  struct text_style style = {.detail = DETAIL_USUAL,
                             .full = check->options.full};
  if (check->options.quiet)
    style.detail = DETAIL_VERDICT;
  else if (check->options.verbose)
    style.detail = DETAIL_ALL;
  style.color = isatty(1) && !getenv("NO_COLOR");
  report_as_text(stdout, &check->result, style);
  if (isatty(2) && style.detail == DETAIL_USUAL)
    fprintf(stderr, "%.2f s\n", check->result.time);
}

/* Runs when all is cleaned up: if the reader of our output has gone, SIGPIPE
 * ends the command as usual.  If the report could not be written, the check was
 * no success. */
static int report(const struct check_job *check) {
  const char *json = check->options.json;
  int code = exit_code(&check->result);
  signal(SIGPIPE, SIG_DFL);
  if (json && !strcmp(json, "-"))
    report_as_json(stdout, &check->result);
  else
    write_text(check);
  bool good = write_files(&check->options, &check->result);
  if (fflush(stdout) || ferror(stdout)) {
    complain("standard output: %s", strerror(errno));
    good = false;
  }
  return good || code ? code : EXIT_UNCHECKED;
}

/* ---- the command --------------------------------------------------------- */

static bool is_program(const char *path) {
  const char *ending = strrchr(path, '.');
  return ending && (!strcmp(ending, ".c") || !strcmp(ending, ".h") ||
                    !strcmp(ending, ".o") || !strcmp(ending, ".model"));
}

/* Can the file be written?  Better asked now than after an hour of exploring.
 * In `--json a.c b.c` the file for the report is missing. */
static bool can_write(const char *option, const char *path) {
  if (path && !strcmp(path, "-") && strcmp(option, "json")) {
    complain("--%s -: name a file; only --json writes to standard output",
             option);
    return false;
  }
  if (path && is_program(path)) {
    complain("--%s %s: that is a program, not a place for a report", option,
             path);
    return false;
  }
  if (!path || !strcmp(path, "-") || atomic_possible(path))
    return true;
  complain("--%s %s: cannot be written: %s", option, path, strerror(errno));
  return false;
}

static int check_program(struct check_job *check) {
  if (check->resume && check->resume->binary != check->program.hash)
    return complain("%s: the program, or heddle, has changed since this "
                    "checkpoint was written; check it from the start",
                    check->options.checkpoint);
  if (!explore_program(check))
    return EXIT_UNCHECKED;
  evidence_open(&check->evidence, &check->program, &check->options.explore,
                check->options.externals, check->options.externals_length,
                check->directory);
  int code = judge_end(check);
  if (code)
    return code;
  make_result(check);
  bool trusted =
      check->result.errors.size || trust_holds(&check->evidence, &check->run);
  checked_program_folder_remove();
  if (!trusted)
    return complain(
        "the functions that were allowed (%s) keep state between calls: an "
        "execution of the search does something else when it is run again "
        "from the start; what they keep is not undone",
        check->result.trusted);
  return report(check);
}

static int run_check(struct check_job *check) {
  const struct check_options *o = &check->options;
  struct checked_program_words words = words_of(o);
  if (!can_write("json", o->json) || !can_write("error-file", o->error_file) ||
      !can_write("html", o->html) || !can_write("sarif", o->sarif) ||
      !can_write("junit", o->junit) ||
      !can_write("status-file", o->status_file) ||
      !can_write("checkpoint", o->checkpoint))
    return EXIT_UNCHECKED;
  const char *refused = o->checkpoint ? no_checkpoints(o) : 0;
  if (refused)
    return complain("--checkpoint: %s", refused);
  if (o->as_pop && !o->quiet)
    fprintf(stderr, "heddle: optimal is run as pop: the same executions, in a "
                    "form that can be shared and written down\n");
  check->directory = getcwd(0, 0);
  if (!check->directory)
    return complain("the current folder is gone: %s", strerror(errno));
  supervise_signals();
  if (is_model_check(o)) {
    int failed = check_model(o, &check->result);
    return failed ? failed : report(check);
  }
  signal(SIGPIPE, SIG_IGN); /* we have to clean up first */
  int code = checked_program_open(&check->program, &words);
  if (code)
    return code;
  if (o->verbose && check->program.built && !cache_on())
    fprintf(stderr, "heddle: cache: %s\n", cache_describe());
  code = check_program(check);
  checked_program_close(&check->program);
  return code;
}

/* ---- many machines ------------------------------------------------------- */

/* Another rank than 0: builds the program, and explores what it is given. */
static int help_cluster(struct check_job *check) {
  struct checked_program_words words = words_of(&check->options);
  supervise_signals();
  signal(SIGPIPE, SIG_IGN);
  bool built = !checked_program_open(&check->program, &words);
  struct run_request request = make_request(check);
  request.progress = false;
  if (!built)
    request.identity = 0;
  cluster_work(check->cluster, &request);
  if (built)
    checked_program_close(&check->program);
  return EXIT_SAFE;
}

static const char *no_cluster(const struct check_options *o) {
  const struct algorithm *a =
      algorithm_find(o->algorithm, o->explore.as_printed);
  if (is_model_check(o))
    return "a model is explored by one process";
  if (a->states)
    return "the known states of stateful are in memory that processes of one "
           "machine share; use -j there, or --algo pop, dc, source or dpor "
           "with mpirun";
  if (!a->give || a->alone)
    return "this algorithm cannot share its search among ranks; use --algo "
           "pop, dc, source, dpor, naive or samples";
  if (a->waits && o->explore.preemptions != UINT64_MAX)
    return "with --preemptions this algorithm is explored by one process; use "
           "--algo pop";
  if (o->explore.jobs > 1)
    return "start more ranks instead of -j";
  if (o->explore.max_executions != UINT64_MAX)
    return "--max-executions is counted by one process; leave one out";
  return 0;
}

/* With mpirun, a rank's part of the check. */
static int run_rank(struct check_job *check) {
  struct cluster cluster;
  bool failed;
  if (!cluster_expected())
    return run_check(check);
  const char *refused = no_cluster(&check->options);
  if (refused)
    return complain("mpirun: %s", refused);
  if (!cluster_open(&cluster, &failed))
    return EXIT_UNCHECKED;
  check->cluster = &cluster;
  int code = cluster.rank ? help_cluster(check) : run_check(check);
  fflush(stdout);
  if (!cluster.rank)
    cluster_dismiss(&cluster);
  cluster.finish();
  return code;
}

static void free_check(struct check_job *check) {
  evidence_close(&check->evidence);
  result_free(&check->result);
  run_free(&check->run);
  pauses_free(&check->pauses);
  check_options_free(&check->options);
  VEC_FREE(check->plan.head.words);
  free(check->directory);
}

int check_resumed(const struct check_options *o, char **argv,
                  const struct checkpoint *checkpoint) {
  struct check_job check = {.options = *o, .words = argv, .resume = checkpoint};
  int code = run_rank(&check);
  free_check(&check);
  return code;
}

int cmd_check(char **argv) {
  struct check_job check = {.words = argv};
  int code = EXIT_UNCHECKED;
  cluster_hush();
  if (check_options_parse(&check.options, argv))
    code = check.options.help          ? check_help(stdout)
           : is_series(&check.options) ? check_series(&check.options, argv)
                                       : run_rank(&check);
  free_check(&check);
  return code;
}
