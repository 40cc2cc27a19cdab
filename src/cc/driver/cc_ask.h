/* The commands that clang's driver would run. */
#ifndef CC_DRIVER_CC_ASK_H
#define CC_DRIVER_CC_ASK_H

#include "cc/driver/cc_tools.h"
#include "cc/driver/manifest.h"
#include "host/word_list.h"

/* Finds the one command that `clang QUESTION` would run, without running clang
 * if the same was asked before.  The files of `variable` are words of the
 * question; their names make no difference to the answer.  False: not known, or
 * not to be relied on. */
bool cc_ask(const struct cc_tools *, const struct word_list *question,
            const struct word_list *variable, struct word_list *answer);

/* Adds what the driver's choice of this command depends on. */
void cc_ask_depends(const struct word_list *question,
                    const struct word_list *answer, struct manifest *);

#endif
