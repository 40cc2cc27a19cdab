/* Running the linker. */
#ifndef CC_DRIVER_CC_LINKER_H
#define CC_DRIVER_CC_LINKER_H

#include "cc/driver/cc_tools.h"
#include "host/word_list.h"

/* A link as clang's driver is told of it. */
struct cc_link_command {
  struct word_list words; /* all of them */
  struct word_list files; /* of these, the files of this link only */
  const char *list; /* where the linker lists what it opens; may be NULL */

  /* What was found out while it ran. */
  struct word_list question; /* that clang was asked */
  struct word_list linker;   /* its answer: the command that ran */
  bool quiet; /* the linker ran directly, succeeded and printed nothing */
};

void cc_linker_add_file(struct cc_link_command *, const char *path);

/* Returns the exit code. */
int cc_linker_run(const struct cc_tools *, struct cc_link_command *);

/* Collects what a link prints to standard output; false if it fails. */
bool cc_linker_list(const struct cc_tools *, struct cc_link_command *,
                    char **printed);

#endif
