#include "core/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/rng.h"

/* Lists have names that no write has: there are not that many processes. */
#define LIST (UINT64_C(1) << 63)

static uint32_t *new_buckets(size_t count) {
  uint32_t *buckets = calloc(count, sizeof *buckets);
  ensure(buckets);
  return buckets;
}

void pairs_init(struct pairs *t) {
  *t = (struct pairs){.bucket_count = BUCKETS_FIRST,
                      .list_bucket_count = BUCKETS_FIRST};
  t->buckets = new_buckets(t->bucket_count);
  t->list_buckets = new_buckets(t->list_bucket_count);
  VEC_PUSH(t->list, (struct pair){0});
  VEC_PUSH(t->first, 0);
}

void pairs_free(struct pairs *t) {
  VEC_FREE(t->list);
  VEC_FREE(t->segments);
  VEC_FREE(t->first);
  free(t->buckets);
  free(t->list_buckets);
}

/* ---- pairs ----------------------------------------------------------------
 */

static bool same_pair(const struct pair *a, const struct pair *b) {
  return a->proc == b->proc && a->index == b->index && a->choice == b->choice &&
         a->observed == b->observed;
}

static uint32_t *find_pair(struct pairs *t, const struct pair *p) {
  uint64_t who = ((uint64_t)p->proc << 33) ^ ((uint64_t)p->index << 1);
  uint64_t hash = rng_mix(rng_mix(p->observed) + who + p->choice);
  size_t b = hash & (t->bucket_count - 1);
  while (t->buckets[b] && !same_pair(&t->list.at[t->buckets[b]], p))
    b = (b + 1) & (t->bucket_count - 1);
  return &t->buckets[b];
}

static void enlarge_pairs(struct pairs *t) {
  free(t->buckets);
  t->bucket_count *= 2;
  t->buckets = new_buckets(t->bucket_count);
  for (uint32_t i = 1; i < t->list.size; i++)
    *find_pair(t, &t->list.at[i]) = i;
}

uint32_t pair_number(struct pairs *t, struct pair p) {
  uint32_t *bucket = find_pair(t, &p);
  if (*bucket)
    return *bucket;
  uint32_t number = *bucket = (uint32_t)t->list.size;
  VEC_PUSH(t->list, p);
  if (2 * t->list.size > t->bucket_count)
    enlarge_pairs(t);
  return number;
}

/* ---- lists ----------------------------------------------------------------
 */

static bool same_list(const struct pairs *t, uint32_t number,
                      const struct segment *s, uint32_t count) {
  const uint32_t *first = &t->first.at[number];
  if (first[1] - first[0] != count)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct segment *other = &t->segments.at[first[0] + i];
    if (other->from != s[i].from || other->to != s[i].to ||
        other->write != s[i].write)
      return false;
  }
  return true;
}

static uint32_t *find_list(struct pairs *t, const struct segment *s,
                           uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++)
    hash = rng_mix(hash ^ s[i].from) + rng_mix(s[i].to ^ rng_mix(s[i].write));
  size_t b = rng_mix(hash) & (t->list_bucket_count - 1);
  while (t->list_buckets[b] && !same_list(t, t->list_buckets[b] - 1, s, count))
    b = (b + 1) & (t->list_bucket_count - 1);
  return &t->list_buckets[b];
}

static void enlarge_lists(struct pairs *t) {
  free(t->list_buckets);
  t->list_bucket_count *= 2;
  t->list_buckets = new_buckets(t->list_bucket_count);
  for (uint32_t i = 0; i + 1 < t->first.size; i++) {
    uint32_t from = t->first.at[i], count = t->first.at[i + 1] - from;
    *find_list(t, &t->segments.at[from], count) = i + 1;
  }
}

uint64_t pairs_observed(struct pairs *t, const struct segment *s,
                        uint32_t count) {
  if (count == 1) /* which bytes follows from what came before */
    return s->write;
  uint32_t *bucket = find_list(t, s, count);
  if (*bucket)
    return LIST + *bucket;
  uint32_t number = *bucket = (uint32_t)t->first.size;
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(t->segments, s[i]);
  VEC_PUSH(t->first, (uint32_t)t->segments.size);
  if (2 * t->first.size > t->list_bucket_count)
    enlarge_lists(t);
  return LIST + number;
}
