/* Dependency files: rules for make that name what a compilation read. */
#ifndef CC_DRIVER_CC_DEPEND_H
#define CC_DRIVER_CC_DEPEND_H

#include <stdbool.h>

#include "cc/driver/cc_args.h"

/* What the user wants: -MD, -MMD and the options that go with them. */
struct cc_depend {
  bool wanted;
  bool user_only; /* -MMD: no headers of the system */
  bool phony;     /* -MP: a rule without commands for each header */
  bool unusual;   /* an option that only clang obeys */
  const char *file;
  const char *source;
  struct word_list targets; /* as they are to be written */
};

struct cc_depend cc_depend_wanted(const struct cc_arguments *,
                                  const struct cc_input *);

/* The files named in a rule that clang wrote, whose target is CC_DEPEND_TARGET.
 * False if it cannot be read. */
#define CC_DEPEND_TARGET "read"
bool cc_depend_read(const char *path, struct word_list *files);

/* Writes the rule for these files as clang does.  False, with a message
 * printed, if that fails. */
bool cc_depend_write(const struct cc_depend *, const struct word_list *files);

#endif
