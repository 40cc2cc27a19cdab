/* optimal-cs-ob: `observers` for programs in which no dependent steps commute,
 * `optimal-cs` for the others.
 *
 * Algorithm 2 of paper 1 has both reductions in one search, and loses
 * executions.  The two have different reasons to call a sequence redundant.
 * `observers` relies on a step that is done at a node, even if its order with
 * later writes was never decided.  `optimal-cs` relies on sleepers, and tries
 * every process where the order could matter
 * (explore/context/covered_sleep.h).  There a step that is done proves nothing,
 * since the sequences that `observers` takes for planned are not planned.  And
 * sleep sets alone, where writes have no order yet, lose executions
 * (observed-asleep and observed-await in tests/models).
 *
 * So the search begins as `observers`.  Beside it, steps that are done sleep as
 * in any sleep set, only to be asked whether they commute with the step that
 * would wake them.  The first time that one does, the search begins anew as
 * `optimal-cs`.  Each of the two searches is sound, so this one is.
 */
#include <stdlib.h>

#include "explore/context/commute.h"
#include "explore/dpor/sleep.h"
#include "explore/algorithms.h"
#include "util/ensure.h"

struct optimal_cs_ob {
  struct explorer *x;
  void *observers; /* its state */
  struct commute_cache commute;
  struct sleep sleep; /* the steps that sleep beside it, ... */
  VEC(struct sleep_node) nodes;
  bool commutes; /* ... and whether one ever commuted */
};

static enum pick pick(void *state, struct move *move) {
  struct optimal_cs_ob *s = state;
  return observers_algorithm.pick(s->observers, move);
}

static bool stays_asleep(void *context, struct sleeper *z) {
  struct optimal_cs_ob *s = context;
  if (!s->commutes)
    s->commutes = commute_instead(&s->commute, z) != COMMUTE_NOT;
  return false;
}

static void stepped(void *state) {
  struct optimal_cs_ob *s = state;
  if (!s->commutes) {
    struct sleep_node child;
    sleep_child_if(&s->sleep, &VEC_TOP(s->nodes), &s->x->trace, &child,
                   stays_asleep, s);
    VEC_PUSH(s->nodes, child);
  }
  observers_algorithm.stepped(s->observers);
}

static void ended(void *state, enum pick why) {
  struct optimal_cs_ob *s = state;
  observers_algorithm.ended(s->observers, why);
  if (s->commutes)
    explorer_replace(s->x, &optimal_cs_algorithm);
}

static bool retreat(void *state, size_t *length) {
  struct optimal_cs_ob *s = state;
  if (!observers_algorithm.retreat(s->observers, length))
    return false;
  s->nodes.size = *length + 1;
  sleep_return(&s->sleep, &VEC_TOP(s->nodes));
  sleep_add(&s->sleep, &VEC_TOP(s->nodes), &s->x->trace,
            &s->x->trace.events.at[*length]);
  return true;
}

static void *create(struct explorer *x) {
  struct optimal_cs_ob *s = calloc(1, sizeof *s);
  ensure(s);
  s->x = x;
  s->observers = observers_algorithm.create(x);
  commute_init(&s->commute, x);
  struct sleep_node root;
  sleep_root(&s->sleep, &root);
  VEC_PUSH(s->nodes, root);
  return s;
}

static void destroy(void *state) {
  struct optimal_cs_ob *s = state;
  observers_algorithm.destroy(s->observers);
  commute_free(&s->commute);
  sleep_free(&s->sleep);
  VEC_FREE(s->nodes);
  free(s);
}

const struct algorithm optimal_cs_ob_algorithm = {
    .name = "optimal-cs-ob",
    .unordered = true,
    .observes = true,
    .holds = true,
    .joins = true,
    .updates = true,
    .order = {.blocks_look = true, .all_looks = true},
    .create = create,
    .destroy = destroy,
    .pick = pick,
    .stepped = stepped,
    .ended = ended,
    .retreat = retreat};
