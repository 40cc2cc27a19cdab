/* Where our own libraries and headers are. */
#ifndef FUZZ_REAL_HOME_H
#define FUZZ_REAL_HOME_H

#include <stdbool.h>

/* Must be asked first; false with a message printed if something is missing. */
bool home_found(void);

/* The folder with heddle.h. */
const char *home_includes(void);
/* lib"name".a, with its path. */
const char *home_library(const char *name);

#endif
