/* Lists of words as parts of entries of the cache. */
#ifndef CC_DRIVER_PACK_H
#define CC_DRIVER_PACK_H

#include "cc/driver/cache.h"
#include "host/word_list.h"

/* On the heap. */
struct cache_part pack_words(const struct word_list *);
/* The words stay where they are in the part. */
void unpack_words(const struct cache_part *, struct word_list *);

#endif
