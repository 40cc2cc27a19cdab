/* Numbers on the command line. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The value of option --name; false, with a message printed, if it is no number
 * or less than `least`. */
bool take_number(const char *name, const char *value, uint64_t least,
                 uint64_t *out);

#endif
