/* Starting gdb on a replay.  The script debugger.py, a part of the command,
 * gives gdb commands for it. */
#define _GNU_SOURCE
#include "cli/debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "host/complain.h"
#include "supervise/supervise.h"
#include "util/embed.h"
#include "util/ensure.h"

EMBED(debugger_script, "src/cli/debugger.py");

/* ---- files for gdb ------------------------------------------------------- */

struct gdb_files {
  char *control;
  char *script;
  char *facts;
};

/* A new file in our folder; NULL after a message. */
static FILE *create(const char *name, char **path) {
  const char *folder = checked_program_folder();
  if (!folder)
    return 0;
  ensure(asprintf(path, "%s/%s", folder, name) >= 0);
  FILE *to = fopen(*path, "we");
  if (!to)
    complain("%s: cannot be written: %s", *path, strerror(errno));
  return to;
}

/* The path if all is written; NULL after a message. */
static char *finish(FILE *to, char *path) {
  bool bad = ferror(to);
  if (!fclose(to) && !bad)
    return path;
  complain("%s: cannot be written: %s", path, strerror(errno));
  free(path);
  return 0;
}

/* A real file, since the debugger starts the program on its own. */
static char *write_control(const struct debugger_schedule *schedule) {
  const struct errorfile *file = schedule->file;
  struct control control;
  char *path = 0;
  FILE *to = create("control", &path);
  if (!to)
    return 0;
  supervise_control(&control, WIRE_REPLAY);
  control.messages = -1;
  control.options = file->options;
  control.options.time_limit = UINT64_MAX;
  control.moves = file->moves.size;
  control.kind = file->kind;
  control.by_events = schedule->keys != NULL;
  memcpy(control.externals, file->externals, file->externals_length);
  fwrite(&control, sizeof control, 1, to);
  fwrite(file->moves.at, sizeof(struct move), file->moves.size, to);
  if (schedule->keys)
    fwrite(schedule->keys, sizeof *schedule->keys, file->moves.size, to);
  return finish(to, path);
}

static char *write_script(void) {
  static const struct embedded script = EMBEDDED(debugger_script);
  char *path = 0;
  FILE *to = create("debugger.py", &path);
  if (!to)
    return 0;
  fwrite(script.start, 1, (size_t)(script.end - script.start), to);
  return finish(to, path);
}

static void put_text(FILE *to, const char *text) {
  json_string(to, text ? text : "", text ? strlen(text) : 0);
}

static void put_threads(FILE *to, const struct result_finding *shown) {
  fputs("\"threads\": {", to);
  for (size_t i = 0; i < shown->threads.size; i++) {
    fprintf(to, "%s\"%u\": ", i ? ", " : "", shown->threads.at[i].proc);
    put_text(to, shown->threads.at[i].function);
  }
  fputs("},\n", to);
}

static void put_step(FILE *to, const struct result_finding *shown,
                     const struct result_step *step) {
  struct text words = {0}, place = {0};
  op_text_full(&words, shown, step);
  if (step->place.file)
    text_print(&place, "%s:%u", step->place.file, step->place.line);
  fprintf(to, "[%zu, %u, ", step->number, step->proc);
  json_string(to, words.at, words.size);
  fputs(", ", to);
  json_string(to, place.at, place.size);
  fputc(']', to);
  VEC_FREE(words);
  VEC_FREE(place);
}

/* Both accesses of a data race are places to stop before. */
static void put_stops(FILE *to, const struct result_finding *shown) {
  const char *before = "";
  fputs("\"stops\": [", to);
  if (shown->other_access) {
    fprintf(to, "%zu", shown->other_access - 1);
    before = ", ";
  }
  if (shown->access)
    fprintf(to, "%s%zu", before, shown->access - 1);
  fputs("],\n", to);
}

/* What the script cannot find out. */
static char *write_facts(const struct errorfile *file,
                         const struct result_finding *shown) {
  char *path = 0;
  FILE *to = create("facts", &path);
  if (!to)
    return 0;
  fprintf(to, "{\"kind\": \"%s\", \"thread\": %u,\n\"message\": ",
          finding_name(file->kind), shown->proc);
  struct text text = {0};
  text_print(&text, "%s%s%s", finding_headline(file->kind),
             shown->message ? ": " : "", shown->message ? shown->message : "");
  json_string(to, text.at, text.size);
  VEC_FREE(text);
  fputs(",\n", to);
  put_threads(to, shown);
  put_stops(to, shown);
  fputs("\"steps\": [", to);
  for (size_t i = 0; i < shown->steps.size; i++) {
    fputs(i ? ",\n" : "\n", to);
    put_step(to, shown, &shown->steps.at[i]);
  }
  fputs("]}\n", to);
  return finish(to, path);
}

/* ---- gdb ----------------------------------------------------------------- */

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
static void add_environment(struct gdb_command *command, const char *control,
                            const struct options *options) {
  add_order(command, "unset environment");
  for (char **at = supervise_environment(control, options); *at; at++) {
    size_t name = strcspn(*at, "=");
    add_order(command, texts_format(&command->texts, "set environment %.*s=%s",
                                    (int)name, *at, *at + name + 1));
  }
}

/* The path goes into a Python string. */
static const char *python_string(struct gdb_command *command,
                                 const char *text) {
  char *quoted = 0;
  size_t length = 0;
  FILE *to = open_memstream(&quoted, &length);
  ensure(to);
  json_string(to, text, strlen(text));
  ensure(!fclose(to));
  const char *made = texts_copy(&command->texts, quoted, length);
  free(quoted);
  return made;
}

static void make_command(struct gdb_command *command,
                         const struct checked_program *program,
                         const struct options *options,
                         const struct gdb_files *files, char **arguments) {
  add_word(command, "gdb");
  add_word(command, "-q");
  add_order(command, "set confirm off");
  add_environment(command, files->control, options);
  add_order(command, "set disable-randomization on");
  add_order(command, "set breakpoint pending on");
  add_order(command, texts_format(&command->texts, "source %s", files->script));
  add_order(command, texts_format(&command->texts, "python begin(%s)",
                                  python_string(command, files->facts)));
  add_order(command, "python run()");
  for (char **at = arguments; *at; at++)
    add_word(command, *at);
  add_word(command, "--args");
  add_word(command, program->binary);
  for (char **at = program->argv + 1; *at; at++)
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

static void files_free(struct gdb_files *files) {
  free(files->control);
  free(files->script);
  free(files->facts);
}

int debugger_run(const struct checked_program *program,
                 const struct debugger_schedule *schedule,
                 const struct result_finding *shown, char **arguments) {
  struct gdb_files files = {.control = write_control(schedule),
                            .script = write_script(),
                            .facts = write_facts(schedule->file, shown)};
  int code = EXIT_UNCHECKED;
  if (files.control && files.script && files.facts) {
    struct gdb_command command = {0};
    make_command(&command, program, &schedule->file->options, &files,
                 arguments);
    code = run_debugger(command.words.at);
    VEC_FREE(command.words);
    texts_free(&command.texts);
  }
  files_free(&files);
  return code;
}
