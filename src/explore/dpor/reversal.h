/* The sequence that reverses a race.
 *
 * Let e, e' be a race of the execution E, and E' the events before e.  The
 * reversal is v = notdep(e) . e': all events after e that do not happen after
 * e, in their order, then e'.  It is not written out.  It is a view of the
 * trace with a description of e', and `taken` counts the events of each process
 * that have been taken out of it.
 *
 *   paper                    here
 *   E' = pre(E, e)           the first `at` events
 *   notdep(e, E)             reversal_contains()
 *   e'                       `last`
 *   p in I_E'(v)             reversal_is_initial()
 *   p in WI_E'(v)            reversal_match() != MATCH_NOT
 *   v \ p                    reversal_take()
 *
 * The footprint of e' is the one that it has when it comes *before* e: a
 * compare-and-swap may succeed in one order and fail in the other, and an
 * atomic block may touch other variables (reordered_footprint.h).
 */
#ifndef EXPLORE_DPOR_REVERSAL_H
#define EXPLORE_DPOR_REVERSAL_H

#include "core/trace.h"

/* keep.  A step that was or could be taken at a node: its process, its index in
 * that process, its alternative, and its footprint. */
struct option {
  uint32_t proc;
  uint32_t index;
  uint32_t choice; /* or ANY_CHOICE */
  uint32_t accesses;
  const struct access *access;
};

#define ANY_CHOICE UINT32_MAX

static inline bool choices_agree(uint32_t a, uint32_t b) {
  return a == b || a == ANY_CHOICE || b == ANY_CHOICE;
}

static inline struct option event_option(const struct trace *t,
                                         const struct event *e) {
  return (struct option){e->proc, e->index, e->choice, e->accesses,
                         event_access(t, e)};
}

/* Which events of v must come before e'. */
enum last_order {
  LAST_BY_CLOCK,     /* those that happen before e' in the trace */
  LAST_BY_FOOTPRINT, /* those that happen before `previous` or `cause`, or
                        conflict with last.access. The clock of e' in the trace
                        is of no use: e' would be possible, or touch something
                        else, earlier. */
};

/* So many events of a process happen before e' in the trace, and some of them
 * are in v as long as none is taken. */
struct reversal_before {
  uint32_t proc;
  uint32_t count;
};

struct reversal {
  const struct trace *trace;
  uint32_t at;        /* position of e */
  struct option last; /* e' */
  bool last_taken;
  bool members_only; /* only steps of v count as weak initials */
  enum last_order last_order;
  uint32_t last_position;       /* of e' in the trace, or NOWHERE */
  const struct event *previous; /* of its process, before e' */
  const struct event *cause;    /* what made e' possible */
  VEC(uint32_t) taken;   /* by process: index of the last event taken out */
  VEC(uint32_t) touched; /* processes with taken > 0 */
  VEC(struct reversal_before)
  before; /* by process, if it is known: found when
                                         it is first needed */
  bool before_known;
  VEC(uint32_t)
  needs; /* by process, if it is known: so many of its events must
                          come before e', of those in v */
  bool needs_known;
};

enum match {
  MATCH_NOT,
  MATCH_FIRST,       /* its next event in v has no predecessor in v */
  MATCH_INDEPENDENT, /* not in v, and independent of v */
};

/* The sources of reversals.  They leave last.access pointing into the
 * trace or the step; the caller may replace it by a footprint that is known
 * better. */
void reversal_of_race(struct reversal *, const struct trace *, uint32_t first,
                      uint32_t second);
void reversal_of_pending(struct reversal *, const struct trace *,
                         uint32_t first, uint32_t proc, const struct step *);
void reversal_of_choice(struct reversal *, const struct trace *, uint32_t at,
                        uint32_t choice);
/* e' is not in the trace: what is known of v are the events of the trace. */
void reversal_of_unknown(struct reversal *, const struct trace *,
                         uint32_t first);

/* Is the event at `position` (other than e') still in v? */
bool reversal_contains(const struct reversal *, uint32_t position);

/* Must the event at `position`, which is in v, come before e'? */
bool reversal_needs(struct reversal *, uint32_t position);

/* Is the option a weak initial of v?  If so, *depends_on becomes at least the
 * length of the prefix of the trace on which the answer depends. */
enum match reversal_match(struct reversal *, const struct option *,
                          uint32_t *depends_on);

/* Takes the option, which matched first, out of v. */
void reversal_take(struct reversal *, const struct option *);

/* The index of the first event of process p after E', in the trace or to come.
 */
uint32_t reversal_first_index(const struct reversal *, uint32_t p);

/* Is the next event of process p in v, with nothing in v before it? */
bool reversal_is_initial(struct reversal *, uint32_t p);

/* A step that can begin v: e' if it can, or else one that e' needs. */
struct option reversal_beginning(struct reversal *);

void reversal_free(struct reversal *);

#endif
