/* Do the functions that the user allowed keep state between calls? */
#ifndef SUPERVISE_TRUST_H
#define SUPERVISE_TRUST_H

#include "supervise/evidence.h"

/* Runs the samples of the run again, each in a new process.  True: all are the
 * same. */
bool trust_holds(struct evidence *, const struct run *);

#endif
