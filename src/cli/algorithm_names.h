/* The names of algorithms, for --algo and for help texts. */
#ifndef CLI_ALGORITHM_NAMES_H
#define CLI_ALGORITHM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define ALGORITHM_DEFAULT "optimal"

struct algorithm_name {
  const char *name;
  const char *help;
};

/* All algorithms; and those that exist as a paper prints them. */
extern const struct algorithm_name algorithm_names[];
extern const size_t algorithm_name_count;
extern const struct algorithm_name printed_names[];
extern const size_t printed_name_count;

/* Is there such an algorithm, perhaps only as printed?  Prints a message if
 * not. */
bool algorithm_is_known(const char *name, bool as_printed);

#endif
