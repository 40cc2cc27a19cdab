/* Under gdb: what the debugger is told of an error, and how it is started. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include "report/result.h"
#include "supervise/checked_program.h"
#include "supervise/errorfile.h"

struct debugger_schedule {
  const struct errorfile *file;
  const uint32_t *keys; /* of the events to follow, or NULL: the program is the
                           one that failed */
};

/* Runs gdb on the program with the schedule; `shown` is the
 * error as a report has it.  The exit code is gdb's. */
int debugger_run(const struct checked_program *,
                 const struct debugger_schedule *,
                 const struct result_finding *shown, char **arguments);

#endif
