/* From pointers to pointers. */
#ifndef CC_INSTRUMENT_MAP_H
#define CC_INSTRUMENT_MAP_H

#include <stddef.h>

#include "util/table.h"
#include "util/vec.h"

struct map_entry {
  const void *key;
  void *value;
};

/* All zero is an empty map. */
struct map {
  VEC(struct map_entry) entries;
  struct table by_key;
};

/* The key's value; NULL if it is not there. */
void *map_get(const struct map *, const void *key);

/* Where the key's value is kept, NULL if the key is new.  Valid until the next
 * call. */
void **map_place(struct map *, const void *key);

void map_free(struct map *);

#endif
