/* Executions by chance: what the samplers share.
 *
 * A sampler runs one execution after another from the start, each by a strategy
 * that draws from a generator.  Its seed follows from --sample-seed and the
 * number of the run, so that a run is the same in whichever process.  A sampler
 * proves nothing: the result is incomplete, and says how much was seen.
 */
#ifndef EXPLORE_SAMPLING_SAMPLING_H
#define EXPLORE_SAMPLING_SAMPLING_H

#include "core/search.h"
#include "util/rng.h"
#include "util/table.h"
#include "util/vec.h"

/* keep: a trace that was seen. */
struct seen_trace {
  struct trace_hash hash;
  bool again; /* more than once */
};

/* Orders of a pair that were seen. */
enum { PAIR_LOW = 1, PAIR_HIGH = 2, PAIR_BOTH = 3 };

/* keep: two places in the code whose steps raced. */
struct racing_pair {
  uint64_t low, high;
  uint8_t seen; /* PAIR_ bits: which came first */
};

/* keep: the runs from `next` to `end`. */
struct sampler_runs {
  uint64_t next, end;
};

/* keep */
struct sampler {
  struct explorer *x;
  struct rng rng;
  bool at_hand;                  /* the run before runs.next has not ended */
  struct sampler_runs runs;      /* to be done next ... */
  VEC(struct sampler_runs) left; /* ... and after those, the last ones first */
  VEC(struct seen_trace) seen;
  struct table by_hash;
  uint64_t once;            /* traces that were seen once */
  VEC(uint32_t) enabled;    /* scratch: the processes that can move */
  VEC(uint64_t) priorities; /* the strategy's own, by process; 0: none yet */
  VEC(struct racing_pair) pairs;
  struct table by_places; /* of pairs */
  VEC(uint64_t) changes;  /* the strategy's own: lengths of the trace */
};

/* What a strategy does, on top of a sampler. */
struct strategy {
  /* An execution begins. */
  void (*begin)(struct sampler *);
  /* One of the processes in `enabled`, which is not empty. */
  uint32_t (*choose)(struct sampler *);
  /* The step that was chosen is the newest event. */
  void (*stepped)(struct sampler *);
};

/* The functions of an algorithm with this strategy. */
void *sampler_create(struct explorer *, const struct strategy *);
void sampler_destroy(void *);
enum pick sampler_pick(void *, const struct strategy *, struct move *);
void sampler_ended(void *, enum pick);
bool sampler_retreat(void *, const struct strategy *, size_t *length);
bool sampler_give(void *, struct text *, enum give);
bool sampler_take(void *, const char *, size_t);
void sampler_seen(void *, struct packed *);

/* Among `enabled`, the process with the highest priority.  One that has none
 * gets one by chance. */
uint32_t sampler_highest(struct sampler *);

/* A priority by chance.  Priorities below PRIORITY_LOW are not given out. */
#define PRIORITY_LOW 1024
uint64_t sampler_priority(struct sampler *);

/* The process that has moved, and those whose next step depends on the newest
 * event, draw a new priority when they are asked for one. */
void sampler_renew_dependent(struct sampler *);

/* Is a step at this place the first of a racing pair that was seen in that
 * order only? */
bool sampler_always_first(const struct sampler *, uint64_t pc);

/* The usual fields of such an algorithm. */
#define SAMPLER(id, its_name, ...)                                     \
  static void *id##_create(struct explorer *x) {                       \
    return sampler_create(x, &id##_strategy);                          \
  }                                                                    \
  static enum pick id##_pick(void *state, struct move *move) {         \
    return sampler_pick(state, &id##_strategy, move);                  \
  }                                                                    \
  static void id##_stepped(void *state) {                              \
    id##_strategy.stepped(state);                                      \
  }                                                                    \
  static bool id##_retreat(void *state, size_t *length) {              \
    return sampler_retreat(state, &id##_strategy, length);             \
  }                                                                    \
  const struct algorithm id##_algorithm = {.name = its_name,           \
                                           .order = {.races = true},   \
                                           .holds = true,              \
                                           .updates = true,            \
                                           .joins = true,              \
                                           .gathers = true,            \
                                           .takes = TAKES_SAMPLES,     \
                                           .create = id##_create,      \
                                           .destroy = sampler_destroy, \
                                           .pick = id##_pick,          \
                                           .stepped = id##_stepped,    \
                                           .ended = sampler_ended,     \
                                           .retreat = id##_retreat,    \
                                           .give = sampler_give,       \
                                           .take = sampler_take,       \
                                           .seen = sampler_seen,       \
                                           __VA_ARGS__}

#endif
