/* heddle replay: an error that was found runs again, alone or under gdb. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/driver/cc_args.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/debugger.h"
#include "cli/help.h"
#include "explore/algorithms.h"
#include "host/complain.h"
#include "supervise/errorfile.h"
#include "supervise/evidence.h"
#include "supervise/checked_program.h"
#include "supervise/supervise.h"
#include "host/version.h"
#include "report/result.h"
#include "util/ensure.h"

struct replay_job {
  const char *path;
  bool gdb;
  bool full;
  bool help;
  char **debugger_arguments; /* ends with NULL */
  struct errorfile file;
  struct checked_program program;
  VEC(uint32_t) keys; /* of the events, if the program has changed */
};

/* ---- the command line ---------------------------------------------------- */

#define SETTINGS_OF struct replay_job

static const struct setting rows[] = {
#include "host/setting_rows.h"
#include "cli/replay_options.def"
};

static const struct setting_list replay_settings = {rows,
                                                    sizeof rows / sizeof *rows};

static int help(FILE *to) {
  fputs("usage: heddle replay FILE\n"
        "       heddle replay --gdb FILE [-- gdb options]\n\n"
        "Runs the schedule in an error file of heddle check again and shows "
        "the error.\n\noptions:\n",
        to);
  help_options(to, &replay_settings);
  fputs("\nexit codes:\n"
        "  1  the error is there again\n"
        "  2  it is not, or the program cannot be run again\n"
        "  with --gdb: that of gdb\n",
        to);
  return fflush(to) ? EXIT_UNCHECKED : EXIT_SAFE;
}

static bool take_word(struct replay_job *replay, struct command_line *line,
                      char *word) {
  const struct option_group own = {&replay_settings, replay};
  if (!strcmp(word, "-h"))
    return replay->help = true;
  if (*word == '-')
    return option_take(line, word, &own, 1);
  if (replay->path) {
    complain("replay: %s: one error file at a time", word);
    return false;
  }
  replay->path = word;
  return true;
}

static bool parse(struct replay_job *replay, char **argv) {
  struct command_line line = {"replay", argv + 1};
  while (*line.at && strcmp(*line.at, "--") && !replay->help)
    if (!take_word(replay, &line, command_line_next(&line)))
      return false;
  replay->debugger_arguments = line.at + (*line.at != NULL);
  if (replay->help)
    return true;
  if (!replay->path)
    complain(
        "replay: no error file given; heddle check names it in its report");
  else if (*replay->debugger_arguments && !replay->gdb)
    complain("replay: %s: options after -- are for gdb; use --gdb",
             *replay->debugger_arguments);
  return replay->path && (replay->gdb || !*replay->debugger_arguments);
}

/* ---- the program --------------------------------------------------------- */

/* Was it built in the way that an algorithm wants which stores states? */
static bool has_dead_cleared(const struct errorfile *file) {
  const struct algorithm *a =
      file->algorithm
          ? algorithm_find(file->algorithm, file->options.as_printed)
          : NULL;
  return a && a->states;
}

/* Builds or finds the program of the error file, with one more option of the
 * compiler unless that is NULL. */
static int build_program(struct replay_job *replay, char *option) {
  struct errorfile *file = &replay->file;
  VEC(char *) build = {0};
  VEC(char *) files = {0};
  for (size_t i = 0; i < file->build.size; i++) {
    VEC_PUSH(build, file->build.at[i].text);
    if (file->build.at[i].is_file)
      VEC_PUSH(files, file->build.at[i].text);
  }
  if (option)
    VEC_PUSH(build, option);
  struct checked_program_words words = {.build = build.at,
                                        .builds = build.size,
                                        .files = files.at,
                                        .file_count = files.size,
                                        .arguments = file->arguments.at,
                                        .clear_dead = has_dead_cleared(file)};
  int code = files.size ? checked_program_open(&replay->program, &words)
                        : complain("%s: the error file names no program",
                                   replay->path);
  VEC_FREE(build);
  VEC_FREE(files);
  return code;
}

/* The program or heddle has changed: the recorded events are followed. */
static int follow_events(struct replay_job *replay) {
  const struct errorfile *file = &replay->file;
  if (!file->events.size)
    return complain("%s: the program or heddle has changed since this error "
                    "was found, and its steps are not known; check it again",
                    replay->path);
  for (size_t i = 0; i < file->events.size; i++)
    VEC_PUSH(replay->keys, file->known.at[file->events.at[i] - 1].key);
  return 0;
}

/* The program of the error file, compared with the one that failed. */
static int open_program(struct replay_job *replay) {
  struct errorfile *file = &replay->file;
  VEC_PUSH(file->arguments, 0);
  if (chdir(file->directory))
    return complain("%s: the folder of the program is gone: %s: %s",
                    replay->path, file->directory, strerror(errno));
  int code = build_program(replay, 0);
  if (!code && replay->program.hash != file->binary)
    code = follow_events(replay);
  return code;
}

/* ---- showing the error --------------------------------------------------- */

/* The finding as heddle check had it.  Offsets take the place of addresses, as
 * of a run whose modules are not known. */
static struct run_finding finding_of(const struct errorfile *file) {
  struct run_finding finding = {
      .file = file->file, .message = file->message, .moves = file->moves.at};
  finding.wire.kind = file->kind;
  finding.wire.line = file->line;
  finding.wire.pc = file->pc;
  finding.wire.other_pc = file->other_pc;
  finding.wire.moves = (uint32_t)file->moves.size;
  return finding;
}

/* Where a program that has changed leaves the recorded path. */
static int tell_departure(const struct replay_job *replay,
                          const struct evidence *e) {
  const struct errorfile *file = &replay->file;
  const struct wire_departed *at = &e->departed_at;
  struct text instead = {0};
  size_t number = 1;
  const struct source_place *place = &e->departed_to;
  for (size_t i = 0; i < at->move && i < file->moves.size; i++)
    number += !(file->moves.at[i].choice & MOVE_LOCAL);
  const char *words = at->move < file->events.size
                          ? file->known.at[file->events.at[at->move] - 1].words
                          : "an end";
  if (at->waits)
    text_print(&instead, "it waits");
  else if (at->pc)
    text_print(&instead, "its next operation is another: %s",
               op_name((enum op)at->op));
  else
    text_print(&instead, "there is no such thread, or it has ended");
  if (place->file)
    text_print(&instead, " in %s (%s:%u)",
               place->function ? place->function : "?", place->file,
               place->line);
  int code = complain("%s: the program has changed since this error was found, "
                      "and leaves the recorded path at step %zu: expected: %s; "
                      "but %s",
                      replay->path, number, words, text_string(&instead));
  VEC_FREE(instead);
  return code;
}

/* The finding as a report has it, from a new run. */
struct replayed {
  struct evidence evidence;
  struct result result;
  enum evidence_found found;
};

static void run_again(const struct replay_job *replay,
                      struct replayed *replayed) {
  const struct errorfile *file = &replay->file;
  struct run nothing = {0};
  struct result_finding shown;
  struct run_finding finding = finding_of(file);
  *replayed = (struct replayed){
      .result = {.verdict = VERDICT_ERROR, .version = HEDDLE_VERSION}};
  evidence_open(&replayed->evidence, &replay->program, &file->options,
                file->externals, file->externals_length, file->directory);
  replayed->evidence.keys = replay->keys.at;
  replayed->found = evidence_collect(&replayed->evidence, &nothing, &finding,
                                     &replayed->result.texts, &shown);
  VEC_PUSH(replayed->result.errors, shown);
}

/* The error is not there again. */
static int tell_difference(const struct replay_job *replay,
                           const struct replayed *replayed) {
  if (replayed->evidence.departed)
    return tell_departure(replay, &replayed->evidence);
  if (replay->keys.size)
    return complain("%s: the program has changed since this error was found; "
                    "the same events lead to no error",
                    replay->path);
  return complain("%s: the error does not occur again: %s", replay->path,
                  replayed->result.errors.at[0].message);
}

/* 0, or the exit code after a message. */
static int judge(const struct replay_job *replay,
                 const struct replayed *replayed) {
  if (replayed->found == EVIDENCE_OTHER)
    return tell_difference(replay, replayed);
  if (replayed->found == EVIDENCE_NONE)
    return complain("%s: the program could not be run again", replay->path);
  if (replay->keys.size)
    printf("The program has changed since this error was found; its events "
           "are the same.\n\n");
  return 0;
}

static int show(const struct replay_job *replay, struct replayed *replayed) {
  struct text_style style = {.detail = DETAIL_USUAL, .replaying = true};
  checked_program_folder_remove();
  style.full = replay->full;
  style.color = isatty(1) && !getenv("NO_COLOR");
  report_as_text(stdout, &replayed->result, style);
  return EXIT_ERROR;
}

/* ---- variables for the debugger ------------------------------------------ */

static bool same_step(const struct result_step *a,
                      const struct result_step *b) {
  return a->proc == b->proc && a->op == b->op && a->place.line == b->place.line;
}

/* Does the program at hand take the same steps? */
static bool takes_same_steps(const struct replay_job *replay,
                             const struct result_finding *shown) {
  const struct errorfile *file = &replay->file;
  struct evidence evidence;
  struct texts texts = {0};
  struct result_finding other;
  evidence_open(&evidence, &replay->program, &file->options, file->externals,
                file->externals_length, file->directory);
  evidence.keys = replay->keys.at;
  bool same = evidence_example(&evidence, file->moves.at,
                               (uint32_t)file->moves.size, &texts, &other) &&
              other.steps.size == shown->steps.size;
  for (size_t i = 0; same && i < other.steps.size; i++)
    same = same_step(&other.steps.at[i], &shown->steps.at[i]);
  result_finding_free(&other);
  evidence_close(&evidence);
  texts_free(&texts);
  return same;
}

/* Builds the program again, with its variables where a debugger finds them.
 * False: there is no program any more. */
static bool keep_variables(struct replay_job *replay,
                           const struct result_finding *shown) {
  if (!replay->program.built)
    return true; /* it is as it was given */
  checked_program_close(&replay->program);
  if (!build_program(replay, CC_KEEP_VARIABLES) &&
      takes_same_steps(replay, shown))
    return true;
  complain("built for a debugger, the program takes other steps: variables in "
           "registers may be shown wrong");
  checked_program_close(&replay->program);
  return !build_program(replay, 0);
}

static int debug(struct replay_job *replay,
                 const struct result_finding *shown) {
  if (!keep_variables(replay, shown))
    return EXIT_UNCHECKED;
  struct debugger_schedule schedule = {&replay->file, replay->keys.at};
  return debugger_run(&replay->program, &schedule, shown,
                      replay->debugger_arguments);
}

/* ---- the command --------------------------------------------------------- */

static int replay_program(struct replay_job *replay) {
  struct replayed replayed;
  run_again(replay, &replayed);
  int code = judge(replay, &replayed);
  if (!code)
    code = replay->gdb ? debug(replay, &replayed.result.errors.at[0])
                       : show(replay, &replayed);
  result_free(&replayed.result);
  evidence_close(&replayed.evidence);
  return code;
}

static int run_replay(struct replay_job *replay) {
  if (!errorfile_read(replay->path, &replay->file))
    return EXIT_UNCHECKED;
  supervise_signals();
  signal(SIGPIPE, SIG_IGN);
  int code = open_program(replay);
  if (!code)
    code = replay_program(replay);
  checked_program_close(&replay->program);
  VEC_FREE(replay->keys);
  errorfile_free(&replay->file);
  return code;
}

int cmd_replay(char **argv) {
  struct replay_job replay = {0};
  if (!parse(&replay, argv))
    return EXIT_UNCHECKED;
  return replay.help ? help(stdout) : run_replay(&replay);
}
