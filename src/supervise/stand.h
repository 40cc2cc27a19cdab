/* Where the threads stand at the end of a replay. */
#ifndef SUPERVISE_STAND_H
#define SUPERVISE_STAND_H

#include "supervise/naming.h"

/* Fills in, for each thread of the finding: call stack, locks held, what it
 * waits for.  The steps must be there. */
void stand_add(struct scene *, struct result_finding *);

#endif
