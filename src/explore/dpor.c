/* DPOR: dynamic partial-order reduction with persistent sets and sleep sets,
 * the baseline that later algorithms are compared with.
 *
 * The idea.  As soon as an event e' races with an earlier event e, a process
 * that leads to e' must be tried at the node before e: the process of e', or
 * one that had an event after e which happens before e'.  If the backtrack set
 * has none of these, one is added.  Source-DPOR is content with any process
 * that can begin v = notdep(e) . e', whether e' needs it or not.  So DPOR tries
 * more processes, and cuts more executions.  It completes every trace exactly
 * once.
 *
 * Flanagan, Godefroid: Dynamic partial-order reduction for model checking
 * software, POPL 2005.  The search is explore/backtrack.h.  Where we depart:
 *   - A process in the backtrack set counts only if it is an initial of v; in
 *     the paper it must be enabled.  That is enough without sleep sets.  With
 *     them traces are lost: a process in the backtrack set may sleep there,
 *     because executions that begin with it are explored; but v does not begin
 *     with it (tests/models/dpor-asleep.model).
 *   - Thus some process always is enabled, and the paper's "else all" is not
 *     needed.
 *   - All races of e' are looked at when e' is taken, not the last one while e'
 *     is pending: a pending operation can still change, an event cannot.
 *
 *   paper                          here
 *   backtrack(pre(S, i))           backtrack_has(), backtrack_add()
 *   {q | q = p or i < j ->_S p}    leads_to_last()
 *   dependent, may be co-enabled   trace.races
 */
#include "explore/backtrack.h"
#include "explore/algorithms.h"
#include "util/ensure.h"

static bool leads_to_last(struct reversal *v, uint32_t q) {
  if (!reversal_is_initial(v, q))
    return false;
  uint32_t first = reversal_first_index(v, q);
  return q == v->last.proc ||
         reversal_needs(v, process_event(v->trace, q, first));
}

static uint32_t some_leading(struct reversal *v) {
  const struct trace *t = v->trace;
  if (reversal_is_initial(v, v->last.proc))
    return v->last.proc;
  for (uint32_t i = v->at + 1; i < t->events.size; i++)
    if (reversal_contains(v, i) && reversal_needs(v, i))
      return t->events.at[i].proc; /* the first of these is an initial */
  ensure(!"the last step of v, if it waits for nothing, is an initial");
  return NOWHERE;
}

static void plan(struct backtrack *b) {
  if (!backtrack_has(b, leads_to_last))
    backtrack_add(b, some_leading(&b->v));
}

static void *create(struct explorer *x) {
  return backtrack_new(x, plan);
}

const struct algorithm dpor_algorithm = {.name = "dpor",
                                         .gathers = true,
                                         .holds = true,
                                         .updates = true,
                                         .joins = true,
                                         .takes = TAKES_PREEMPTIONS,
                                         .order = {.races = true},
                                         .create = create,
                                         .destroy = backtrack_free,
                                         .pick = backtrack_pick,
                                         .stepped = backtrack_stepped,
                                         .ended = backtrack_ended,
                                         .retreat = backtrack_retreat,
                                         .planned = backtrack_planned,
                                         .give = backtrack_give,
                                         .take = backtrack_take,
                                         .seen = backtrack_seen,
                                         .waits = backtrack_waits,
                                         .ready = backtrack_is_ready};
