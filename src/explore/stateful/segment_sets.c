#include "explore/stateful/segment_sets.h"

#include "util/ensure.h"
#include "util/rng.h"

enum { MOST_PAIRS = (1 << 29) - 2 };

static uint32_t hash_of(struct segment_pair p) {
  return (uint32_t)(rng_mix((uint64_t)p.left << 35 | (uint64_t)p.right << 6 |
                            p.level) >>
                    32);
}

static uint32_t hash_at(const void *context, size_t number) {
  const struct segment_sets *s = context;
  return hash_of(s->pairs.at[number]);
}

/* 1 + the number of the pair. */
static uint32_t intern(struct segment_sets *s, struct segment_pair p) {
  uint32_t hash = hash_of(p);
  for (COMPACT_EACH(n, &s->by_contents, hash)) {
    struct segment_pair known = s->pairs.at[n];
    if (known.left == p.left && known.right == p.right &&
        known.level == p.level)
      return (uint32_t)n + 1;
  }
  ensure(s->pairs.size < MOST_PAIRS);
  compact_add(&s->by_contents, hash, s->pairs.size, hash_at, s);
  VEC_PUSH(s->pairs, p);
  return (uint32_t)s->pairs.size;
}

/* From the parts of one level, those of the next one. */
static void raise_level(struct segment_sets *s, uint32_t level) {
  struct segment_part *at = s->parts.at;
  size_t count = 0;
  for (size_t i = 0; i < s->parts.size; i++) {
    struct segment_pair p = {.level = level};
    uint32_t place = at[i].place / 2;
    if (at[i].place % 2 == 0)
      p.left = at[i++].part;
    if (i < s->parts.size && at[i].place == 2 * place + 1)
      p.right = at[i].part;
    else
      i--;
    bool is_left = !p.right && level > 1;
    at[count++] = (struct segment_part){place, is_left ? p.left : intern(s, p)};
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
  struct segment_pair p = s->pairs.at[set - 1];
  if (p.level == 1) {
    add(list, p.left);
    add(list, p.right);
  } else {
    segment_sets_list(s, p.left, list);
    segment_sets_list(s, p.right, list);
  }
}

uint64_t segment_sets_bytes(const struct segment_sets *s) {
  return VEC_BYTES(s->pairs) + compact_bytes(&s->by_contents);
}

void segment_sets_free(struct segment_sets *s) {
  VEC_FREE(s->pairs);
  compact_free(&s->by_contents);
  VEC_FREE(s->parts);
}
