#include "explore/stateful/known_states.h"

#include <stdlib.h>
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

const uint32_t *known_segments(struct known_states *k, struct known_future f,
                               size_t *count) {
  if (k->listed != f.accesses) {
    k->list.size = 0;
    segment_sets_list(&k->access_sets, f.accesses, &k->list);
    k->listed = f.accesses;
  }
  *count = k->list.size;
  return k->list.at;
}

uint32_t known_intern_accesses(struct known_states *k,
                               const struct state_future *f) {
  return segment_sets_intern(&k->access_sets, &k->segments, f->segments.at,
                             f->segments.size);
}

struct known_future known_intern(struct known_states *k,
                                 const struct state_future *f) {
  return (struct known_future){.live = known_intern_live(k, f),
                               .accesses = known_intern_accesses(k, f),
                               .moves = f->moves};
}

/* ---- states ---------------------------------------------------------------
 */

/* Digests are good hashes. */
static uint32_t hash_of(struct digest128 d) {
  return (uint32_t)(d.word[0] >> 32);
}

static struct digest128 key_at(const struct known_state *s) {
  struct digest128 key;
  memcpy(&key, s->key, sizeof key);
  return key;
}

static uint32_t hash_at(const void *context, size_t number) {
  const struct known_states *k = context;
  return hash_of(key_at(&k->states.at[number]));
}

static uint32_t part_of(struct digest128 local) {
  return (uint32_t)(local.word[1] >> 32);
}

/* The local part, and the contents of the bytes of a set.  Other processes that
 * share the search have other numbers for the same sets, and the same keys. */
struct digest128 known_key_of(const struct known_states *k,
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
                                      const struct compact_table *table,
                                      struct digest128 key) {
  for (COMPACT_EACH(n, table, hash_of(key)))
    if (digest128_equal(key_at(&k->states.at[n]), key))
      return &k->states.at[n];
  return NULL;
}

void known_fetch_key(const struct known_states *k, struct system *system,
                     struct digest128 local, uint32_t live,
                     struct known_key *key) {
  state_groups_fetch(&k->groups, part_of(local));
  key->live = live + 1;
  key->key = known_key_of(k, system, local, live);
  compact_fetch(&k->by_key, hash_of(key->key));
}

void known_fetch_state(const struct known_states *k,
                       const struct known_key *key) {
  if (!key->live)
    return;
  for (COMPACT_EACH(n, &k->by_key, hash_of(key->key))) {
    __builtin_prefetch(&k->states.at[n]);
    return;
  }
}

static struct known_future future_of(const struct known_state *s) {
  return (struct known_future){
      .live = s->live, .moves = s->moves, .accesses = s->accesses};
}

static void enter_state(struct known_states *k, struct known_state s) {
  compact_add(s.whole ? &k->by_whole : &k->by_key, hash_of(key_at(&s)),
              k->states.size, hash_at, k);
  if (!s.whole)
    state_groups_add(&k->groups, s.local, s.live);
  VEC_PUSH(k->states, s);
}

static void enter_new(struct known_states *k, struct digest128 key,
                      uint32_t local, struct known_future future, bool whole) {
  struct known_state s = {.local = local,
                          .live = future.live,
                          .moves = future.moves,
                          .accesses = future.accesses,
                          .whole = whole};
  memcpy(s.key, &key, sizeof key);
  enter_state(k, s);
}

void known_keep(struct known_states *k, struct system *system,
                struct digest128 local, struct known_future future,
                const struct known_key *known, bool is_new) {
  bool has_key = known_key_is(known, future);
  struct digest128 key =
      has_key ? known->key : known_key_of(k, system, local, future.live);
  if (is_new || !state_with(k, &k->by_key, key))
    enter_new(k, key, part_of(local), future, false);
}

void known_keep_whole(struct known_states *k, struct digest128 whole,
                      struct known_future future) {
  if (!state_with(k, &k->by_whole, whole))
    enter_new(k, whole, 0, future, true);
}

struct known_fact known_fact_at(const struct known_states *k, size_t n) {
  const struct known_state *s = &k->states.at[n];
  return (struct known_fact){.key = key_at(s),
                             .local = s->local,
                             .whole = s->whole,
                             .future = future_of(s)};
}

void known_enter(struct known_states *k, const struct known_fact *f) {
  if (!state_with(k, f->whole ? &k->by_whole : &k->by_key, f->key))
    enter_new(k, f->key, f->local, f->future, f->whole);
}

void known_expect(const struct known_states *k, struct digest128 key,
                  uint32_t local) {
  if (k->by_key.capacity)
    __builtin_prefetch(&k->by_key.at[compact_home(&k->by_key, hash_of(key))]);
  if (k->groups.capacity)
    __builtin_prefetch(&k->groups.at[state_groups_home(&k->groups, local)]);
}

/* Is there such a state, with a good future? */
static bool is_good(struct known_state *s,
                    bool (*good)(void *, struct known_future), void *context) {
  if (!s || !good(context, future_of(s)))
    return false;
  s->used = true;
  return true;
}

bool known_find(struct known_states *k, struct system *system,
                struct digest128 local, struct digest128 whole,
                struct known_key *last,
                bool (*good)(void *, struct known_future), void *context) {
  if (is_good(state_with(k, &k->by_whole, whole), good, context))
    return true;
  for (STATE_GROUPS_EACH(live, &k->groups, part_of(local))) {
    if (last->live != live + 1)
      last->key = known_key_of(k, system, local, (uint32_t)live);
    last->live = (uint32_t)live + 1;
    if (is_good(state_with(k, &k->by_key, last->key), good, context))
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

void known_drop_half(struct known_states *k) {
  size_t half = k->states.size / 2, used = count_used(k);
  size_t keep = used < half ? used : half;
  size_t from_used = newest(k, true, keep);
  size_t from_unused = newest(k, false, half - keep);
  size_t count = k->states.size;
  k->states.size = 0;       /* those that stay move to the front */
  compact_free(&k->by_key); /* smaller tables will do, and take less memory */
  compact_free(&k->by_whole);
  state_groups_free(&k->groups);
  for (size_t i = 0; i < count; i++) {
    struct known_state s = k->states.at[i];
    bool stays = i >= (s.used ? from_used : from_unused);
    s.used = false;
    if (stays)
      enter_state(k, s);
  }
}

/* ---- memory ---------------------------------------------------------------
 */

uint64_t known_bytes(const struct known_states *k) {
  return VEC_BYTES(k->live_pool) + VEC_BYTES(k->live_sets) +
         VEC_BYTES(k->live_names) + segments_bytes(&k->segments) +
         segment_sets_bytes(&k->access_sets) + state_groups_bytes(&k->groups) +
         VEC_BYTES(k->states) + table_bytes(&k->by_live) +
         compact_bytes(&k->by_key) + compact_bytes(&k->by_whole) +
         VEC_BYTES(k->names) + VEC_BYTES(k->name_pool) +
         table_bytes(&k->by_name) +
         k->by_change.capacity * sizeof *k->by_change.at;
}

void known_free(struct known_states *k) {
  VEC_FREE(k->live_pool);
  VEC_FREE(k->live_sets);
  VEC_FREE(k->live_names);
  segments_free(&k->segments);
  segment_sets_free(&k->access_sets);
  state_groups_free(&k->groups);
  VEC_FREE(k->states);
  VEC_FREE(k->list);
  VEC_FREE(k->names);
  VEC_FREE(k->name_pool);
  table_free(&k->by_name);
  free(k->by_change.at);
  table_free(&k->by_live);
  compact_free(&k->by_key);
  compact_free(&k->by_whole);
}
