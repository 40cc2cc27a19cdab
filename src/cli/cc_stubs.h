/* An object for the link that stands for what the runtime does not know. */
#ifndef CLI_CC_STUBS_H
#define CLI_CC_STUBS_H

#include "cli/cc_tools.h"
#include "cli/words.h"

/* Defines each function of `unknown` so that its calls go to heddle_external,
 * and heddle_unseen as the list of the names in `unseen`.  Returns the object's
 * path, or NULL with a message printed. */
char *cc_stubs_make(const struct words *unknown, const struct words *unseen,
                    const struct cc_tools *, const char *scratch);

#endif
