#include "util/table.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/hostile.h"

static void put(struct table *t, struct table_slot slot) {
  size_t i = table_first(t, slot.hash);
  while (t->at[i].number)
    i = table_next(t, i);
  t->at[i] = slot;
}

static void grow(struct table *t) {
  struct table old = *t;
  t->capacity = old.capacity ? 2 * old.capacity : TABLE_FIRST_CAPACITY;
  t->at = calloc(t->capacity, sizeof *t->at);
  if (!t->at)
    out_of_memory();
  for (size_t i = 0; i < old.capacity; i++)
    if (old.at[i].number)
      put(t, old.at[i]);
  free(old.at);
}

void table_add(struct table *t, uint32_t hash, size_t number) {
  ensure(number < UINT32_MAX);
  if (2 * (t->used + 1) > t->capacity)
    grow(t);
  put(t, (struct table_slot){(uint32_t)number + 1, hash});
  t->used++;
}

void table_clear(struct table *t) {
  if (t->used)
    memset(t->at, 0, t->capacity * sizeof *t->at);
  t->used = 0;
}

void table_free(struct table *t) {
  free(t->at);
  *t = (struct table){0};
}
