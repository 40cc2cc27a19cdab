/* From pointers to pointers: a hash table that only grows. */
#ifndef CC_MAP_H
#define CC_MAP_H

#include <stddef.h>

struct map_entry {
  const void *key; /* NULL: free */
  void *value;
};

struct map {
  struct map_entry *at;
  size_t size;
  size_t capacity; /* a power of two, or 0 */
};

/* What belongs to the key; NULL if it is not there. */
void *map_get(const struct map *, const void *key);

/* Where the key's value is kept, NULL if the key is new.  Valid until the next
 * call. */
void **map_place(struct map *, const void *key);

void map_free(struct map *);

#endif
