#include "explore/datacentric/annotation.h"

#include <string.h>

#include "util/ensure.h"
#include "util/rng.h"

/* Lists have names that no write has: there are not that many processes. */
#define LIST (UINT64_C(1) << 63)

void annotation_init(struct annotation_pairs *t) {
  *t = (struct annotation_pairs){0};
  VEC_PUSH(t->list, (struct annotation_pair){0});
  VEC_PUSH(t->first, 0);
}

void annotation_free(struct annotation_pairs *t) {
  VEC_FREE(t->list);
  VEC_FREE(t->segments);
  VEC_FREE(t->first);
  table_free(&t->by_pair);
  table_free(&t->by_segments);
}

/* ---- pairs -------------------------------------------------------------- */

static bool same_pair(const struct annotation_pair *a,
                      const struct annotation_pair *b) {
  return a->proc == b->proc && a->index == b->index && a->choice == b->choice &&
         a->observed == b->observed;
}

static uint32_t pair_hash(const struct annotation_pair *p) {
  uint64_t name = ((uint64_t)p->proc << 33) ^ ((uint64_t)p->index << 1);
  return (uint32_t)rng_mix(rng_mix(p->observed) + name + p->choice);
}

/* The number of the pair, or 0. */
static uint32_t find_pair(const struct annotation_pairs *t,
                          const struct annotation_pair *p, uint32_t hash) {
  for (TABLE_EACH(n, &t->by_pair, hash))
    if (same_pair(&t->list.at[n], p))
      return (uint32_t)n;
  return 0;
}

uint32_t annotation_pair_number(struct annotation_pairs *t,
                                struct annotation_pair p) {
  uint32_t hash = pair_hash(&p), known = find_pair(t, &p, hash);
  if (known)
    return known;
  table_add(&t->by_pair, hash, t->list.size);
  VEC_PUSH(t->list, p);
  return (uint32_t)t->list.size - 1;
}

/* ---- lists -------------------------------------------------------------- */

static bool same_list(const struct annotation_pairs *t, uint32_t number,
                      const struct annotation_segment *s, uint32_t count) {
  const uint32_t *first = &t->first.at[number];
  if (first[1] - first[0] != count)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct annotation_segment *other = &t->segments.at[first[0] + i];
    if (other->from != s[i].from || other->to != s[i].to ||
        other->write != s[i].write)
      return false;
  }
  return true;
}

static uint32_t list_hash(const struct annotation_segment *s, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++)
    hash = rng_mix(hash ^ s[i].from) + rng_mix(s[i].to ^ rng_mix(s[i].write));
  return (uint32_t)rng_mix(hash);
}

/* The number of the list from 1 on, or 0. */
static uint32_t find_list(const struct annotation_pairs *t,
                          const struct annotation_segment *s, uint32_t count,
                          uint32_t hash) {
  for (TABLE_EACH(n, &t->by_segments, hash))
    if (same_list(t, (uint32_t)n, s, count))
      return (uint32_t)n + 1;
  return 0;
}

uint64_t annotation_observed(struct annotation_pairs *t,
                             const struct annotation_segment *s,
                             uint32_t count) {
  if (count == 1) /* the bytes follow from the events before */
    return s->write;
  uint32_t hash = list_hash(s, count), known = find_list(t, s, count, hash);
  if (known)
    return LIST + known;
  table_add(&t->by_segments, hash, t->first.size - 1);
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(t->segments, s[i]);
  VEC_PUSH(t->first, (uint32_t)t->segments.size);
  return LIST + t->first.size - 1;
}

/* ---- other processes ---------------------------------------------------- */

void annotation_pack(struct annotation_pairs *t, struct packed *p,
                     uint32_t *number) {
  struct annotation_pair pair = {0};
  VEC(struct annotation_segment) list = {0};
  if (p->to)
    pair = t->list.at[*number];
  PACKED(p, pair);
  if (p->to && (pair.observed & LIST)) {
    uint32_t n = (uint32_t)(pair.observed - LIST);
    list.at = &t->segments.at[t->first.at[n - 1]];
    list.size = t->first.at[n] - t->first.at[n - 1];
  }
  PACKED_VEC(p, list);
  if (p->to)
    return;
  if (list.size)
    pair.observed = annotation_observed(t, list.at, (uint32_t)list.size);
  *number = annotation_pair_number(t, pair);
  VEC_FREE(list);
}

/* ---- checking ----------------------------------------------------------- */

static void check_list(struct annotation_pairs *t, uint32_t number) {
  uint32_t first = t->first.at[number - 1];
  uint32_t count = t->first.at[number] - first;
  const struct annotation_segment *s = &t->segments.at[first];
  ensure(count > 1 &&
         find_list(t, s, count, list_hash(s, count)) == number); /* A1 */
  for (uint32_t i = 0; i + 1 < count; i++)
    ensure(s[i].from < s[i].to && s[i].to <= s[i + 1].from &&
           (s[i].to < s[i + 1].from || s[i].write != s[i + 1].write)); /* A2 */
}

void annotation_check(struct annotation_pairs *t) {
  for (uint32_t i = 1; i < t->list.size; i++)
    ensure(find_pair(t, &t->list.at[i], pair_hash(&t->list.at[i])) ==
           i); /* A1 */
  for (uint32_t i = 1; i < t->first.size; i++)
    check_list(t, i);
}
