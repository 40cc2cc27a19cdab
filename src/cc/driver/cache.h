/* A folder of results that can be had again: entries of some parts each, found
 * by a digest.  It knows nothing of compilers.
 *
 * Several processes may use it at once, also of different versions.  An entry
 * can vanish at any time, and a damaged one counts as missing.  The folder
 * stays below a size; the entries that were not used for longest go first.
 */
#ifndef CC_DRIVER_CACHE_H
#define CC_DRIVER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "host/digest.h"

struct cache_part {
  char *at; /* when read: on the heap, with a 0 behind the last byte */
  size_t size;
};

/* Is there one?  $HEDDLE_CACHE_DIR, else below $XDG_CACHE_HOME or ~/.cache. */
bool cache_on(void);
/* For users: the folder, or why there is none. */
const char *cache_describe(void);

/* Finds an entry of so many parts; false if there is none. */
bool cache_get(const struct digest *key, struct cache_part *, size_t count);
/* Keeps one if possible; the user need not know if it is not. */
void cache_put(const struct digest *key, const struct cache_part *,
               size_t count);

#endif
