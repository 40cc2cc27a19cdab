/* What clang's driver would run. */
#ifndef CLI_CC_ASK_H
#define CLI_CC_ASK_H

#include "cli/cc_tools.h"
#include "cli/manifest.h"
#include "cli/words.h"

/* Finds the one command that `clang QUESTION` would run, without running clang
 * if the same was asked before.  The files of `variable` are words of the
 * question; their names make no difference to the answer.  False: not known, or
 * not to be relied on. */
bool cc_ask(const struct cc_tools *, const struct words *question,
            const struct words *variable, struct words *answer);

/* Adds what the driver's choice of this command depends on. */
void cc_ask_depends(const struct words *question, const struct words *answer,
                    struct manifest *);

#endif
