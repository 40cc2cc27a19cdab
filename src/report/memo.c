#include "report/memo.h"

#include "util/rng.h"

static uint32_t hash(uint64_t a, uint64_t b) {
  return (uint32_t)rng_mix(a ^ rng_mix(b));
}

void *memo_get(const struct memo *memo, uint64_t a, uint64_t b) {
  for (TABLE_EACH(n, &memo->by_numbers, hash(a, b))) {
    const struct memo_entry *entry = &memo->entries.at[n];
    if (entry->a == a && entry->b == b)
      return entry->answer;
  }
  return NULL;
}

void memo_put(struct memo *memo, uint64_t a, uint64_t b, void *answer) {
  table_add(&memo->by_numbers, hash(a, b), memo->entries.size);
  VEC_PUSH(memo->entries, (struct memo_entry){a, b, answer});
}

void memo_free(struct memo *memo) {
  table_free(&memo->by_numbers);
  VEC_FREE(memo->entries);
}
