#include "report/memo.h"

#include <stdlib.h>

#include "util/ensure.h"

/* The slot of the key, or the free one where it belongs. */
static struct memo_slot *slot(const struct memo *memo, uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  size_t i = (hash ^ hash >> 32) & (memo->capacity - 1);
  while (memo->at[i].answer && (memo->at[i].a != a || memo->at[i].b != b))
    i = (i + 1) & (memo->capacity - 1);
  return &memo->at[i];
}

void *memo_get(const struct memo *memo, uint64_t a, uint64_t b) {
  return memo->capacity ? slot(memo, a, b)->answer : 0;
}

static void grow(struct memo *memo) {
  struct memo old = *memo;
  memo->capacity = old.capacity ? 2 * old.capacity : 2;
  memo->at = calloc(memo->capacity, sizeof *memo->at);
  ensure(memo->at); /* out of memory */
  for (size_t i = 0; i < old.capacity; i++)
    if (old.at[i].answer)
      *slot(memo, old.at[i].a, old.at[i].b) = old.at[i];
  free(old.at);
}

void memo_put(struct memo *memo, uint64_t a, uint64_t b, void *answer) {
  ensure(answer);
  if (4 * (memo->size + 1) > 3 * memo->capacity)
    grow(memo);
  struct memo_slot *place = slot(memo, a, b);
  if (!place->answer)
    memo->size++;
  *place = (struct memo_slot){a, b, answer};
}

void memo_free(struct memo *memo) {
  free(memo->at);
  *memo = (struct memo){0};
}
