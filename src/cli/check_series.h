/* Several checks by one command: --args-file and --yml. */
#ifndef CLI_CHECK_SERIES_H
#define CLI_CHECK_SERIES_H

#include "cli/check_options.h"

/* Does the command ask for it? */
bool is_series(const struct check_options *);

/* Runs each check as a command of its own; the exit code.  argv: as given. */
int check_series(const struct check_options *, char **argv);

#endif
