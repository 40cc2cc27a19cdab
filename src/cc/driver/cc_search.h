/* Where clang looks for headers. */
#ifndef CC_DRIVER_CC_SEARCH_H
#define CC_DRIVER_CC_SEARCH_H

#include "cc/driver/cc_args.h"
#include "cc/driver/cc_tools.h"

struct cc_search {
  const char *compiler;    /* that searches: `clang` may be a script */
  struct word_list user;   /* -I, -iquote */
  struct word_list system; /* -isystem, -idirafter, clang's own */
};

/* False if that cannot be found out. */
bool cc_search_find(const struct cc_arguments *, const struct cc_tools *,
                    struct cc_search *);

/* Did the header come from a folder of the system? */
bool cc_search_is_system(const struct cc_search *, const char *header);

/* Adds the paths at which a header would have been preferred to one of those
 * that were read, or to the absence of one of `wanted`, and at which there is
 * none. */
void cc_search_absent(const struct cc_search *, const struct word_list *read,
                      const struct word_list *wanted, struct word_list *absent);

#endif
