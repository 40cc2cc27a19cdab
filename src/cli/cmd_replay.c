/* heddle replay: an error that was found runs again, alone or under gdb. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/help.h"
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

/* Builds or finds the program of the error file, and compares it with the one
 * that failed. */
static int open_program(struct replay_job *replay) {
  struct errorfile *file = &replay->file;
  VEC(char *) build = {0};
  VEC(char *) files = {0};
  for (size_t i = 0; i < file->build.size; i++) {
    VEC_PUSH(build, file->build.at[i].text);
    if (file->build.at[i].is_file)
      VEC_PUSH(files, file->build.at[i].text);
  }
  VEC_PUSH(file->arguments, 0);
  struct checked_program_words words = {.build = build.at,
                                        .builds = build.size,
                                        .files = files.at,
                                        .file_count = files.size,
                                        .arguments = file->arguments.at};
  int code;
  if (!files.size)
    code = complain("%s: the error file names no program", replay->path);
  else if (chdir(file->directory))
    code = complain("%s: the folder of the program is gone: %s: %s",
                    replay->path, file->directory, strerror(errno));
  else
    code = checked_program_open(&replay->program, &words);
  VEC_FREE(build);
  VEC_FREE(files);
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

static int show(struct replay_job *replay) {
  const struct errorfile *file = &replay->file;
  struct evidence evidence;
  struct run nothing = {0};
  struct result result = {.verdict = VERDICT_ERROR, .version = HEDDLE_VERSION};
  struct result_finding shown;
  struct run_finding finding = finding_of(file);
  evidence_open(&evidence, &replay->program, &file->options, file->externals,
                file->externals_length, file->directory);
  evidence.keys = replay->keys.at;
  enum evidence_found found =
      evidence_collect(&evidence, &nothing, &finding, &result.texts, &shown);
  VEC_PUSH(result.errors, shown);
  checked_program_folder_remove();
  int code = EXIT_ERROR;
  if (found == EVIDENCE_SAME) {
    struct text_style style = {.detail = DETAIL_USUAL, .replaying = true};
    style.full = replay->full;
    style.color = isatty(1) && !getenv("NO_COLOR");
    if (replay->keys.size)
      printf("The program has changed since this error was found; its events "
             "are the same.\n\n");
    report_as_text(stdout, &result, style);
  } else if (evidence.departed) {
    code = tell_departure(replay, &evidence);
  } else if (found == EVIDENCE_OTHER && replay->keys.size) {
    code = complain("%s: the program has changed since this error was found; "
                    "the same events lead to no error",
                    replay->path);
  } else if (found == EVIDENCE_OTHER) {
    code = complain("%s: the error does not occur again: %s", replay->path,
                    shown.message);
  } else {
    code = complain("%s: the program could not be run again", replay->path);
  }
  result_free(&result);
  evidence_close(&evidence);
  return code;
}

/* ---- gdb ----------------------------------------------------------------- */

/* A real file, since the debugger starts the program on its own. */
static char *write_control(const struct replay_job *replay) {
  const struct errorfile *file = &replay->file;
  const char *folder = checked_program_folder();
  struct control control;
  char *path = 0;
  if (!folder)
    return 0;
  supervise_control(&control, WIRE_REPLAY);
  control.messages = -1;
  control.options = file->options;
  control.options.time_limit = UINT64_MAX;
  control.moves = file->moves.size;
  control.kind = file->kind;
  control.by_events = replay->keys.size > 0;
  memcpy(control.externals, file->externals, file->externals_length);
  ensure(asprintf(&path, "%s/control", folder) >= 0);
  FILE *to = fopen(path, "we");
  bool good = to && fwrite(&control, sizeof control, 1, to) == 1 &&
              fwrite(file->moves.at, sizeof(struct move), file->moves.size,
                     to) == file->moves.size &&
              fwrite(replay->keys.at, sizeof *replay->keys.at,
                     replay->keys.size, to) == replay->keys.size;
  if (to)
    good = !fclose(to) && good;
  if (good)
    return path;
  complain("%s: cannot be written: %s", path, strerror(errno));
  free(path);
  return 0;
}

/* gdb's command line: our commands, the user's, then the program. */
struct gdb_command {
  VEC(char *) words;
  struct texts texts;
};

static void add_word(struct gdb_command *command, const char *word) {
  VEC_PUSH(command->words, texts_copy(&command->texts, word, strlen(word)));
}

static void add_order(struct gdb_command *command, const char *order) {
  add_word(command, "-ex");
  add_word(command, order);
}

/* The program must see just the environment that it had. */
static void add_environment(struct gdb_command *command, const char *control) {
  add_order(command, "unset environment");
  for (char **at = supervise_environment(control); *at; at++) {
    size_t name = strcspn(*at, "=");
    add_order(command, texts_format(&command->texts, "set environment %.*s=%s",
                                    (int)name, *at, *at + name + 1));
  }
}

static void make_command(struct gdb_command *command,
                         const struct replay_job *replay, const char *control) {
  add_word(command, "gdb");
  add_word(command, "-q");
  add_order(command, "set confirm off");
  add_environment(command, control);
  add_order(command, "set disable-randomization on");
  add_order(command, "tbreak heddle_replay_begin");
  add_order(command, "run");
  add_order(command, "tbreak main"); /* its start is the first step */
  add_order(command, "continue");
  add_order(command, "echo \\nThe first step of the failing schedule.  From "
                     "here on it goes the way that failed.\\n");
  for (char **at = replay->debugger_arguments; *at; at++)
    add_word(command, *at);
  add_word(command, "--args");
  add_word(command, replay->program.binary);
  for (char **at = replay->program.argv + 1; *at; at++)
    add_word(command, *at);
  VEC_PUSH(command->words, 0);
}

/* gdb has the terminal and the user's Ctrl-C; we only wait. */
static int run_debugger(char **words) {
  fflush(0);
  signal(SIGINT, SIG_IGN);
  pid_t pid = fork();
  if (!pid) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setenv("SHELL", "/bin/sh", 1);
    execvp(words[0], words);
    _exit(127);
  }
  int status;
  if (pid < 0)
    return complain("gdb cannot be started: %s", strerror(errno));
  while (waitpid(pid, &status, 0) < 0) {
    ensure(errno == EINTR);
    if (supervise_interrupted())
      kill(pid, SIGTERM);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return complain("--gdb: gdb is not installed; apt-get install gdb");
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_UNCHECKED;
}

static int debug(struct replay_job *replay) {
  char *control = write_control(replay);
  if (!control)
    return EXIT_UNCHECKED;
  struct gdb_command command = {0};
  make_command(&command, replay, control);
  int code = run_debugger(command.words.at);
  VEC_FREE(command.words);
  texts_free(&command.texts);
  free(control);
  return code;
}

/* ---- the command --------------------------------------------------------- */

static int run_replay(struct replay_job *replay) {
  if (!errorfile_read(replay->path, &replay->file))
    return EXIT_UNCHECKED;
  supervise_signals();
  signal(SIGPIPE, SIG_IGN);
  int code = open_program(replay);
  if (!code)
    code = replay->gdb ? debug(replay) : show(replay);
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
