/* Smaller programs that still show something. */
#ifndef FUZZ_MODEL_SHRINK_H
#define FUZZ_MODEL_SHRINK_H

#include "system/model/program.h"

/* Does this program, which is compiled, still show it? */
typedef bool (*shrink_test)(void *context, struct program *);

/* Makes the program smaller as long as the test holds: drops processes,
 * statements and branches, makes numbers smaller and operations simpler.  The
 * result has been through its text form, so a saved copy shows the same. */
void shrink(struct program *, shrink_test, void *context);

#endif
