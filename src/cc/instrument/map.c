#include "map.h"

#include <stdint.h>

static uint32_t hash(const void *key) {
  return table_hash((uintptr_t)key);
}

static void **find(const struct map *map, const void *key) {
  for (TABLE_EACH(n, &map->by_key, hash(key)))
    if (map->entries.at[n].key == key)
      return &map->entries.at[n].value;
  return NULL;
}

void *map_get(const struct map *map, const void *key) {
  void **place = find(map, key);
  return place ? *place : NULL;
}

void **map_place(struct map *map, const void *key) {
  void **place = find(map, key);
  if (place)
    return place;
  table_add(&map->by_key, hash(key), map->entries.size);
  VEC_PUSH(map->entries, (struct map_entry){key, NULL});
  return &VEC_TOP(map->entries).value;
}

void map_free(struct map *map) {
  table_free(&map->by_key);
  VEC_FREE(map->entries);
}
