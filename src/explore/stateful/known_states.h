/* The states whose future is known.
 *
 * A state matches a known one if the processes are as they were there, and the
 * bytes that are live there have the same contents.  Then both have the same
 * future: an execution from one is possible from the other, since it reads the
 * same, step by step.
 *
 * States with the same local part and the same set of live bytes are a group:
 * for a new state the contents of these bytes are digested once, whatever the
 * number of states in the group.  Sets are kept once, however many states have
 * them; so are the accesses of each process, since most processes have the same
 * future in many states.
 *
 * States on cycles are kept as a whole (known_keep_whole()): the live bytes of
 * such a state are known only when the whole cycle has been explored, and then
 * the state is no longer at hand.
 */
#ifndef EXPLORE_STATEFUL_KNOWN_STATES_H
#define EXPLORE_STATEFUL_KNOWN_STATES_H

#include "core/system.h"
#include "explore/stateful/future.h"
#include "explore/stateful/segment_sets.h"
#include "explore/stateful/state_groups.h"

/* keep.  The future of a known state, by the numbers of its sets. */
struct known_future {
  uint32_t live : 30;
  uint32_t moves : 2;
  uint32_t accesses;
};

/* keep.  A list in a pool. */
struct known_set {
  uint32_t first;
  uint32_t count;
};

/* keep */
struct known_state {
  uint32_t key[4]; /* a digest of local part, live bytes and contents, or of the
                      whole state */
  uint32_t local;  /* a part of the digest of the local part */
  uint32_t live : 30;
  uint32_t moves : 2;
  uint32_t accesses : 30;
  uint32_t whole : 1;
  uint32_t used : 1; /* found since states were dropped */
};

/* keep.  See named_futures.h. */
struct named_future {
  uint32_t live;  /* the number of the set of live bytes */
  uint32_t first; /* its segments, in the pool of names */
  uint32_t count;
  uint32_t accesses; /* 1 + the number of their set; 0: they are in none yet */
};

struct known_states {
  VEC(struct live_bytes) live_pool;
  VEC(struct known_set) live_sets;
  VEC(uint64_t) live_names; /* of these sets: a hash of the contents */
  struct table by_live;
  struct segments segments;
  struct segment_sets access_sets;
  struct state_groups groups;
  VEC(struct known_state) states;
  struct compact_table by_key;
  struct compact_table by_whole; /* of known_keep_whole() */
  uint32_t newest_live;          /* the set that was entered or found last */
  uint32_t listed;   /* the set of accesses that was listed last ... */
  segment_list list; /* ... and its segments */
  size_t most_names; /* so many futures may have names */
  VEC(struct named_future) names;
  VEC(uint32_t) name_pool;
  struct table by_name;
  struct recollections by_change; /* of names */
};

struct known_future known_intern(struct known_states *,
                                 const struct state_future *);
/* The numbers of its sets of live bytes and of segments. */
uint32_t known_intern_live(struct known_states *, const struct state_future *);
uint32_t known_intern_accesses(struct known_states *,
                               const struct state_future *);

static inline const struct live_bytes *
known_live(const struct known_states *k, struct known_future f, size_t *count) {
  *count = k->live_sets.at[f.live].count;
  return &k->live_pool.at[k->live_sets.at[f.live].first];
}

/* The segments of its accesses, until those of another future are asked for. */
const uint32_t *known_segments(struct known_states *, struct known_future,
                               size_t *count);

/* The accesses of the n-th process of those that have any; false: there are
 * fewer. */
static inline bool known_accesses(struct known_states *k, struct known_future f,
                                  size_t n,
                                  const struct future_access **accesses,
                                  size_t *count) {
  size_t segments;
  const uint32_t *at = known_segments(k, f, &segments);
  if (n >= segments)
    return false;
  *accesses = segment_at(&k->segments, at[n], count);
  return true;
}

/* The contents of a set of live bytes, in one state. */
struct known_key {
  uint32_t live; /* 1 + the number of the set; 0: not known */
  struct digest128 key;
};

/* Is this the key of the state with this future? */
static inline bool known_key_is(const struct known_key *k,
                                struct known_future f) {
  return k->live == f.live + 1u;
}

/* The local part, and the contents of the bytes of a set. */
struct digest128 known_key_of(const struct known_states *, struct system *,
                              struct digest128 local, uint32_t live);

/* The system is in the state, whose local part is given; it need not be if the
 * key is known.  `is_new`: no state that it matches is known. */
void known_keep(struct known_states *, struct system *, struct digest128 local,
                struct known_future, const struct known_key *, bool is_new);
/* The whole state is given. */
void known_keep_whole(struct known_states *, struct digest128 whole,
                      struct known_future);

/* A state as it is told to other processes. */
struct known_fact {
  struct digest128 key;
  uint32_t local; /* the part of the digest by which it is found */
  bool whole;
  struct known_future future;
};

struct known_fact known_fact_at(const struct known_states *, size_t n);
/* Adds a state unless it is known. */
void known_enter(struct known_states *, const struct known_fact *);
/* A state with this key will be added soon: memory is asked for it. */
void known_expect(const struct known_states *, struct digest128 key,
                  uint32_t local);

/* In a large search the memory of a state that is looked for is in no cache.
 * So it is asked for in advance, in two steps.  The state may have this set of
 * live bytes. */
void known_fetch_key(const struct known_states *, struct system *,
                     struct digest128 local, uint32_t live, struct known_key *);
void known_fetch_state(const struct known_states *, const struct known_key *);

/* Is the state known that the system is in, and is `good` the future of a known
 * state that it matches?  `last`, which may be a key of the state, becomes the
 * key that was looked for last. */
bool known_find(struct known_states *, struct system *, struct digest128 local,
                struct digest128 whole, struct known_key *last,
                bool (*good)(void *, struct known_future), void *context);

/* Drops half of the states: rather those that were not found since the last
 * time, and rather old ones.  Futures stay. */
void known_drop_half(struct known_states *);

/* The bytes that the known states take, and may take before the next call if
 * there is one after each state. */
uint64_t known_bytes(const struct known_states *);

void known_free(struct known_states *);

#endif
