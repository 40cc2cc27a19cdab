/* Where clang looks for headers. */
#ifndef CLI_CC_SEARCH_H
#define CLI_CC_SEARCH_H

#include "cli/cc_args.h"
#include "cli/cc_tools.h"

struct cc_search {
  const char *compiler; /* that searches: `clang` may be a script */
  struct words user;    /* -I, -iquote */
  struct words system;  /* -isystem, -idirafter, clang's own */
};

/* False if that cannot be found out. */
bool cc_search_find(const struct cc_arguments *, const struct cc_tools *,
                    struct cc_search *);

/* Did the header come from a folder of the system? */
bool cc_search_is_system(const struct cc_search *, const char *header);

/* Adds the paths at which a header would have been preferred to one of those
 * that were read, or to the absence of one of `wanted`, and at which there is
 * none. */
void cc_search_absent(const struct cc_search *, const struct words *read,
                      const struct words *wanted, struct words *absent);

#endif
