/* From a source file to an instrumented object. */
#ifndef CC_DRIVER_CC_COMPILE_H
#define CC_DRIVER_CC_COMPILE_H

#include "cc/driver/cc_args.h"
#include "cc/driver/cc_tools.h"

/* What the front end is told besides the user's options. */
void cc_front_options(const struct cc_arguments *, const struct cc_tools *,
                      struct word_list *);

/* Compiles one input that is not CC_LINKED to `output`; `scratch` is a folder
 * for what lies between.  Returns the exit code of the first stage that
 * fails, or 0. */
int cc_compile(const struct cc_arguments *, const struct cc_tools *,
               const struct cc_input *, const char *output,
               const char *scratch);

/* How the dependency file of an input and the target in it are named unless the
 * user names them. */
const char *cc_depend_file(const struct cc_arguments *,
                           const struct cc_input *);
const char *cc_depend_target(const struct cc_arguments *,
                             const struct cc_input *);

/* The name of the input's file without folder and suffix. */
char *cc_stem(const char *path);

#endif
