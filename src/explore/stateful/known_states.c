#include "explore/stateful/known_states.h"

#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"
#include "util/rng.h"

/* ---- sets -----------------------------------------------------------------
 */

static bool same_live(const struct known_states *k, struct known_set s,
                      const struct state_future *f) {
  if (s.count != f->live.size)
    return false;
  const struct live_bytes *at = &k->live_pool.at[s.first];
  for (uint32_t i = 0; i < s.count; i++)
    if (at[i].granule != f->live.at[i].granule ||
        at[i].bytes != f->live.at[i].bytes)
      return false;
  return true;
}

static uint32_t intern_live(struct known_states *k,
                            const struct state_future *f) {
  uint64_t hash = f->live.size;
  for (size_t i = 0; i < f->live.size; i++)
    hash = rng_mix(hash ^ (f->live.at[i].granule << 8 | f->live.at[i].bytes));
  for (TABLE_EACH(n, &k->by_live, (uint32_t)hash))
    if (same_live(k, k->live_sets.at[n], f))
      return (uint32_t)n;
  table_add(&k->by_live, (uint32_t)hash, k->live_sets.size);
  VEC_PUSH(k->live_sets, (struct known_set){(uint32_t)k->live_pool.size,
                                            (uint32_t)f->live.size});
  for (size_t i = 0; i < f->live.size; i++)
    VEC_PUSH(k->live_pool, f->live.at[i]);
  return (uint32_t)k->live_sets.size - 1;
}

static bool same_carriers(struct carriers a, struct carriers b) {
  return a.processes == b.processes && a.objects == b.objects;
}

static bool same_access(const struct future_access *a,
                        const struct future_access *b) {
  return a->granule == b->granule && a->proc == b->proc &&
         a->bytes == b->bytes && a->mode == b->mode && a->wants == b->wants &&
         a->reordered == b->reordered && a->first == b->first &&
         a->last == b->last && same_carriers(a->carriers, b->carriers) &&
         same_carriers(a->own, b->own);
}

static uint64_t access_hash(uint64_t hash, const struct future_access *a) {
  hash = rng_mix(hash ^ a->granule);
  hash = rng_mix(hash ^ ((uint64_t)a->proc << 40 | (uint64_t)a->bytes << 32 |
                         (uint64_t)a->mode << 24 | a->wants << 16 |
                         a->first << 8 | a->last));
  return rng_mix(hash ^ a->carriers.processes ^
                 (a->carriers.objects << 32 | a->carriers.objects >> 32));
}

static bool same_segment(const struct known_states *k, struct known_set s,
                         const struct future_access *at, size_t count) {
  if (s.count != count)
    return false;
  for (uint32_t i = 0; i < s.count; i++)
    if (!same_access(&k->access_pool.at[s.first + i], &at[i]))
      return false;
  return true;
}

static uint32_t intern_segment(struct known_states *k,
                               const struct future_access *at, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++)
    hash = access_hash(hash, &at[i]);
  for (TABLE_EACH(n, &k->by_segment, (uint32_t)hash))
    if (same_segment(k, k->segments.at[n], at, count))
      return (uint32_t)n;
  table_add(&k->by_segment, (uint32_t)hash, k->segments.size);
  VEC_PUSH(k->segments,
           (struct known_set){(uint32_t)k->access_pool.size, (uint32_t)count});
  for (size_t i = 0; i < count; i++)
    VEC_PUSH(k->access_pool, at[i]);
  return (uint32_t)k->segments.size - 1;
}

/* Leaves the future's accesses as segments in k->list. */
static void intern_segments(struct known_states *k,
                            const struct state_future *f) {
  k->list.size = 0;
  for (size_t i = 0, end; i < f->accesses.size; i = end) {
    const struct future_access *at = &f->accesses.at[i];
    for (end = i + 1;
         end < f->accesses.size && f->accesses.at[end].proc == at->proc; end++)
      ;
    uint32_t segment = intern_segment(k, at, end - i);
    VEC_PUSH(k->list, segment);
  }
}

static bool same_list(const struct known_states *k, struct known_set s) {
  return s.count == k->list.size &&
         (!s.count || !memcmp(&k->segment_pool.at[s.first], k->list.at,
                              s.count * sizeof *k->list.at));
}

static uint32_t intern_accesses(struct known_states *k,
                                const struct state_future *f) {
  intern_segments(k, f);
  uint64_t hash = k->list.size;
  for (size_t i = 0; i < k->list.size; i++)
    hash = rng_mix(hash ^ k->list.at[i]);
  for (TABLE_EACH(n, &k->by_accesses, (uint32_t)hash))
    if (same_list(k, k->access_sets.at[n]))
      return (uint32_t)n;
  table_add(&k->by_accesses, (uint32_t)hash, k->access_sets.size);
  VEC_PUSH(k->access_sets, (struct known_set){(uint32_t)k->segment_pool.size,
                                              (uint32_t)k->list.size});
  for (size_t i = 0; i < k->list.size; i++)
    VEC_PUSH(k->segment_pool, k->list.at[i]);
  return (uint32_t)k->access_sets.size - 1;
}

struct known_future known_intern(struct known_states *k,
                                 const struct state_future *f) {
  return (struct known_future){.live = intern_live(k, f),
                               .accesses = intern_accesses(k, f),
                               .moves = f->moves};
}

/* ---- states ---------------------------------------------------------------
 */

static uint32_t hash_of(struct digest128 d) {
  return (uint32_t)rng_mix(d.word[0]);
}

static uint32_t enter_group(struct known_states *k, struct digest128 local,
                            uint32_t live) {
  for (TABLE_EACH(n, &k->by_local, hash_of(local)))
    if (k->groups.at[n].live == live &&
        digest128_equal(k->groups.at[n].local, local))
      return (uint32_t)n;
  table_add(&k->by_local, hash_of(local), k->groups.size);
  VEC_PUSH(k->groups, (struct known_group){local, live});
  return (uint32_t)k->groups.size - 1;
}

/* The contents of the bytes of a set, with the number of the group. */
static struct digest128 key_of(const struct known_states *k,
                               struct system *system, size_t group) {
  struct known_set set = k->live_sets.at[k->groups.at[group].live];
  struct digest128 sum = k->groups.at[group].local;
  sum.word[0] = rng_mix(sum.word[0] + group);
  sum.word[1] = rng_mix(sum.word[1] + group);
  if (!system->ops->contents) /* all of the state is local */
    return sum;
  for (uint32_t i = 0; i < set.count && !planted(STATE_LIVE); i++) {
    const struct live_bytes *b = &k->live_pool.at[set.first + i];
    digest128_add(&sum, system->ops->contents(system, b->granule, b->bytes));
  }
  return sum;
}

static const struct known_state *state_with(const struct known_states *k,
                                            struct digest128 key) {
  for (TABLE_EACH(n, &k->by_key, hash_of(key)))
    if (digest128_equal(k->states.at[n].key, key))
      return &k->states.at[n];
  return NULL;
}

static void enter_state(struct known_states *k, struct digest128 key,
                        struct known_future future) {
  if (state_with(k, key))
    return;
  table_add(&k->by_key, hash_of(key), k->states.size);
  VEC_PUSH(k->states, (struct known_state){key, future});
}

void known_keep(struct known_states *k, struct system *system,
                struct digest128 local, struct known_future future) {
  uint32_t group = enter_group(k, local, future.live);
  enter_state(k, key_of(k, system, group), future);
}

void known_keep_whole(struct known_states *k, struct digest128 whole,
                      struct known_future future) {
  enter_state(k, whole, future);
}

bool known_find(const struct known_states *k, struct system *system,
                struct digest128 local, struct digest128 whole,
                bool (*good)(void *, struct known_future), void *context) {
  const struct known_state *s = state_with(k, whole);
  if (s && good(context, s->future))
    return true;
  for (TABLE_EACH(n, &k->by_local, hash_of(local))) {
    if (!digest128_equal(k->groups.at[n].local, local))
      continue;
    s = state_with(k, key_of(k, system, n));
    if (s && good(context, s->future))
      return true;
  }
  return false;
}

void known_free(struct known_states *k) {
  VEC_FREE(k->live_pool);
  VEC_FREE(k->live_sets);
  VEC_FREE(k->access_pool);
  VEC_FREE(k->segments);
  VEC_FREE(k->segment_pool);
  VEC_FREE(k->access_sets);
  VEC_FREE(k->list);
  VEC_FREE(k->groups);
  VEC_FREE(k->states);
  table_free(&k->by_live);
  table_free(&k->by_segment);
  table_free(&k->by_accesses);
  table_free(&k->by_local);
  table_free(&k->by_key);
}
