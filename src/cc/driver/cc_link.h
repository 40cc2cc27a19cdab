/* Linking: the program, the runtime, and stubs for unknown functions. */
#ifndef CC_DRIVER_CC_LINK_H
#define CC_DRIVER_CC_LINK_H

#include "cc/driver/cc_args.h"
#include "cc/driver/cc_tools.h"

/* objects[i] is the file that stands for input i.  Returns the linker's exit
 * code. */
int cc_link(const struct cc_arguments *, const struct cc_tools *,
            char *const objects[], const char *scratch);

#endif
