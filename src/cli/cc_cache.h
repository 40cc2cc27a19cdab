/* Compilations whose result is kept. */
#ifndef CLI_CC_CACHE_H
#define CLI_CC_CACHE_H

#include "cli/cc_args.h"
#include "cli/cc_tools.h"

/* As cc_compile, but without compiling if the same was done before. */
int cc_cache_compile(const struct cc_arguments *, const struct cc_tools *,
                     const struct cc_input *, const char *output,
                     const char *scratch);

#endif
