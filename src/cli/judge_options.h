/* The command line of `heddle judge`: a few options of its own, and those of
 * `heddle check`, which go there. */
#ifndef CLI_JUDGE_OPTIONS_H
#define CLI_JUDGE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/check_options.h"
#include "host/word_list.h"

struct judge_options {
  uint64_t runs; /* of each binary */
  uint64_t seconds;
  uint64_t seed;
  bool strict;
  bool sequential;
  bool quiet;
  bool help;
  const char *compiler_list;    /* as given, or NULL */
  struct word_list compilers;   /* "gcc -O2", ... */
  struct word_list check_words; /* for `heddle check` */
  struct check_options check;   /* the same, understood */
};

/* The options of judge_options.def. */
extern const struct setting_list judge_settings;

/* False: a message was printed, exit code 2. */
bool judge_options_parse(struct judge_options *, char **argv);
void judge_options_free(struct judge_options *);

/* Prints the help text; the exit code. */
int judge_help(FILE *);

#endif
