/* Compilations whose result is kept. */
#ifndef CC_DRIVER_CC_CACHE_H
#define CC_DRIVER_CC_CACHE_H

#include "cc/driver/cc_args.h"
#include "cc/driver/cc_tools.h"

/* As cc_compile, but without compiling if the same was done before. */
int cc_cache_compile(const struct cc_arguments *, const struct cc_tools *,
                     const struct cc_input *, const char *output,
                     const char *scratch);

#endif
