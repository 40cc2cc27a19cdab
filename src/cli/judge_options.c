#define _GNU_SOURCE
#include "cli/judge_options.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/complain.h"
#include "cli/number.h"
#include "cli/process.h"
#include "util/rng.h"

static const char usage[] =
    "usage: heddle judge [options] FILE.c ... [-- program arguments]\n"
    "\n"
    "Judges heddle by the machine.  Checks the program, builds it with "
    "ordinary\n"
    "compilers, runs it many times on real threads with random delays, and "
    "demands\n"
    "that all that happens is among what the check lists: what a run prints,\n"
    "failed assertions, crashes, and runs that never end.\n"
    "\n"
    "options:\n"
    "  --runs N         runs of each binary (default 100)\n"
    "  --seconds N      time for all runs (default 60)\n"
    "  --seed N         of the delays (default: another one each time)\n"
    "  --compilers A,B,...   commands with options, as 'gcc -O2,clang -m32'; "
    "without\n"
    "                   -O with -O0 and with -O2 (default: gcc,clang)\n"
    "  --sequential     only -O0, and all threads on one processor: there the\n"
    "                   machine is sequentially consistent, too\n"
    "  --strict         demand it also of programs whose behaviour is "
    "undefined\n"
    "                   (data races, wrong use of memory) and of atomic "
    "blocks\n"
    "  --quiet          only the first line\n"
    "Other options and those with a single dash are those of heddle check.\n"
    "\n"
    "Exit code: 0 all that happened is listed, 1 something is not, 2 could "
    "not\n"
    "judge, 3 the check is incomplete: nothing can be demanded.\n";

int judge_help(FILE *to) {
  return fputs(usage, to) < 0 ? EXIT_UNCHECKED : EXIT_SAFE;
}

/* ---- compilers ------------------------------------------------------------
 */

/* A command without -O stands for two. */
static void add_compiler(struct judge_options *o, const char *command) {
  if (strstr(command, " -O")) {
    words_add(&o->compilers, command);
    return;
  }
  words_add(&o->compilers, text("%s -O0", command));
  if (!o->sequential)
    words_add(&o->compilers, text("%s -O2", command));
}

static bool exists(const char *command) {
  char *name = text("%.*s", (int)strcspn(command, " "), command);
  return process_find(name) != NULL;
}

static bool add_named(struct judge_options *o, const char *list) {
  struct words commands = {0};
  words_split(&commands, list, ',');
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

static bool *flag_named(struct judge_options *o, const char *name) {
  if (!strcmp(name, "strict"))
    return &o->strict;
  if (!strcmp(name, "sequential"))
    return &o->sequential;
  if (!strcmp(name, "quiet"))
    return &o->quiet;
  return !strcmp(name, "help") ? &o->help : NULL;
}

static uint64_t *number_named(struct judge_options *o, const char *name) {
  if (!strcmp(name, "runs"))
    return &o->runs;
  if (!strcmp(name, "seconds"))
    return &o->seconds;
  return !strcmp(name, "seed") ? &o->seed : NULL;
}

struct parser {
  struct judge_options *options;
  const char *compilers;
  char **at; /* the next word */
};

/* The words of one option of ours; 0 if it is none, -1 after a message. */
static int own_option(struct parser *p) {
  const char *word = p->at[0];
  if (!starts_with(word, "--"))
    return 0;
  const char *equals = strchr(word, '=');
  char *name = text("%.*s", (int)strcspn(word + 2, "="), word + 2);
  bool *flag = flag_named(p->options, name);
  uint64_t *number = number_named(p->options, name);
  bool compilers = !strcmp(name, "compilers");
  if (flag && !equals) {
    *flag = true;
    return 1;
  }
  if (!number && !compilers)
    return 0;
  const char *value = equals ? equals + 1 : p->at[1];
  if (!value) {
    complain("judge: --%s needs a value", name);
    return -1;
  }
  if (compilers)
    p->compilers = value;
  else if (!take_number(name, value, number != &p->options->seed, number))
    return -1;
  return equals ? 1 : 2;
}

/* The others are for `heddle check`, and all after "--" is the program's. */
static bool split(struct parser *p) {
  struct words *rest = &p->options->check_words;
  while (*p->at && strcmp(*p->at, "--")) {
    int own = own_option(p);
    if (own < 0)
      return false;
    if (!own)
      words_add(rest, *p->at);
    p->at += own ? own : 1;
  }
  for (; *p->at; p->at++)
    words_add(rest, *p->at);
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
  struct words words = {0};
  words_add(&words, "check");
  words_add_all(&words, &o->check_words);
  if (!options_parse(&o->check, (int)words.size, words_argv(&words)))
    return false;
  if (o->check.json) {
    complain("judge: --json: there is no such report");
    return false;
  }
  o->help = o->help || o->check.help;
  return o->help || only_sources(&o->check);
}

bool judge_options_parse(struct judge_options *o, int argc, char **argv) {
  struct parser parser = {.options = o, .at = argv + 1};
  (void)argc; /* argv ends with NULL */
  o->runs = 100;
  o->seconds = 60;
  o->seed = rng_mix((uint64_t)time(NULL) ^ ((uint64_t)getpid() << 32)) >> 32;
  if (!split(&parser))
    return false;
  if (o->help)
    return true;
  return parse_check(o) &&
         (o->help ||
          (parser.compilers ? add_named(o, parser.compilers) : add_usual(o)));
}

void judge_options_free(struct judge_options *o) {
  options_free(&o->check);
}
