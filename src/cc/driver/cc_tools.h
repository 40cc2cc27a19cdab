/* The programs and files that `heddle cc` works with. */
#ifndef CC_DRIVER_CC_TOOLS_H
#define CC_DRIVER_CC_TOOLS_H

#include <stdbool.h>

struct cc_tools {
  char *clang;
  char *instrumenter; /* for the same version of LLVM */
  char *library;      /* libheddle.a */
  char *includes;     /* the folder with heddle.h */
};

/* False, with a message printed, if something is missing. */
bool cc_tools_find(struct cc_tools *);

#endif
