/* Running the linker. */
#ifndef CLI_CC_LINKER_H
#define CLI_CC_LINKER_H

#include "cli/cc_tools.h"
#include "cli/words.h"

/* A link as clang's driver is told of it. */
struct cc_link_command {
  struct words words; /* all of them */
  struct words files; /* of these, the files of this link only */
  const char *list;   /* where the linker lists what it opens; may be NULL */

  /* What was found out while it ran. */
  struct words question; /* that clang was asked */
  struct words linker;   /* its answer: the command that ran */
  bool quiet; /* the linker ran directly, succeeded and printed nothing */
};

void cc_linker_add_file(struct cc_link_command *, const char *path);

/* Returns the exit code. */
int cc_linker_run(const struct cc_tools *, struct cc_link_command *);

/* Collects what a link prints to standard output; false if it fails. */
bool cc_linker_list(const struct cc_tools *, struct cc_link_command *,
                    char **printed);

#endif
