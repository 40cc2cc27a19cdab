#include "explore/stateful/segments.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/hostile.h"
#include "util/rng.h"

/* ---- lists of accesses ----------------------------------------------------
 */

static int by_access(const struct future_access *a,
                     const struct future_access *b) {
  if (a->granule != b->granule)
    return a->granule < b->granule ? -1 : 1;
  int x = a->bytes << 16 | a->mode << 8 | a->wants;
  int y = b->bytes << 16 | b->mode << 8 | b->wants;
  return x - y;
}

static void intersect(struct carriers *a, const struct carriers *b) {
  a->processes &= b->processes;
  a->objects &= b->objects;
}

static void unite(struct future_access *a, const struct future_access *b) {
  a->reordered |= b->reordered;
  if (a->first > b->first)
    a->first = b->first;
  if (a->last < b->last)
    a->last = b->last;
  intersect(&a->carriers, &b->carriers);
  a->acquired &= b->acquired;
  a->joined &= b->joined;
}

/* The first element that is not before this one. */
static size_t place_of(const struct access_list *l,
                       const struct future_access *a) {
  size_t low = 0, high = l->list.size;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (by_access(&l->list.at[middle], a) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void accesses_insert(struct access_list *l, const struct future_access *a) {
  size_t n = place_of(l, a);
  if (n < l->list.size && !by_access(&l->list.at[n], a)) {
    unite(&l->list.at[n], a);
    return;
  }
  VEC_PUSH(l->list, *a);
  for (size_t i = l->list.size - 1; i > n; i--)
    l->list.at[i] = l->list.at[i - 1];
  l->list.at[n] = *a;
}

/* ---- segments -------------------------------------------------------------
 */

static uint64_t hash_of(const struct future_access *at, size_t count) {
  uint64_t hash = (uint64_t)count << 32 | at->proc;
  for (size_t i = 0; i < count; i++) {
    const struct future_access *a = &at[i];
    hash = rng_mix(hash ^ a->granule);
    hash = rng_mix(hash ^ ((uint64_t)a->bytes << 32 | (uint64_t)a->mode << 24 |
                           a->wants << 16 | a->first << 8 | a->last));
    hash = rng_mix(hash ^ a->carriers.processes ^
                   (a->carriers.objects << 32 | a->carriers.objects >> 32));
  }
  return hash;
}

/* Accesses have no gaps between their members. */
static bool same(const struct segments *s, const struct access_segment *segment,
                 const struct future_access *at, size_t count) {
  return segment->count == count &&
         !memcmp(&s->pool.at[segment->first], at, count * sizeof *at);
}

static uint32_t enter(struct segments *s, const struct future_access *at,
                      size_t count) {
  struct access_segment added = {.first = (uint32_t)s->pool.size,
                                 .count = (uint32_t)count,
                                 .proc = at->proc};
  for (size_t i = 0; i < count; i++) {
    VEC_PUSH(s->pool, at[i]);
    added.some.processes |= at[i].carriers.processes;
    added.some.objects |= at[i].carriers.objects | at[i].acquired;
  }
  VEC_PUSH(s->list, added);
  return (uint32_t)s->list.size - 1;
}

static uint32_t intern(struct segments *s, const struct future_access *at,
                       size_t count) {
  ensure(count);
  uint32_t hash = (uint32_t)hash_of(at, count);
  for (TABLE_EACH(n, &s->by_contents, hash))
    if (same(s, &s->list.at[n], at, count))
      return (uint32_t)n;
  table_add(&s->by_contents, hash, s->list.size);
  return enter(s, at, count);
}

uint32_t segments_intern(struct segments *s, const struct access_list *l) {
  return intern(s, l->list.at, l->list.size);
}

uint32_t segments_again(struct segments *s, const struct segments *from,
                        uint32_t number) {
  size_t count;
  const struct future_access *at = segment_at(from, number, &count);
  return intern(s, at, count);
}

static void take(const struct segments *s, uint32_t number,
                 struct access_list *l) {
  size_t count;
  const struct future_access *at = segment_at(s, number, &count);
  VEC_SIZED(l->list, count);
  memcpy(l->list.at, at, count * sizeof *at);
}

struct access_list *segments_open(struct segments *s, uint32_t number) {
  s->scratch.list.size = 0;
  if (number != NO_SEGMENT)
    take(s, number, &s->scratch);
  return &s->scratch;
}

/* ---- what is remembered ---------------------------------------------------
 */

/* What was remembered is forgotten. */
static void enlarge(struct recollections *r) {
  r->capacity = r->capacity ? 2 * r->capacity : HOSTILE ? 2 : 64;
  free(r->at);
  r->at = calloc(r->capacity, sizeof *r->at);
  ensure(r->at);
}

void recollection_add(struct recollections *r, uint32_t number,
                      struct digest128 change, uint32_t result,
                      size_t numbers) {
  if (r->capacity < 16 * numbers && r->capacity < 1 << 20)
    enlarge(r);
  struct recollection *m = recollection_slots(r, number, change);
  m[1] = m[0];
  m[0] = (struct recollection){change, number, result + 1};
}

void segments_remember(struct segments *s, uint32_t number,
                       struct digest128 change, uint32_t result) {
  recollection_add(&s->by_change, number, change, result, s->list.size);
}

/* ---- merging --------------------------------------------------------------
 */

/* What is in one of the lists only. */
static void mark_others(struct access_list *l, const struct access_list *in) {
  for (size_t i = 0; i < l->list.size; i++) {
    struct future_access *a = &l->list.at[i];
    size_t n = place_of(in, a);
    if (n == in->list.size || by_access(&in->list.at[n], a))
      a->reordered |= FUTURE_SOMETIMES;
  }
}

static void merge(struct segments *s, uint32_t a, uint32_t b) {
  struct access_list *all = segments_open(s, a);
  take(s, b, &s->more);
  mark_others(&s->more, all);
  mark_others(all, &s->more);
  for (size_t i = 0; i < s->more.list.size; i++)
    accesses_insert(all, &s->more.list.at[i]);
}

uint32_t segments_merge(struct segments *s, uint32_t a, uint32_t b) {
  if (a == b)
    return a;
  uint32_t less = a < b ? a : b, more = a < b ? b : a;
  struct digest128 change = {{more, 1}};
  uint32_t result = segments_recall(s, less, change);
  if (result != NO_SEGMENT)
    return result;
  merge(s, less, more);
  result = segments_intern(s, &s->scratch);
  segments_remember(s, less, change, result);
  return result;
}

/* ---- life -----------------------------------------------------------------
 */

uint64_t segments_bytes(const struct segments *s) {
  return VEC_BYTES(s->pool) + VEC_BYTES(s->list) +
         table_bytes(&s->by_contents) +
         s->by_change.capacity * sizeof *s->by_change.at;
}

void segments_free(struct segments *s) {
  VEC_FREE(s->pool);
  VEC_FREE(s->list);
  table_free(&s->by_contents);
  free(s->by_change.at);
  VEC_FREE(s->scratch.list);
  VEC_FREE(s->more.list);
}
