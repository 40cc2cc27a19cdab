#include "util/compact_table.h"

#include <stdlib.h>

#include "util/ensure.h"
#include "util/hostile.h"

enum { LARGE = 1 << 16 };

size_t compact_larger(size_t capacity) {
  if (!capacity)
    return TABLE_FIRST_CAPACITY;
  return capacity < LARGE ? 4 * capacity : capacity + capacity / 2;
}

static void put(struct compact_table *t, uint32_t hash, uint32_t number) {
  size_t i = compact_home(t, hash);
  while (t->at[i].tag)
    i = compact_next(t, i);
  t->at[i] = (struct compact_slot){number, compact_tag(hash)};
}

/* From a free slot on, so that elements of one hash keep their order. */
static void grow(struct compact_table *t, compact_hash *hash_of,
                 const void *context) {
  struct compact_table old = *t;
  size_t first = 0;
  t->capacity = compact_larger(old.capacity);
  t->at = calloc(t->capacity, sizeof *t->at);
  if (!t->at)
    out_of_memory();
  while (old.used && old.at[first].tag)
    first++;
  for (size_t i = 0, at = first; i < old.capacity; i++) {
    uint32_t number = old.at[at].number;
    if (old.at[at].tag)
      put(t, hash_of(context, number), number);
    at = compact_next(&old, at);
  }
  free(old.at);
}

void compact_add(struct compact_table *t, uint32_t hash, size_t number,
                 compact_hash *hash_of, const void *context) {
  ensure(number < UINT32_MAX);
  if (!compact_has_room(t->capacity, t->used + 1))
    grow(t, hash_of, context);
  put(t, hash, (uint32_t)number);
  t->used++;
}

void compact_free(struct compact_table *t) {
  free(t->at);
  *t = (struct compact_table){0};
}
