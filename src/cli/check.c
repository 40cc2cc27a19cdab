/* heddle check: build, explore, report. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/atomic.h"
#include "cli/cache.h"
#include "cli/check_model.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/errorfile.h"
#include "cli/evidence.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/supervise.h"
#include "cli/version.h"
#include "report/result.h"
#include "util/ensure.h"

/* One check, from beginning to end. */
struct check {
  struct check_options options;
  struct program program;
  struct run run;
  struct evidence evidence;
  struct result result;
  char *directory;
};

/* ---- exploring ----------------------------------------------------------- */

static bool explore_program(struct check *check) {
  const struct check_options *o = &check->options;
  struct run_request request = {.binary = check->program.binary,
                                .argv = check->program.argv,
                                .progress = isatty(2) && !o->quiet};
  supervise_control(&request.settings, WIRE_EXPLORE);
  request.settings.options = o->explore;
  ensure(strlen(o->algorithm) < sizeof request.settings.algorithm);
  strcpy(request.settings.algorithm, o->algorithm);
  memcpy(request.settings.externals, o->externals, o->externals_length);
  return supervise(&request, &check->run);
}

/* What it was that ended the exploring process without a word. */
static int explain_death(const struct run *run) {
  int status = run->status;
  if (run->garbled)
    return complain("the exploring process sent something that is no message");
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
static int judge_end(const struct run *run) {
  bool errors = has_errors(run);
  if (run->end == RUN_REFUSED && !errors)
    return complain("%s", run->refused);
  if (run->end == RUN_DIED) {
    int code = explain_death(run);
    return errors && code != EXIT_INTERNAL ? 0 : code;
  }
  return 0;
}

/* ---- error files --------------------------------------------------------- */

static void describe_program(const struct check *check,
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

static void describe_error(const struct check *check,
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
static char *path_for(const struct check *check, const struct errorfile *file) {
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

/* The path of the new error file, or NULL. */
static const char *save_error(struct check *check,
                              const struct run_finding *finding) {
  struct errorfile file = {0};
  const char *kept = 0;
  describe_program(check, &file);
  describe_error(check, finding, &file);
  char *path = path_for(check, &file);
  if (path && errorfile_write(path, &file))
    kept = texts_copy(&check->result.texts, path, strlen(path));
  free(path);
  errorfile_free(&file);
  return kept;
}

/* ---- the result ---------------------------------------------------------- */

static void add_findings(struct check *check) {
  struct result *result = &check->result;
  evidence_open(&check->evidence, &check->program, &check->options.explore,
                check->options.externals, check->options.externals_length,
                check->directory);
  for (size_t i = 0; i < check->run.findings.size; i++) {
    const struct run_finding *finding = &check->run.findings.at[i];
    struct result_finding shown;
    enum evidence_found found = evidence_collect(
        &check->evidence, &check->run, finding, &result->texts, &shown);
    if (finding->wire.warning && found != EVIDENCE_OTHER) {
      VEC_PUSH(result->warnings, shown);
    } else {
      shown.replay = save_error(check, finding);
      VEC_PUSH(result->errors, shown);
    }
  }
}

static void take_outcomes(struct check *check) {
  struct run *run = &check->run;
  for (size_t i = 0; i < run->outcomes.size; i++)
    VEC_PUSH(check->result.outcomes,
             (struct result_outcome){run->outcomes.at[i].output,
                                     run->outcomes.at[i].count});
  run->outcomes.size = 0; /* the bytes are the result's now */
  result_sort_outcomes(&check->result);
}

static const char *why_incomplete(const struct check *check) {
  const struct run *run = &check->run;
  if (run->limit)
    return run->limit;
  if (run->refused)
    return run->refused;
  if (run->end == RUN_DIED)
    return "the exploring process ended unexpectedly";
  if (check->options.explore.as_printed)
    return OPTIONS_AS_PRINTED;
  return 0;
}

static void make_result(struct check *check) {
  const struct run *run = &check->run;
  struct result *result = &check->result;
  const char *limit = why_incomplete(check);
  result->version = HEDDLE_VERSION;
  result->algorithm = check->options.algorithm;
  result->counters = run->counters;
  result->time = run->time;
  result->max_rss = run->max_rss;
  result->complete = run->complete && !limit;
  result->limit = limit ? texts_copy(&result->texts, limit, strlen(limit)) : 0;
  result->outcomes_wanted = check->options.explore.outcomes;
  add_findings(check);
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

static bool write_json(const char *path, const struct result *result) {
  struct atomic_file file;
  bool good = atomic_open(&file, path);
  if (good) {
    json_report(file.to, result);
    good = atomic_close(&file);
  }
  if (!good)
    complain("--json %s: cannot be written: %s", path, strerror(errno));
  return good;
}

static void write_text(const struct check *check) {
  struct text_style style = {.detail = DETAIL_USUAL};
  if (check->options.quiet)
    style.detail = DETAIL_VERDICT;
  else if (check->options.verbose)
    style.detail = DETAIL_ALL;
  style.color = isatty(1) && !getenv("NO_COLOR");
  text_report(stdout, &check->result, style);
  if (isatty(2) && style.detail == DETAIL_USUAL)
    fprintf(stderr, "%.2f s\n", check->result.time);
}

/* Nothing is left to clean when this runs: a reader who goes away early ends
 * us in the usual manner.  A success that nobody could be told is none. */
static int report(const struct check *check) {
  const char *json = check->options.json;
  int code = exit_code(&check->result);
  bool good = true;
  signal(SIGPIPE, SIG_DFL);
  if (json && !strcmp(json, "-"))
    json_report(stdout, &check->result);
  else
    write_text(check);
  if (json && strcmp(json, "-"))
    good = write_json(json, &check->result);
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

/* Better now than after an hour of exploring.  Who writes `--json a.c b.c` has
 * forgotten where the report is to go. */
static bool can_write(const char *option, const char *path) {
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

static int check_program(struct check *check) {
  if (!explore_program(check))
    return EXIT_UNCHECKED;
  int code = judge_end(&check->run);
  if (code)
    return code;
  make_result(check);
  program_folder_remove();
  return report(check);
}

static int run_check(struct check *check) {
  const struct check_options *o = &check->options;
  struct program_words words = {.build = o->build.at,
                                .builds = o->build.size,
                                .files = o->files.at,
                                .file_count = o->files.size,
                                .arguments = o->arguments};
  if (!can_write("json", o->json) || !can_write("error-file", o->error_file))
    return EXIT_UNCHECKED;
  check->directory = getcwd(0, 0);
  if (!check->directory)
    return complain("the current folder is gone: %s", strerror(errno));
  supervise_signals();
  if (is_model_check(o)) {
    int failed = check_model(o, &check->result);
    return failed ? failed : report(check);
  }
  signal(SIGPIPE, SIG_IGN); /* we have to clean up first */
  int code = program_open(&check->program, &words);
  if (code)
    return code;
  if (o->verbose && check->program.built && !cache_on())
    fprintf(stderr, "heddle: cache: %s\n", cache_describe());
  code = check_program(check);
  program_close(&check->program);
  return code;
}

int cmd_check(int argc, char **argv) {
  struct check check = {0};
  int code = EXIT_UNCHECKED;
  bool parsed = options_parse(&check.options, argc, argv);
  if (parsed && check.options.help) {
    options_help(stdout);
    code = fflush(stdout) ? EXIT_UNCHECKED : EXIT_SAFE;
  } else if (parsed) {
    code = run_check(&check);
  }
  evidence_close(&check.evidence);
  result_free(&check.result);
  run_free(&check.run);
  options_free(&check.options);
  free(check.directory);
  return code;
}
