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

uint32_t known_intern_live(struct known_states *k,
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
  VEC_PUSH(k->live_names, hash);
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

uint32_t known_intern_accesses(struct known_states *k,
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
  return (struct known_future){.live = known_intern_live(k, f),
                               .accesses = known_intern_accesses(k, f),
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

static uint32_t add_group(struct known_states *k, struct known_group g) {
  VEC_PUSH(k->groups, g);
  return (uint32_t)k->groups.size - 1;
}

static uint32_t enter_group(struct known_states *k, struct known_group g) {
  for (TABLE_EACH(n, &k->by_local, g.local))
    if (k->groups.at[n].live == g.live && k->groups.at[n].local == g.local)
      return (uint32_t)n;
  table_add(&k->by_local, g.local, k->groups.size);
  return add_group(k, g);
}

/* The local part, and the contents of the bytes of a set.  Other processes that
 * share the search have other numbers for the same sets, and the same keys. */
static struct digest128 key_of(const struct known_states *k,
                               struct system *system, struct digest128 local,
                               uint32_t live) {
  struct known_set set = k->live_sets.at[live];
  uint64_t name = k->live_names.at[live];
  struct digest128 sum = {
      {rng_mix(local.word[0] + name), rng_mix(local.word[1] + name)}};
  if (!system->ops->contents) /* all of the state is local */
    return sum;
  for (uint32_t i = 0; i < set.count && !planted(STATE_LIVE); i++) {
    const struct live_bytes *b = &k->live_pool.at[set.first + i];
    digest128_add(&sum, system->ops->contents(system, b->granule, b->bytes));
  }
  return sum;
}

static struct known_state *state_with(struct known_states *k,
                                      const struct table *table,
                                      struct digest128 key) {
  for (TABLE_EACH(n, table, hash_of(key)))
    if (digest128_equal(k->states.at[n].key, key))
      return &k->states.at[n];
  return NULL;
}

static struct known_future future_of(const struct known_states *k,
                                     const struct known_state *s) {
  return (struct known_future){.live = k->groups.at[s->group].live,
                               .moves = s->moves,
                               .accesses = s->accesses};
}

static void enter_state(struct known_states *k, struct digest128 key,
                        struct known_future future, uint32_t group,
                        bool whole) {
  table_add(whole ? &k->by_whole : &k->by_key, hash_of(key), k->states.size);
  VEC_PUSH(k->states, (struct known_state){.key = key,
                                           .group = group,
                                           .moves = future.moves,
                                           .accesses = future.accesses,
                                           .whole = whole});
}

void known_keep(struct known_states *k, struct system *system,
                struct digest128 local, struct known_future future,
                bool is_new) {
  uint32_t group =
      enter_group(k, (struct known_group){part_of(local), future.live});
  struct digest128 key = key_of(k, system, local, future.live);
  if (is_new || !state_with(k, &k->by_key, key))
    enter_state(k, key, future, group, false);
}

void known_keep_whole(struct known_states *k, struct digest128 whole,
                      struct known_future future) {
  if (state_with(k, &k->by_whole, whole))
    return;
  uint32_t group = add_group(k, (struct known_group){.live = future.live});
  enter_state(k, whole, future, group, true);
}

struct known_fact known_fact_at(const struct known_states *k, size_t n) {
  const struct known_state *s = &k->states.at[n];
  return (struct known_fact){.key = s->key,
                             .local = k->groups.at[s->group].local,
                             .whole = s->whole,
                             .future = future_of(k, s)};
}

void known_enter(struct known_states *k, const struct known_fact *f) {
  const struct table *table = f->whole ? &k->by_whole : &k->by_key;
  struct known_group g = {f->local, f->future.live};
  if (!state_with(k, table, f->key))
    enter_state(k, f->key, f->future,
                f->whole ? add_group(k, g) : enter_group(k, g), f->whole);
}

/* Is there such a state, with a good future? */
static bool is_good(struct known_states *k, struct known_state *s,
                    bool (*good)(void *, struct known_future), void *context) {
  if (!s || !good(context, future_of(k, s)))
    return false;
  s->used = true;
  return true;
}

bool known_find(struct known_states *k, struct system *system,
                struct digest128 local, struct digest128 whole,
                bool (*good)(void *, struct known_future), void *context) {
  if (is_good(k, state_with(k, &k->by_whole, whole), good, context))
    return true;
  for (TABLE_EACH(n, &k->by_local, part_of(local))) {
    struct digest128 key = key_of(k, system, local, k->groups.at[n].live);
    if (is_good(k, state_with(k, &k->by_key, key), good, context))
      return true;
  }
  return false;
}

/* ---- dropping states ------------------------------------------------------
 */

/* Where the newest states begin that were used, or were not: so many. */
static size_t newest(const struct known_states *k, bool used, size_t count) {
  size_t i = k->states.size;
  for (; i; i--)
    if (k->states.at[i - 1].used == used && !count--)
      return i;
  return 0;
}

static size_t count_used(const struct known_states *k) {
  size_t count = 0;
  for (size_t i = 0; i < k->states.size; i++)
    count += k->states.at[i].used;
  return count;
}

static void enter_again(struct known_states *k, struct known_state s,
                        struct known_group g) {
  table_add(s.whole ? &k->by_whole : &k->by_key, hash_of(s.key),
            k->states.size);
  s.group = s.whole ? add_group(k, g) : enter_group(k, g);
  s.used = false;
  VEC_PUSH(k->states, s);
}

void known_drop_half(struct known_states *k) {
  size_t half = k->states.size / 2, used = count_used(k);
  size_t keep = used < half ? used : half;
  size_t from_used = newest(k, true, keep);
  size_t from_unused = newest(k, false, half - keep);
  struct known_states old = *k;
  memset(&k->states, 0, sizeof k->states);
  memset(&k->groups, 0, sizeof k->groups);
  table_clear(&k->by_key);
  table_clear(&k->by_whole);
  table_clear(&k->by_local);
  for (size_t i = 0; i < old.states.size; i++) {
    struct known_state s = old.states.at[i];
    if (i >= (s.used ? from_used : from_unused))
      enter_again(k, s, old.groups.at[s.group]);
  }
  VEC_FREE(old.states);
  VEC_FREE(old.groups);
}

/* ---- memory ---------------------------------------------------------------
 */

uint64_t known_bytes(const struct known_states *k) {
  return VEC_BYTES(k->live_pool) + VEC_BYTES(k->live_sets) +
         VEC_BYTES(k->live_names) +
         segments_bytes(&k->segments) + VEC_BYTES(k->segment_pool) +
         VEC_BYTES(k->access_sets) + VEC_BYTES(k->groups) +
         VEC_BYTES(k->states) + table_bytes(&k->by_live) +
         table_bytes(&k->by_accesses) + table_bytes(&k->by_local) +
         table_bytes(&k->by_key) + table_bytes(&k->by_whole);
}

void known_free(struct known_states *k) {
  VEC_FREE(k->live_pool);
  VEC_FREE(k->live_sets);
  VEC_FREE(k->live_names);
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
