/* An object for the link that stands for what the runtime does not know. */
#ifndef CC_DRIVER_CC_STUBS_H
#define CC_DRIVER_CC_STUBS_H

#include "cc/driver/cc_tools.h"
#include "host/word_list.h"

/* Defines each function of `unknown` so that its calls go to heddle_external,
 * and heddle_unseen as the list of the names in `unseen`.  Returns the object's
 * path, or NULL with a message printed. */
char *cc_stubs_make(const struct word_list *unknown,
                    const struct word_list *unseen, const struct cc_tools *,
                    const char *scratch);

#endif
