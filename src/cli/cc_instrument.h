/* Loading the instrumenter. */
#ifndef CLI_CC_INSTRUMENT_H
#define CLI_CC_INSTRUMENT_H

#include "cc/instrument.h"

/* Instruments with the instrumenter in that file.  Returns 0, or 1 with a
 * message printed. */
int cc_instrument(const char *instrumenter, const struct instrument_job *);

#endif
