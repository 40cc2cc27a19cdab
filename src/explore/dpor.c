/* DPOR: dynamic partial-order reduction with persistent sets and sleep sets,
 * the baseline that later algorithms are compared with.
 *
 * The idea.  As soon as an event e' races with an earlier e, a process that
 * leads to e' must be tried at the node before e: the process of e', or one
 * that had an event after e which happens before e'.  If none of these is to be
 * tried there (`backtrack`), one is added.  Source-DPOR is content with any
 * process that can begin v = notdep(e) . e', whether e' needs it or not; here
 * more is tried, and more of it is cut.  Every trace is completed exactly once.
 *
 * Flanagan, Godefroid: Dynamic partial-order reduction for model checking
 * software, POPL 2005.  Where we depart, besides core/backtrack.h, which is the
 * search:
 *   - A process counts only if it is an initial of v; the paper asks that it is
 *     enabled.  That is enough without sleep sets.  With them traces are lost:
 *     a process in the backtrack set counts, but sleeps there, because what
 *     begins with it is explored; v does not begin with it
 *     (tests/models/dpor-asleep.model).
 *   - Thus some process always is enabled, and "else all" is not needed.
 *   - All races of e' are looked at when it is taken, not the last one while it
 *     is pending: what is pending can still change, what it touched cannot.
 *
 *   paper                          here
 *   backtrack(pre(S, i))           backtrack_has(), backtrack_add()
 *   {q | q = p or i < j ->_S p}    leads_to_late()
 *   dependent, may be co-enabled   trace.races
 */
#include "core/backtrack.h"
#include "explore/algorithms.h"
#include "util/ensure.h"

/* Is the event, which is in v, before e' in v? */
static bool before_late(const struct reversal *v, const struct event *x) {
  const struct trace *t = v->trace;
  if (v->late_order == LATE_BY_CLOCK)
    return happens_before(t, x, &t->events.at[v->late_position]);
  if ((v->previous && happens_before(t, x, v->previous)) ||
      (v->cause && happens_before(t, x, v->cause)))
    return true;
  for (uint32_t i = (uint32_t)(x - t->events.at); i < t->events.size; i++) {
    const struct event *y = &t->events.at[i];
    if (i != v->late_position && reversal_contains(v, i) &&
        happens_before(t, x, y) &&
        footprint_conflict(event_access(t, y), y->accesses, v->late.access,
                           v->late.accesses))
      return true;
  }
  return false;
}

static bool leads_to_late(const struct reversal *v, uint32_t q) {
  if (!reversal_is_initial(v, q))
    return false;
  uint32_t first = reversal_first_index(v, q);
  return q == v->late.proc ||
         before_late(v,
                     &v->trace->events.at[process_event(v->trace, q, first)]);
}

static uint32_t some_leading(const struct reversal *v) {
  const struct trace *t = v->trace;
  if (reversal_is_initial(v, v->late.proc))
    return v->late.proc;
  for (uint32_t i = v->at + 1; i < t->events.size; i++)
    if (reversal_contains(v, i) && before_late(v, &t->events.at[i]))
      return t->events.at[i].proc; /* the first of these is an initial */
  ensure(!"a late event that waits for nobody is an initial");
  return NOWHERE;
}

static void plan(struct backtrack *b) {
  if (!backtrack_has(b, leads_to_late))
    backtrack_add(b, some_leading(&b->v));
}

static void *create(struct explorer *x) {
  return backtrack_new(x, plan);
}

const struct algorithm dpor_algorithm = {.name = "dpor",
                                         .bounds = true,
                                         .wants_races = true,
                                         .create = create,
                                         .destroy = backtrack_free,
                                         .pick = backtrack_pick,
                                         .stepped = backtrack_stepped,
                                         .ended = backtrack_ended,
                                         .retreat = backtrack_retreat};
