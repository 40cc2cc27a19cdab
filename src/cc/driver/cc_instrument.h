/* Loading the instrumenter. */
#ifndef CC_DRIVER_CC_INSTRUMENT_H
#define CC_DRIVER_CC_INSTRUMENT_H

#include "cc/instrument/instrument.h"

/* Instruments with the instrumenter in that file.  Returns NULL, or what went
 * wrong, on the heap. */
char *cc_instrument(const char *instrumenter, const struct instrument_job *);

#endif
