/* Source-DPOR: partial-order reduction with source sets and sleep sets.
 *
 * The idea.  As soon as an event e' races with an earlier event e, a process
 * that can begin v = notdep(e) . e' must be tried at the node before e.  If the
 * backtrack set of that node has no initial of v, one is added.  Sleep sets
 * keep processes from being tried again.  Every trace is completed exactly
 * once.  Some executions reach a state where all enabled processes sleep; they
 * are cut and counted as blocked.
 *
 * Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
 * POPL 2014.  Where we depart: explore/backtrack.h, which is the search.
 *
 * `cs` is the same with context-sensitive independence
 * (explore/context/covered_sleep.h; docs/algorithms/context.md): sleepers
 * stay asleep past steps that they commute with.  It completes at least one
 * execution of each class of executions that differ only in the order of steps
 * which commute where they stand.
 *
 *   paper            here
 *   backtrack(E)     backtrack_has(), backtrack_add()
 *   I_E'(v)          reversal_is_initial()
 */
#include "explore/backtrack.h"
#include "explore/algorithms.h"

static void *create(struct explorer *x) {
  return backtrack_new(x, backtrack_plan_source);
}

static void *create_cs(struct explorer *x) {
  struct backtrack *b = backtrack_new(x, backtrack_plan_source);
  backtrack_context_sensitive(b);
  return b;
}

const struct algorithm cs_algorithm = {
    .name = "cs",
    .holds = true,
    .joins = true,
    .updates = true,
    .unordered = true,
    .order = {.races = true, .by_value = true},
    .create = create_cs,
    .destroy = backtrack_free,
    .pick = backtrack_pick,
    .stepped = backtrack_stepped,
    .ended = backtrack_ended,
    .retreat = backtrack_retreat,
    .planned = backtrack_planned};

const struct algorithm source_algorithm = {.name = "source",
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
