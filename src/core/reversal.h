/* What must be run to reverse a race.
 *
 * For a race e, e' in the execution E, let E' be what came before e.  The
 * reversal is the sequence v = notdep(e) . e': all events after e that do not
 * happen after e, in their order, then e'.  It is not written out: it is a view
 * of the trace plus a description of e', and `taken` says how much of each
 * process has been taken out of it.
 *
 *   paper                    here
 *   E' = pre(E, e)           the first `at` events
 *   notdep(e, E)             reversal_contains()
 *   e'                       fields proc ... accesses
 *   p in I_E'(v)             reversal_is_initial()
 *   p in WI_E'(v)            reversal_match() != MATCH_NOT
 *   v \ p                    reversal_take()
 *
 * The footprint of e' is the one that it has when it comes *before* e: a
 * compare-and-swap may succeed in one order and fail in the other, an atomic
 * block may touch other variables.
 */
#ifndef CORE_REVERSAL_H
#define CORE_REVERSAL_H

#include "core/trace.h"

/* A step that was or could be taken at a node: who, its how-many-th event,
 * which alternative, and what it touches.  keep */
struct option {
  uint32_t proc;
  uint32_t index;
  uint32_t choice; /* or ANY_CHOICE */
  uint32_t accesses;
  const struct access *access;
};

#define ANY_CHOICE UINT32_MAX

static inline struct option event_option(const struct trace *t,
                                         const struct event *e) {
  return (struct option){e->proc, e->index, e->choice, e->accesses,
                         event_access(t, e)};
}

/* What must come before e' in v. */
enum late_order {
  LATE_BY_CLOCK,     /* what happens before it in the trace */
  LATE_BY_FOOTPRINT, /* what happens before `previous` or `cause`, and what
                        conflicts with late.access: its clock in the trace is
                        of no use, since it would be possible, or look
                        different, earlier */
};

struct reversal {
  const struct trace *trace;
  uint32_t at;        /* position of e */
  struct option late; /* e' */
  bool late_taken;
  bool members_only; /* what is not in v says nothing about it */
  enum late_order late_order;
  uint32_t late_position;       /* of e' in the trace, or NOWHERE */
  const struct event *previous; /* of its process, before e' */
  const struct event *cause;    /* what made e' possible */
  VEC(uint32_t) taken;   /* per process: index of the last event taken out */
  VEC(uint32_t) touched; /* processes for which that is not 0 */
};

enum match {
  MATCH_NOT,
  MATCH_FIRST,       /* its next event in v has no predecessor in v */
  MATCH_INDEPENDENT, /* not in v, and independent of all of it */
};

/* The three sources of reversals.  They leave late.access pointing into the
 * trace or the step; the caller may set it to what is known better. */
void reversal_of_race(struct reversal *, const struct trace *, uint32_t first,
                      uint32_t second);
void reversal_of_pending(struct reversal *, const struct trace *,
                         uint32_t first, uint32_t proc, const struct step *);
void reversal_of_choice(struct reversal *, const struct trace *, uint32_t at,
                        uint32_t choice);

/* Is the event at `position` (other than e') still in v? */
bool reversal_contains(const struct reversal *, uint32_t position);

/* Is the option a weak initial of v?  If so, *depends_on becomes at least the
 * length of the prefix of the trace that the answer rests on. */
enum match reversal_match(const struct reversal *, const struct option *,
                          uint32_t *depends_on);

/* Takes the option, which matched first, out of v. */
void reversal_take(struct reversal *, const struct option *);

/* The index of the first event of process p after E', in the trace or to come.
 */
uint32_t reversal_first_index(const struct reversal *, uint32_t p);

/* Is the next event of process p in v, with nothing in v before it? */
bool reversal_is_initial(const struct reversal *, uint32_t p);

/* A step that can begin v: e' if it can, or what e' needs before it. */
struct option reversal_beginning(const struct reversal *);

void reversal_free(struct reversal *);

#endif
