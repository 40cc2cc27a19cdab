/* Linked programs that are kept. */
#ifndef CC_DRIVER_CC_PROGRAM_H
#define CC_DRIVER_CC_PROGRAM_H

#include <time.h>

#include "cc/driver/cc_args.h"
#include "cc/driver/cc_linker.h"
#include "cc/driver/cc_tools.h"
#include "host/digest.h"

struct cc_program {
  const struct cc_arguments *job;
  const struct cc_tools *tools;
  char *const *objects; /* objects[i] stands for input i */
  const char *output;
  bool keepable;
  struct timespec start;
  struct digest key;
};

/* Finds out whether the program of this link can be kept. */
struct cc_program cc_program_begin(const struct cc_arguments *,
                                   const struct cc_tools *,
                                   char *const objects[]);

/* Writes the program if it is there already; false if it must be linked. */
bool cc_program_reuse(const struct cc_program *);

/* Keeps the program that this command has made, if that is possible. */
void cc_program_keep(const struct cc_program *, const struct cc_link_command *);

#endif
