/* The command line of `heddle check`.
 *
 * The options that the exploring process must know are those of
 * core/options.def; the others are known here only.  Everything that starts
 * with a single dash is the compiler's. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "core/wire.h"
#include "util/vec.h"

/* Why --as-printed proves nothing. */
#define OPTIONS_AS_PRINTED                                            \
  "--as-printed: the rules as a paper prints them are known to lose " \
  "executions (docs/algorithms.md)"

struct check_options {
  struct options explore;
  const char *algorithm;
  const char *json;       /* path or "-", NULL: none */
  const char *error_file; /* where the replay file goes, NULL: our choice */
  bool quiet;
  bool verbose;
  bool help;
  char externals[sizeof((struct control *)0)->externals];
  size_t externals_length;
  VEC(char *) build; /* files and compiler flags, in their order */
  VEC(char *) files; /* only the files */
  char **arguments;  /* the program's, ends with NULL */
};

/* Fills the options with the defaults, then from the command line (argv[0] is
 * the subcommand).  False: a message was printed, exit code 2. */
bool options_parse(struct check_options *, int argc, char **argv);
void options_free(struct check_options *);

/* The help text of `heddle check`. */
void options_help(FILE *);

/* One option of options.def by name; false if there is no such option or the
 * value is not one of its values. */
bool options_set(struct options *, const char *name, const char *value);
void options_default(struct options *);

/* Calls `print` with the name and value of every option of options.def. */
void options_each(const struct options *,
                  void (*print)(void *, const char *name, const char *value),
                  void *);

/* Remembers a name of --allow-external; false if there is no room. */
bool options_allow(struct check_options *, const char *name);

/* Is the algorithm built, perhaps only as printed?  Prints a message if not. */
bool options_algorithm(const char *name, bool as_printed);

#endif
