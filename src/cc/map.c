#include "map.h"

#include <stdint.h>
#include <stdlib.h>

#include "util/ensure.h"

enum { FIRST_CAPACITY = 64 };

/* The key's entry, or the free one where it would be. */
static struct map_entry *find(const struct map *map, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(hash >> 32) & (map->capacity - 1);
  while (map->at[i].key && map->at[i].key != key)
    i = (i + 1) & (map->capacity - 1);
  return &map->at[i];
}

static void grow(struct map *map) {
  struct map old = *map;
  map->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  map->at = calloc(map->capacity, sizeof *map->at);
  ensure(map->at); /* out of memory */
  for (size_t i = 0; i < old.capacity; i++)
    if (old.at[i].key)
      *find(map, old.at[i].key) = old.at[i];
  free(old.at);
}

void *map_get(const struct map *map, const void *key) {
  return map->size ? find(map, key)->value : NULL;
}

void **map_place(struct map *map, const void *key) {
  if (2 * map->size >= map->capacity)
    grow(map);
  struct map_entry *entry = find(map, key);
  if (!entry->key) {
    entry->key = key;
    map->size++;
  }
  return &entry->value;
}

void map_free(struct map *map) {
  free(map->at);
  *map = (struct map){0};
}
