#include "explore/stateful/segment_sets.h"

#include "util/ensure.h"
#include "util/rng.h"

enum { NUMBER_BITS = 29, MOST_PAIRS = (1 << NUMBER_BITS) - 2 };

static uint64_t pair_of(uint32_t level, uint32_t left, uint32_t right) {
  return (uint64_t)level << 2 * NUMBER_BITS | (uint64_t)left << NUMBER_BITS |
         right;
}

static uint32_t left_of(uint64_t pair) {
  return (uint32_t)(pair >> NUMBER_BITS) & ((1 << NUMBER_BITS) - 1);
}

static uint32_t right_of(uint64_t pair) {
  return (uint32_t)pair & ((1 << NUMBER_BITS) - 1);
}

static uint32_t hash_of(uint64_t pair) {
  return (uint32_t)(rng_mix(pair) >> 32);
}

static uint32_t hash_at(const void *context, size_t number) {
  const struct segment_sets *s = context;
  return hash_of(s->pairs.at[number]);
}

/* 1 + the number of the pair. */
static uint32_t intern(struct segment_sets *s, uint64_t pair) {
  uint32_t hash = hash_of(pair);
  for (COMPACT_EACH(n, &s->by_contents, hash))
    if (s->pairs.at[n] == pair)
      return (uint32_t)n + 1;
  ensure(s->pairs.size < MOST_PAIRS);
  compact_add(&s->by_contents, hash, s->pairs.size, hash_at, s);
  VEC_PUSH(s->pairs, pair);
  return (uint32_t)s->pairs.size;
}

/* From the parts of one level, those of the next one. */
static void raise_level(struct segment_sets *s, uint32_t level) {
  struct segment_part *at = s->parts.at;
  size_t count = 0;
  for (size_t i = 0; i < s->parts.size;) {
    uint32_t place = at[i].place / 2, left = 0, right = 0;
    if (at[i].place % 2 == 0)
      left = at[i++].part;
    if (i < s->parts.size && at[i].place == 2 * place + 1)
      right = at[i++].part;
    bool is_left = !right && level > 1;
    at[count++] = (struct segment_part){
        place, is_left ? left : intern(s, pair_of(level, left, right))};
  }
  s->parts.size = count;
}

uint32_t segment_sets_intern(struct segment_sets *s,
                             const struct segments *segments,
                             const uint32_t *list, size_t count) {
  s->parts.size = 0;
  for (size_t i = 0; i < count; i++) {
    ensure(list[i] < MOST_PAIRS);
    VEC_PUSH(s->parts, (struct segment_part){segments->list.at[list[i]].proc,
                                             list[i] + 1});
  }
  if (!count)
    return 0;
  uint32_t level = 0;
  do
    raise_level(s, ++level);
  while (s->parts.size > 1 || s->parts.at[0].place);
  return s->parts.at[0].part;
}

static void add(segment_list *list, uint32_t segment) {
  if (segment)
    VEC_PUSH(*list, segment - 1);
}

void segment_sets_list(const struct segment_sets *s, uint32_t set,
                       segment_list *list) {
  if (!set)
    return;
  uint64_t pair = s->pairs.at[set - 1];
  if (pair >> 2 * NUMBER_BITS == 1) {
    add(list, left_of(pair));
    add(list, right_of(pair));
  } else {
    uint32_t right = right_of(pair);
    if (right) /* it may be in no cache */
      __builtin_prefetch(&s->pairs.at[right - 1]);
    segment_sets_list(s, left_of(pair), list);
    segment_sets_list(s, right, list);
  }
}

struct segment_pair segment_sets_split(const struct segment_sets *s,
                                       uint32_t set) {
  uint64_t pair = s->pairs.at[set - 1];
  return (struct segment_pair){(uint32_t)(pair >> 2 * NUMBER_BITS),
                               left_of(pair), right_of(pair)};
}

uint32_t segment_sets_join(struct segment_sets *s, struct segment_pair pair) {
  return intern(s, pair_of(pair.level, pair.left, pair.right));
}

uint64_t segment_sets_bytes(const struct segment_sets *s) {
  return VEC_BYTES(s->pairs) + compact_bytes(&s->by_contents);
}

void segment_sets_free(struct segment_sets *s) {
  VEC_FREE(s->pairs);
  compact_free(&s->by_contents);
  VEC_FREE(s->parts);
}
