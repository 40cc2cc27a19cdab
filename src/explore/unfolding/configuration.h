/* A configuration of the unfolding: a set of occurrences that can all happen in
 * one execution.
 *
 * The members lie in an order in which they can happen.  The set grows and is
 * cut off at the end, like the trace.  Whether another occurrence can join
 * follows from the newest touches of the granules: every member that conflicts
 * with it must be in its past.
 *
 * Invariants:
 *   F1  it is causally closed, and without conflicts.
 *   F2  processes[p].at[i] has index i + 1.
 */
#ifndef EXPLORE_UNFOLDING_CONFIGURATION_H
#define EXPLORE_UNFOLDING_CONFIGURATION_H

#include "core/event.h"
#include "explore/unfolding/unfolding.h"

#define NO_TOUCH UINT32_MAX

/* keep.  An occurrence touches bytes of a granule. */
struct configuration_touch {
  uint32_t occurrence;
  uint32_t proc;
  uint32_t index;
  uint32_t cell;
  uint32_t older;   /* in the same granule, or NO_TOUCH */
  uint32_t matters; /* the same, without reads that are outdated by a later read
                       of their process, and updates likewise */
  uint32_t written; /* the nearest older write, or NO_TOUCH */
  uint8_t mask;
  uint8_t mode;
  uint16_t update;
};

/* keep */
struct configuration_member {
  uint32_t occurrence;
  uint32_t first_touch;
};

/* keep.  An occurrence that has to be added before the one asked for. */
struct configuration_missing {
  uint32_t height;
  uint32_t order; /* its number among those found */
  uint32_t occurrence;
};

struct configuration {
  struct unfolding *u;
  VEC(struct configuration_member) members;
  VEC(struct { VEC(uint32_t) at; }) processes; /* members by process, F2 */
  VEC(struct configuration_touch) touches;
  VEC(uint32_t) cells; /* by number of the granule: newest touch */
  VEC(struct configuration_missing) missing; /* scratch */
};

void configuration_init(struct configuration *, struct unfolding *);
void configuration_free(struct configuration *);

static inline size_t configuration_size(const struct configuration *c) {
  return c->members.size;
}

/* How many occurrences of process p are in it. */
static inline uint32_t configuration_length(const struct configuration *c,
                                            uint32_t p) {
  return p < c->processes.size ? (uint32_t)c->processes.at[p].at.size : 0;
}

/* The occurrence of p with this index in it, or 0 for index 0. */
static inline uint32_t configuration_at(const struct configuration *c,
                                        uint32_t p, uint32_t index) {
  return index ? c->processes.at[p].at.at[index - 1] : 0;
}

/* The past of a new event, which is in the configuration, as counts: how many
 * occurrences of each process. */
struct past_counts {
  uint32_t index; /* of the new event */
  uint32_t width;
  const uint32_t *of; /* the others, by process */
};

/* Turns the counts into the occurrences before the new event.  If it has the
 * past of the previous one, only that one is set. */
void configuration_past(const struct configuration *, struct new_event *,
                        const struct past_counts *);

/* The new event touches these bytes. */
void configuration_visit(const struct configuration *, struct new_event *,
                         const struct past_counts *, uint32_t cell,
                         uint8_t bytes, struct new_event_mode how);

/* Adds an occurrence whose past is in the configuration. */
void configuration_push(struct configuration *, uint32_t x);

void configuration_truncate(struct configuration *, size_t size);

/* Adds x and its past.  False, and nothing is added, if one of these is in
 * conflict with a member, or sleeps. */
bool configuration_extend(struct configuration *, uint32_t x);

/* x, with its past, was compatible with the configuration before its newest
 * member joined.  Is it still?  Not if an occurrence of its past outside the
 * configuration sleeps. */
enum configuration_answer {
  CONFIGURATION_FORBIDS,
  CONFIGURATION_ALLOWS, /* x and its past are independent of the newest member
                         */
  CONFIGURATION_LEADS_THERE, /* the newest member is in the past of x */
};
enum configuration_answer configuration_still_allows(struct configuration *,
                                                     uint32_t x);

/* Checks the invariants. */
void configuration_check(const struct configuration *);

#endif
