#include "explore/stateful/named_futures.h"

#include <string.h>

#include "util/ensure.h"
#include "util/hostile.h"
#include "util/rng.h"

/* A name takes half a kilobyte, with all that is remembered of it. */
enum { MOST_NAMES = HOSTILE ? 64 : 1 << 12, NAME_BYTES = 512 };

void named_allow(struct known_states *k, uint64_t budget) {
  uint64_t fit = budget / 8 / NAME_BYTES;
  k->most_names = fit < MOST_NAMES ? (size_t)fit : MOST_NAMES;
}

/* ---- names ----------------------------------------------------------------
 */

static bool has_contents(const struct known_states *k,
                         const struct named_future *n, uint32_t live,
                         const struct state_future *f) {
  const uint32_t *at = &k->name_pool.at[n->first];
  if (n->live != live || n->count != f->segments.size)
    return false;
  for (uint32_t i = 0; i < n->count; i++)
    if (at[i] != f->segments.at[i])
      return false;
  return true;
}

static uint32_t hash_of(uint32_t live, const struct state_future *f) {
  uint64_t hash = live;
  for (size_t i = 0; i < f->segments.size; i++)
    hash = (hash ^ f->segments.at[i]) * 0x9e3779b97f4a7c15u + (hash >> 32);
  return (uint32_t)rng_mix(hash);
}

static uint32_t name_new(struct known_states *k, uint32_t live,
                         const struct state_future *f) {
  struct named_future n = {.live = live,
                           .first = (uint32_t)k->name_pool.size,
                           .count = (uint32_t)f->segments.size};
  for (size_t i = 0; i < f->segments.size; i++)
    VEC_PUSH(k->name_pool, f->segments.at[i]);
  VEC_PUSH(k->names, n);
  return (uint32_t)k->names.size;
}

/* The name of the future, which may be new; 0: there are too many. */
static uint32_t name_of(struct known_states *k, struct state_future *f) {
  if (f->name || k->names.size >= k->most_names)
    return f->name;
  uint32_t live = known_intern_live(k, f), hash = hash_of(live, f);
  for (TABLE_EACH(n, &k->by_name, hash))
    if (has_contents(k, &k->names.at[n], live, f))
      return f->name = (uint32_t)n + 1;
  table_add(&k->by_name, hash, k->names.size);
  return f->name = name_new(k, live, f);
}

/* Gives the future the contents that have this name. */
static void become(const struct known_states *k, struct state_future *f,
                   uint32_t name) {
  const struct named_future *n = &k->names.at[name - 1];
  struct known_set live = k->live_sets.at[n->live];
  VEC_SIZED(f->live, live.count);
  for (uint32_t i = 0; i < live.count; i++)
    f->live.at[i] = k->live_pool.at[live.first + i];
  VEC_SIZED(f->segments, n->count);
  for (uint32_t i = 0; i < n->count; i++)
    f->segments.at[i] = k->name_pool.at[n->first + i];
  f->name = name;
}

static void remember(struct known_states *k, uint32_t name,
                     struct digest128 change, struct state_future *f) {
  uint32_t result = name ? name_of(k, f) : 0;
  if (result)
    recollection_add(&k->by_change, name, change, result - 1, k->names.size);
}

/* ---- what becomes of them -------------------------------------------------
 */

void named_before(struct known_states *k, struct state_future *f,
                  const struct trace *t, const struct event *e,
                  const struct handover *h) {
  uint32_t name = name_of(k, f);
  struct digest128 change =
      name ? future_change(t, e, h) : (struct digest128){0};
  uint32_t result =
      name ? recollection_find(&k->by_change, name, change) : NO_SEGMENT;
  if (result != NO_SEGMENT && !HOSTILE) {
    become(k, f, result + 1);
    return;
  }
  future_before(&k->segments, f, t, e, h);
  remember(k, name, change, f);
  ensure(result == NO_SEGMENT || !f->name || f->name == result + 1);
}

void named_move(struct known_states *k, struct state_future *to,
                struct state_future *from) {
  if (!to->live.size && !to->segments.size) {
    future_move(&k->segments, to, from);
    return;
  }
  uint32_t a = name_of(k, to), b = name_of(k, from);
  to->moves |= from->moves;
  if (a && a == b)
    return;
  struct digest128 change = {{b, 2}};
  uint32_t result =
      a && b ? recollection_find(&k->by_change, a, change) : NO_SEGMENT;
  if (result != NO_SEGMENT && !HOSTILE) {
    become(k, to, result + 1);
    return;
  }
  future_move(&k->segments, to, from);
  remember(k, b ? a : 0, change, to);
  ensure(result == NO_SEGMENT || !to->name || to->name == result + 1);
}

struct known_future named_intern(struct known_states *k,
                                 struct state_future *f) {
  uint32_t name = name_of(k, f);
  if (!name)
    return known_intern(k, f);
  struct named_future *n = &k->names.at[name - 1];
  if (!n->accesses)
    n->accesses = 1 + known_intern_accesses(k, f);
  return (struct known_future){
      .live = n->live, .moves = f->moves, .accesses = n->accesses - 1};
}
