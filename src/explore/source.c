/* Source-DPOR: partial-order reduction with source sets and sleep sets.
 *
 * The idea.  As soon as an event e' races with an earlier e, somebody who can
 * begin v = notdep(e) . e' must be tried at the node before e.  If none of the
 * processes to be tried there (`backtrack`) is an initial of v, one is added.
 * Sleep sets keep processes from being tried again.  Every trace is completed
 * exactly once, but some executions are begun only to find that all who could
 * go on sleep; they are cut and counted as blocked.
 *
 * Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
 * POPL 2014.  Where we depart: core/backtrack.h, which is the search.
 *
 * `cs` is the same in context (core/cover.h; docs/algorithms.md, "Contexts"):
 * sleepers stay asleep past steps that they commute with.  At least one
 * execution of each class of executions that differ only in the order of steps
 * which commute where they stand is completed.
 *
 *   paper            here
 *   backtrack(E)     backtrack_has(), backtrack_add()
 *   I_E'(v)          reversal_is_initial()
 */
#include "core/backtrack.h"
#include "explore/algorithms.h"

static void plan(struct backtrack *b) {
  if (!backtrack_has(b, reversal_is_initial))
    backtrack_add(b, reversal_beginning(&b->v).proc);
}

static void *create(struct explorer *x) {
  return backtrack_new(x, plan);
}

static void *create_cs(struct explorer *x) {
  struct backtrack *b = backtrack_new(x, plan);
  backtrack_by_context(b);
  return b;
}

const struct algorithm cs_algorithm = {.name = "cs",
                                       .wants_races = true,
                                       .create = create_cs,
                                       .destroy = backtrack_free,
                                       .pick = backtrack_pick,
                                       .stepped = backtrack_stepped,
                                       .ended = backtrack_ended,
                                       .retreat = backtrack_retreat};

const struct algorithm source_algorithm = {.name = "source",
                                           .bounds = true,
                                           .wants_races = true,
                                           .create = create,
                                           .destroy = backtrack_free,
                                           .pick = backtrack_pick,
                                           .stepped = backtrack_stepped,
                                           .ended = backtrack_ended,
                                           .retreat = backtrack_retreat};
