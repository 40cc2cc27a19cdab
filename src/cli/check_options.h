/* The command line of `heddle check`.
 *
 * The options that the exploring process must know are those of
 * core/options.def; those of check_options.def are known here only.  Everything
 * that starts with a single dash is the compiler's. */
#ifndef CLI_CHECK_OPTIONS_H
#define CLI_CHECK_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "core/wire.h"
#include "host/setting.h"
#include "host/word_list.h"
#include "util/vec.h"

/* Why --as-printed proves nothing. */
#define AS_PRINTED_LIMIT                                              \
  "--as-printed: the rules as a paper prints them are known to lose " \
  "executions (docs/algorithms/as-printed.md)"

/* Seconds; see --minimize. */
#define MINIMIZE_DEFAULT "2"

/* The same; see --hunt. */
#define HUNT_DEFAULT "10"

struct check_options {
  struct options explore;
  const char *algorithm;
  const char *json; /* path or "-", NULL: none */
  const char *html; /* paths, NULL: none */
  const char *sarif;
  const char *junit;
  const char *status_file;
  const char *checkpoint;
  uint64_t checkpoint_seconds;
  const char *error_file; /* where the replay file goes, NULL: our choice */
  const char *args_file;  /* a series of checks: see check_series.h */
  const char *yml;
  const char *minimize; /* as given, and in seconds; 0: off */
  uint64_t minimize_seconds;
  const char *hunt; /* the same */
  uint64_t hunt_seconds;
  const char *states; /* as given, or NULL */
  bool take_turns;    /* what follows from it, and from --algo */
  bool as_pop;        /* `optimal` was asked for, and is run as `pop` */
  bool quiet;
  bool verbose;
  bool full;
  bool help;
  struct word_list
      allowed; /* of --allow-external, also as the process gets it: */
  char externals[sizeof((struct control *)0)->externals];
  size_t externals_length;
  VEC(char *) build; /* files and compiler flags, in their order */
  VEC(char *) files; /* only the files */
  char **arguments;  /* the program's, ends with NULL */
};

/* The options of check_options.def. */
extern const struct setting_list check_settings;

/* Fills the options with the defaults, then from the command line (argv[0] is
 * the subcommand).  False: a message was printed, exit code 2. */
bool check_options_parse(struct check_options *, char **argv);
void check_options_free(struct check_options *);

/* Prints the help text; the exit code. */
int check_help(FILE *);

#endif
