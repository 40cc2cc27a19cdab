/* The command line of `heddle fuzz`. */
#ifndef CLI_FUZZ_OPTIONS_H
#define CLI_FUZZ_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fuzz/c/c_campaign.h"
#include "fuzz/model/campaign.h"
#include "host/setting.h"
#include "host/word_list.h"

struct fuzz_options {
  uint64_t seconds;
  uint64_t programs;
  uint64_t seed;
  uint64_t index; /* UINT64_MAX: all */
  uint64_t jobs;
  uint64_t failures;
  uint64_t verify;
  uint64_t native; /* 0: none */
  const char *save;
  const char *algorithms; /* A,B,..., or NULL: all */
  const char *profiles;   /* likewise */
  const char *pieces;     /* likewise, of C programs */
  const char *without;    /* or NULL: nothing is left out */
  bool print;
  bool emit;
  bool as_printed;
  bool c; /* random C programs */
  bool help;
  struct word_list files; /* programs to be judged */
};

/* The options of fuzz_options.def. */
extern const struct setting_list fuzz_settings;

/* False: a message was printed, exit code 2. */
bool fuzz_options_parse(struct fuzz_options *, char **argv);

/* What a campaign with models, or with C programs, needs of them.  False: a
 * message was printed, for a name is not known. */
bool fuzz_options_plan(const struct fuzz_options *, struct campaign_plan *);
bool fuzz_options_c_plan(const struct fuzz_options *, struct c_campaign_plan *);

/* Prints the help text; the exit code. */
int fuzz_help(FILE *);

#endif
