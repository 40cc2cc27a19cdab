/* Contexts or observers (optimal-cs-ob): `observers` for programs in which
 * nothing commutes, `optimal-cs` for those in which something does.
 *
 * Paper 1, algorithm 2, has both reductions in one search, and loses
 * executions. They have different reasons to call a sequence redundant.
 * `observers` rests on what is done, also where its order with what followed
 * was never settled; `optimal-cs` on what sleeps, where everybody is tried who
 * could matter (core/cover.h).  What is done proves nothing there, since nobody
 * has seen to what it supposes to be planned; and without what is done, sleep
 * sets in an order that is not settled lose executions (observed-asleep,
 * observed-await in tests/models).
 *
 * So the search begins as `observers`.  Besides, what is done sleeps, as in any
 * sleep set, only to be asked whether it commutes with the step that would wake
 * it.  The first time that it does, the search begins anew as `optimal-cs`.
 * Either search alone is sound, so is this one.
 */
#include <stdlib.h>

#include "core/context.h"
#include "core/sleep.h"
#include "explore/algorithms.h"
#include "util/ensure.h"

struct either {
  struct explorer *x;
  const struct algorithm *search; /* observers or optimal-cs ... */
  void *state;                    /* ... and its state */
  struct context context;         /* for observers: who sleeps, ... */
  struct sleep sleep;
  VEC(struct sleep_node) nodes;
  bool commutes; /* ... and whether it ever commuted */
};

static enum pick pick(void *state, struct move *move) {
  struct either *s = state;
  return s->search->pick(s->state, move);
}

static bool stays_asleep(void *context, struct sleeper *z) {
  struct either *s = context;
  if (!s->commutes)
    s->commutes = context_commutes_instead(&s->context, z) != COMMUTE_NOT;
  return false;
}

static bool watches(const struct either *s) {
  return s->search == &observers_algorithm && !s->commutes;
}

static void stepped(void *state) {
  struct either *s = state;
  if (watches(s)) {
    struct sleep_node child;
    sleep_child_if(&s->sleep, &VEC_TOP(s->nodes), &s->x->trace, &child,
                   stays_asleep, s);
    VEC_PUSH(s->nodes, child);
  }
  s->search->stepped(s->state);
}

static void ended(void *state, enum pick why) {
  struct either *s = state;
  s->search->ended(s->state, why);
}

static void begin_anew(struct either *s) {
  s->search->destroy(s->state);
  s->search = &optimal_cs_algorithm;
  s->x->trace.blocks_look = false;
  s->state = s->search->create(s->x);
  explorer_restart(s->x);
}

static bool retreat(void *state, size_t *length) {
  struct either *s = state;
  if (s->commutes && s->search == &observers_algorithm) {
    begin_anew(s);
    *length = 0;
    return true;
  }
  if (!s->search->retreat(s->state, length))
    return false;
  if (watches(s)) {
    s->nodes.size = *length + 1;
    sleep_return(&s->sleep, &VEC_TOP(s->nodes));
    sleep_add(&s->sleep, &VEC_TOP(s->nodes), &s->x->trace,
              &s->x->trace.events.at[*length]);
  }
  return true;
}

static void *create(struct explorer *x) {
  struct either *s = calloc(1, sizeof *s);
  ensure(s);
  s->x = x;
  s->search = &observers_algorithm;
  s->state = s->search->create(x);
  context_init(&s->context, x);
  struct sleep_node root;
  sleep_root(&s->sleep, &root);
  VEC_PUSH(s->nodes, root);
  return s;
}

static void destroy(void *state) {
  struct either *s = state;
  s->search->destroy(s->state);
  context_free(&s->context);
  sleep_free(&s->sleep);
  VEC_FREE(s->nodes);
  free(s);
}

const struct algorithm optimal_cs_ob_algorithm = {.name = "optimal-cs-ob",
                                                  .observes = true,
                                                  .wants_races = true,
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .pick = pick,
                                                  .stepped = stepped,
                                                  .ended = ended,
                                                  .retreat = retreat};
