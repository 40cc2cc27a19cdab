#include "cli/check_options.h"

#include <string.h>

#include "cli/algorithm_names.h"
#include "cli/command_line.h"
#include "host/complain.h"
#include "host/number.h"
#include "supervise/cluster.h"
#include "supervise/settings.h"

#define SETTINGS_OF struct check_options

static const struct setting rows[] = {
#include "host/setting_rows.h"
#include "cli/check_options.def"
};

const struct setting_list check_settings = {rows, sizeof rows / sizeof *rows};

/* ---- compiler options -----------------------------------------------------
 */

/* Compiler options whose argument may be the next word. */
static const char *const separate[] = {
    "-D",       "-I",           "-L",          "-U",
    "-l",       "-include",     "-imacros",    "-isystem",
    "-iquote",  "-idirafter",   "-x",          "-u",
    "-z",       "-T",           "-target",     "-Xclang",
    "-Xlinker", "-mllvm",       "-isysroot",   "-Xpreprocessor",
    "-iprefix", "-iwithprefix", "-Xassembler", "-iwithprefixbefore",
    NULL,
};

/* Compiler options that leave no program to check. */
static const char *const fruitless[] = {
    "-c", "-S", "-E", "-M", "-MM", "-shared", "-r", "-fsyntax-only", NULL,
};

static bool is_refused(const char *word) {
  if (!word[1])
    complain("-: the program cannot come from standard input; name a file");
  else if (starts_with(word, "-o"))
    complain("%s: heddle check keeps no program; use heddle cc %s", word, word);
  else if (one_of(word, fruitless))
    complain("%s: this makes no program to check; use heddle cc %s", word,
             word);
  else
    return false;
  return true;
}

/* A word that starts with one dash. */
static bool take_compiler_option(struct check_options *o,
                                 struct command_line *line, char *word) {
  if (is_refused(word))
    return false;
  VEC_PUSH(o->build, word);
  if (!one_of(word, separate))
    return true;
  if (!*line->at) {
    complain("%s needs a value", word);
    return false;
  }
  VEC_PUSH(o->build, command_line_next(line));
  return true;
}

/* ---- --allow-external -----------------------------------------------------
 */

/* A C function, or a file that was not compiled by heddle cc: f.o, libz.a. */
static bool is_function_or_file(const char *name) {
  if (*name == '-')
    return false;
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")] == 0;
}

static bool allow(struct check_options *o, const char *name) {
  size_t length = strlen(name) + 1;
  if (!is_function_or_file(name)) {
    complain("--allow-external %s: not the name of a C function, nor of an "
             "object file or library",
             name);
    return false;
  }
  /* One more byte: an empty name ends the list. */
  if (o->externals_length + length + 1 > sizeof o->externals) {
    complain("--allow-external %s: the names have more than %zu bytes together",
             name, sizeof o->externals);
    return false;
  }
  memcpy(o->externals + o->externals_length, name, length);
  o->externals_length += length;
  return true;
}

static bool allow_all(struct check_options *o) {
  for (size_t i = 0; i < o->allowed.size; i++)
    if (!allow(o, o->allowed.at[i]))
      return false;
  return true;
}

/* ---- --minimize, --hunt ---------------------------------------------------
 */

static bool read_seconds(const char *option, const char *text,
                         uint64_t *seconds) {
  *seconds = 0;
  if (!strcmp(text, "off") || parse_number(text, seconds))
    return true;
  complain("--%s %s: not a number of seconds, nor off", option, text);
  return false;
}

/* ---- --states -------------------------------------------------------------
 */

/* Without it: who names an algorithm wants that one. */
static bool read_states(struct check_options *o, bool named) {
  bool on = o->states && !strcmp(o->states, "on");
  o->take_turns = o->states ? on : !named;
  if (!o->states || on || !strcmp(o->states, "off"))
    return true;
  complain("--states %s: neither on nor off", o->states);
  return false;
}

/* ---- the command line -----------------------------------------------------
 */

/* -j N or -jN, as with make. */
static bool take_jobs(struct check_options *o, struct command_line *line,
                      const char *word) {
  const char *number = word + 2;
  if (!*number && *line->at)
    number = command_line_next(line);
  if (parse_number(number, &o->explore.jobs) && o->explore.jobs)
    return true;
  complain("-j %s: not a number of processes", number);
  return false;
}

static bool take_word(struct check_options *o, struct command_line *line,
                      char *word) {
  const struct option_group groups[] = {{&explore_settings, &o->explore},
                                        {&check_settings, o}};
  if (!strcmp(word, "-h"))
    return o->help = true;
  if (starts_with(word, "-j"))
    return take_jobs(o, line, word);
  if (starts_with(word, "--"))
    return option_take(line, word, groups, sizeof groups / sizeof *groups);
  if (*word == '-')
    return take_compiler_option(o, line, word);
  VEC_PUSH(o->build, word);
  VEC_PUSH(o->files, word);
  return true;
}

static bool take_words(struct check_options *o, struct command_line *line) {
  while (*line->at && !o->help) {
    char *word = command_line_next(line);
    if (!strcmp(word, "--")) {
      o->arguments = line->at;
      return true;
    }
    if (!take_word(o, line, word))
      return false;
  }
  return true;
}

/* It explores the executions of `optimal` so that they can be shared and
 * written down. */
static void use_pop(struct check_options *o, const char *usual) {
  bool bounded = o->explore.preemptions != UINT64_MAX;
  if (bounded || strcmp(o->algorithm, "optimal") != 0)
    return;
  o->as_pop = o->algorithm != usual;
  o->algorithm = "pop";
}

bool check_options_parse(struct check_options *o, char **argv) {
  static char *nothing[] = {0};
  struct command_line line = {"check", argv + 1};
  memset(o, 0, sizeof *o);
  explore_settings_default(&o->explore);
  settings_default(&check_settings, o);
  const char *usual = o->algorithm = ALGORITHM_DEFAULT;
  o->minimize = MINIMIZE_DEFAULT;
  o->hunt = HUNT_DEFAULT;
  o->arguments = nothing;
  if (!take_words(o, &line))
    return false;
  if (o->help)
    return true;
  bool named = o->algorithm != usual;
  if (o->explore.jobs > 1 || o->checkpoint || cluster_expected())
    use_pop(o, usual);
  if (!read_seconds("minimize", o->minimize, &o->minimize_seconds) ||
      !read_seconds("hunt", o->hunt, &o->hunt_seconds) ||
      !read_states(o, named) || !allow_all(o) ||
      !algorithm_is_known(o->algorithm, o->explore.as_printed))
    return false;
  if (o->yml)
    return true;
  if (!o->files.size)
    complain("check: no file given; use heddle check FILE.c, "
             "or see heddle check --help");
  return o->files.size > 0;
}

void check_options_free(struct check_options *o) {
  VEC_FREE(o->allowed);
  VEC_FREE(o->build);
  VEC_FREE(o->files);
}
