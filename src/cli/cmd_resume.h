/* heddle resume: a check that goes on where an earlier one was interrupted. */
#ifndef CLI_CMD_RESUME_H
#define CLI_CMD_RESUME_H

#include "cli/check_options.h"
#include "supervise/checkpoint.h"

/* cmd_check.c: the check with these options, which come from these words. */
int check_resumed(const struct check_options *, char **argv,
                  const struct checkpoint *);

#endif
