/* heddle check FILE.model: small abstract programs, explored in this process.
 */
#ifndef CLI_CHECK_MODEL_H
#define CLI_CHECK_MODEL_H

#include <stdbool.h>

#include "cli/check_options.h"
#include "report/result.h"

/* Is this a check of a model? */
bool is_model_check(const struct check_options *);

/* Fills the result.  0, or the exit code after a message. */
int check_model(const struct check_options *, struct result *);

#endif
