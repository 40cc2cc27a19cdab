/* "Did you mean ...?": the name that is most like a misspelt one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

struct suggestion {
  const char *wanted;
  const char *best; /* NULL: nothing is like it */
  size_t distance;
};

struct suggestion suggestion_for(const char *wanted);
void suggest(struct suggestion *, const char *candidate);

#endif
