/* Lists of words as parts of entries of the cache. */
#ifndef CLI_PACK_H
#define CLI_PACK_H

#include "cli/cache.h"
#include "cli/words.h"

/* On the heap. */
struct cache_part pack_words(const struct words *);
/* The words stay where they are in the part. */
void unpack_words(const struct cache_part *, struct words *);

#endif
