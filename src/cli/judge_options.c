#define _GNU_SOURCE
#include "cli/judge_options.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/help.h"
#include "host/complain.h"
#include "host/process.h"
#include "util/rng.h"

#define SETTINGS_OF struct judge_options

static const struct setting rows[] = {
#include "host/setting_rows.h"
#include "cli/judge_options.def"
};

const struct setting_list judge_settings = {rows, sizeof rows / sizeof *rows};

int judge_help(FILE *to) {
  fputs("usage: heddle judge [options] FILE.c ... [-- program arguments]\n\n"
        "Judges heddle by the machine.  Checks the program, builds it with "
        "ordinary\ncompilers, runs it many times on real threads with random "
        "delays, and demands\nthat all that happens is among what the check "
        "lists: what a run prints,\nfailed assertions, crashes, and runs that "
        "never end.\n\noptions:\n",
        to);
  help_options(to, &judge_settings);
  fputs("Other options and those with a single dash are those of heddle "
        "check.\n\n"
        "exit codes:\n"
        "  0  all that happened is listed\n"
        "  1  something that happened is not listed\n"
        "  2  could not judge\n"
        "  3  the check is incomplete: nothing can be demanded\n",
        to);
  return ferror(to) ? EXIT_UNCHECKED : EXIT_SAFE;
}

/* ---- compilers ------------------------------------------------------------
 */

/* A command without -O stands for two. */
static void add_compiler(struct judge_options *o, const char *command) {
  if (strstr(command, " -O")) {
    word_list_add(&o->compilers, command);
    return;
  }
  word_list_add(&o->compilers, text_format("%s -O0", command));
  if (!o->sequential)
    word_list_add(&o->compilers, text_format("%s -O2", command));
}

static bool exists(const char *command) {
  char *name = text_format("%.*s", (int)strcspn(command, " "), command);
  return process_find(name) != NULL;
}

static bool add_named(struct judge_options *o, const char *list) {
  struct word_list commands = {0};
  word_list_split(&commands, list, ',');
  for (size_t i = 0; i < commands.size; i++) {
    if (!exists(commands.at[i])) {
      complain("judge: --compilers: there is no '%s'", commands.at[i]);
      return false;
    }
    add_compiler(o, commands.at[i]);
  }
  return o->compilers.size > 0;
}

static bool add_usual(struct judge_options *o) {
  static const char *const usual[] = {"gcc", "clang"};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (exists(usual[i]))
      add_compiler(o, usual[i]);
  if (!o->compilers.size)
    complain("judge: there is neither gcc nor clang; use --compilers");
  return o->compilers.size > 0;
}

/* ---- words ----------------------------------------------------------------
 */

/* Takes our own options; the other words are for `heddle check`, and all after
 * "--" is the program's. */
static bool split(struct judge_options *o, char **argv) {
  const struct option_group own = {&judge_settings, o};
  struct command_line line = {"judge", argv + 1};
  while (*line.at && strcmp(*line.at, "--")) {
    char *word = command_line_next(&line);
    if (!starts_with(word, "--") || !option_is_in(&judge_settings, word))
      word_list_add(&o->check_words, word);
    else if (!option_take(&line, word, &own, 1))
      return false;
  }
  while (*line.at)
    word_list_add(&o->check_words, command_line_next(&line));
  return true;
}

static bool only_sources(const struct check_options *check) {
  for (size_t i = 0; i < check->files.size; i++)
    if (!ends_with(check->files.at[i], ".c")) {
      complain("judge: %s: only C files can be built by other compilers, too",
               check->files.at[i]);
      return false;
    }
  return true;
}

static bool parse_check(struct judge_options *o) {
  struct word_list words = {0};
  word_list_add(&words, "check");
  word_list_add_all(&words, &o->check_words);
  if (!check_options_parse(&o->check, word_list_argv(&words)))
    return false;
  if (o->check.json) {
    complain("judge: --json: there is no such report");
    return false;
  }
  if (o->check.explore.merge_stderr) {
    complain("judge: --stderr: of real runs only the standard output is "
             "looked at");
    return false;
  }
  o->help = o->help || o->check.help;
  return o->help || only_sources(&o->check);
}

bool judge_options_parse(struct judge_options *o, char **argv) {
  settings_default(&judge_settings, o);
  o->seed = rng_mix((uint64_t)time(NULL) ^ ((uint64_t)getpid() << 32)) >> 32;
  if (!split(o, argv))
    return false;
  if (o->help)
    return true;
  return parse_check(o) &&
         (o->help ||
          (o->compiler_list ? add_named(o, o->compiler_list) : add_usual(o)));
}

void judge_options_free(struct judge_options *o) {
  check_options_free(&o->check);
}
