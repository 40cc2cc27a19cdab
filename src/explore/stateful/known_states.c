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
  if (k->live_sets.size && same_live(k, k->live_sets.at[k->newest_live], f))
    return k->newest_live;
  for (size_t i = 0; i < f->live.size; i++)
    hash = rng_mix(hash ^ (f->live.at[i].granule << 8 | f->live.at[i].bytes));
  for (TABLE_EACH(n, &k->by_live, (uint32_t)hash))
    if (same_live(k, k->live_sets.at[n], f))
      return k->newest_live = (uint32_t)n;
  table_add(&k->by_live, (uint32_t)hash, k->live_sets.size);
  VEC_PUSH(k->live_sets, (struct known_set){(uint32_t)k->live_pool.size,
                                            (uint32_t)f->live.size});
  for (size_t i = 0; i < f->live.size; i++)
    VEC_PUSH(k->live_pool, f->live.at[i]);
  return k->newest_live = (uint32_t)k->live_sets.size - 1;
}

static bool same_list(const struct known_states *k, struct known_set s,
                      const struct state_future *f) {
  return s.count == f->segments.size &&
         (!s.count || !memcmp(&k->segment_pool.at[s.first], f->segments.at,
                              s.count * sizeof *f->segments.at));
}

static uint32_t intern_accesses(struct known_states *k,
                                const struct state_future *f) {
  uint64_t hash = f->segments.size;
  for (size_t i = 0; i < f->segments.size; i++)
    hash = (hash ^ f->segments.at[i]) * 0x9e3779b97f4a7c15u;
  hash = rng_mix(hash);
  for (TABLE_EACH(n, &k->by_accesses, (uint32_t)hash))
    if (same_list(k, k->access_sets.at[n], f))
      return (uint32_t)n;
  table_add(&k->by_accesses, (uint32_t)hash, k->access_sets.size);
  VEC_PUSH(k->access_sets, (struct known_set){(uint32_t)k->segment_pool.size,
                                              (uint32_t)f->segments.size});
  for (size_t i = 0; i < f->segments.size; i++)
    VEC_PUSH(k->segment_pool, f->segments.at[i]);
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

static uint32_t part_of(struct digest128 local) {
  return (uint32_t)(local.word[1] >> 32);
}

static void enter_group(struct known_states *k, struct digest128 local,
                        uint32_t live) {
  struct known_group wanted = {part_of(local), live};
  for (TABLE_EACH(n, &k->by_local, hash_of(local)))
    if (k->groups.at[n].live == live && k->groups.at[n].local == wanted.local)
      return;
  table_add(&k->by_local, hash_of(local), k->groups.size);
  VEC_PUSH(k->groups, wanted);
}

/* The local part, and the contents of the bytes of a set. */
static struct digest128 key_of(const struct known_states *k,
                               struct system *system, struct digest128 local,
                               uint32_t live) {
  struct known_set set = k->live_sets.at[live];
  struct digest128 sum = {
      {rng_mix(local.word[0] + live), rng_mix(local.word[1] + live)}};
  if (!system->ops->contents) /* all of the state is local */
    return sum;
  for (uint32_t i = 0; i < set.count && !planted(STATE_LIVE); i++) {
    const struct live_bytes *b = &k->live_pool.at[set.first + i];
    digest128_add(&sum, system->ops->contents(system, b->granule, b->bytes));
  }
  return sum;
}

static const struct known_state *state_with(const struct known_states *k,
                                            const struct table *table,
                                            struct digest128 key) {
  for (TABLE_EACH(n, table, hash_of(key)))
    if (digest128_equal(k->states.at[n].key, key))
      return &k->states.at[n];
  return NULL;
}

static void enter_state(struct known_states *k, struct table *table,
                        struct digest128 key, struct known_future future) {
  table_add(table, hash_of(key), k->states.size);
  VEC_PUSH(k->states, (struct known_state){key, future});
}

void known_keep(struct known_states *k, struct system *system,
                struct digest128 local, struct known_future future,
                bool is_new) {
  enter_group(k, local, future.live);
  struct digest128 key = key_of(k, system, local, future.live);
  if (is_new || !state_with(k, &k->by_key, key))
    enter_state(k, &k->by_key, key, future);
}

void known_keep_whole(struct known_states *k, struct digest128 whole,
                      struct known_future future) {
  if (!state_with(k, &k->by_whole, whole))
    enter_state(k, &k->by_whole, whole, future);
}

bool known_find(const struct known_states *k, struct system *system,
                struct digest128 local, struct digest128 whole,
                bool (*good)(void *, struct known_future), void *context) {
  const struct known_state *s = state_with(k, &k->by_whole, whole);
  if (s && good(context, s->future))
    return true;
  for (TABLE_EACH(n, &k->by_local, hash_of(local))) {
    if (k->groups.at[n].local != part_of(local))
      continue;
    s = state_with(k, &k->by_key,
                   key_of(k, system, local, k->groups.at[n].live));
    if (s && good(context, s->future))
      return true;
  }
  return false;
}

/* ---- memory ---------------------------------------------------------------
 */

uint64_t known_bytes(const struct known_states *k) {
  return VEC_BYTES(k->live_pool) + VEC_BYTES(k->live_sets) +
         segments_bytes(&k->segments) + VEC_BYTES(k->segment_pool) +
         VEC_BYTES(k->access_sets) + VEC_BYTES(k->groups) +
         VEC_BYTES(k->states) + table_bytes(&k->by_live) +
         table_bytes(&k->by_accesses) + table_bytes(&k->by_local) +
         table_bytes(&k->by_key) + table_bytes(&k->by_whole);
}

void known_free(struct known_states *k) {
  VEC_FREE(k->live_pool);
  VEC_FREE(k->live_sets);
  segments_free(&k->segments);
  VEC_FREE(k->segment_pool);
  VEC_FREE(k->access_sets);
  VEC_FREE(k->groups);
  VEC_FREE(k->states);
  table_free(&k->by_live);
  table_free(&k->by_accesses);
  table_free(&k->by_local);
  table_free(&k->by_key);
  table_free(&k->by_whole);
}
