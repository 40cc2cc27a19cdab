/* The same program as a model and as C: both must say the same. */
#ifndef CLI_FUZZ_NATIVE_H
#define CLI_FUZZ_NATIVE_H

#include "run/local_fuzz.h"

/* A fuzz_plan's `native_check`. */
enum compared native_check(const struct fuzz_plan *, struct comparison *,
                           const struct program *);

#endif
