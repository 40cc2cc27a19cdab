/* Optimal dynamic partial-order reduction with observers: exactly one execution
 * for each trace in which two writes are ordered only if the later one is seen.
 *
 * The idea.  As in optimal.c, run an execution E to its end and reverse its
 * races.  But the order of two blind writes does not matter unless the later
 * one is read before it is overwritten (observed_order.h).  That is known only
 * at the end.  If it is read, e and e' are ordered because of their observers,
 * and are reversed together with one of them (reversal_with_observers.h).  For
 * all other races v = notdep(e) . e' as in optimal.c.
 *
 * Aronis, Jonsson, Lång, Sagonas: Optimal dynamic partial order reduction with
 * observers, TACAS 2018; section 4.1 of paper 1.  Where we depart:
 *   - There are no ordinary sleep sets: before the end of an execution, its
 *     order cannot say which sleepers a step wakes.  Explored steps are kept
 *     longer, and v is redundant if a step explored at a node w of the path is
 *     a weak initial of all that follows there (observed_sleep.h).
 *   - Only blind writes are left unordered, byte by byte: see observed_order.h
 *     for blocks, read-modify-write and synchronisation.
 *   - Blocking operations, processes that wait at the end, alternatives and
 *     conditional steps are treated as in optimal.c.  An observer may itself be
 *     a compare-and-swap or an atomic block, which does something else when it
 *     sees e: then it is run.
 *
 *   paper               here
 *   wut(E)              node->tree
 *   done(E)             node->sleep
 *   v, obs(e, e')       struct reversal_with_observers
 *
 * Invariants:
 *   B1  all items of v but the last, and but those after the first `known`,
 *       have the footprints of their events.
 *   B2  where the tree is empty, no enabled step is redundant.  So a free
 *       choice is free, and nothing is ever cut.
 */
#include <stdlib.h>

#include "explore/observers/reversal_with_observers.h"
#include "explore/observers/observed_sleep.h"
#include "explore/observers/observed_order.h"
#include "explore/dpor/reordered_footprint.h"
#include "explore/dpor/wakeup.h"
#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/planted.h"
#include "util/rng.h"

/* keep */
struct observers_node {
  uint32_t tree;
  struct observed_sleep_node sleep;
};

struct observers {
  struct explorer *x;
  VEC(struct observers_node) nodes; /* one for each length of the trace */
  struct observed_sleep sleep;
  struct wakeup_pool pool;
  struct observed_order observed;
  struct reversal_with_observers reversal;
  VEC(struct access) last;       /* scratch: the footprint of v's last item */
  struct reordered_races to_run; /* races for which items of v must be run */
  struct positions pending;      /* scratch */
};

static const struct trace *order_of(const struct observers *o) {
  return &o->observed.order;
}

/* ---- going down --------------------------------------------------------- */

static bool never_asleep(const void *context, uint32_t proc) {
  (void)context;
  (void)proc;
  return false;
}

static enum pick pick(void *state, struct move *move) {
  struct observers *o = state;
  const struct observers_node *node = &VEC_TOP(o->nodes);
  move->choice = 0; /* B2 */
  if (!node->tree)
    return explorer_free_choice(o->x, never_asleep, NULL, &move->proc);
  struct option first = wakeup_first(&o->pool, node->tree);
  *move =
      (struct move){first.proc, first.choice == ANY_CHOICE ? 0 : first.choice};
  return PICK_MOVE;
}

static void stepped(void *state) {
  struct observers *o = state;
  VEC_PUSH(o->nodes, (struct observers_node){0});
  struct observers_node *child = &VEC_TOP(o->nodes), *node = child - 1;
  if (node->tree) {
    struct option planned = wakeup_first(&o->pool, node->tree);
    explorer_expect(o->x, planned.access, planned.accesses);
    child->tree = wakeup_take(&o->pool, &node->tree);
  }
  observed_sleep_child(&o->sleep, &node->sleep, &o->x->trace, &child->sleep);
  if (VEC_TOP(o->x->trace.events).flags & STEP_LOOK)
    observed_order_look(&o->observed, &o->x->trace);
}

/* ---- planning ----------------------------------------------------------- */

/* Has v been explored already? */
static bool explored(const struct observers *o,
                     const struct observers_node *node, uint32_t *rests_on) {
  struct option step;
  uint32_t from;
  for (uint32_t i = 0;
       observed_sleep_get(&o->sleep, &node->sleep, i, &step, &from); i++)
    if (observed_sequence_match(&o->reversal.v, &step, from, rests_on) !=
        MATCH_NOT)
      return true;
  return false;
}

/* The first of the siblings that is a weak initial of v, or 0. */
static uint32_t matching(struct observers *o, uint32_t n, uint32_t *rests_on) {
  for (; n; n = wakeup_next(&o->pool, n)) {
    struct option step = wakeup_option(&o->pool, n);
    enum match match = observed_sequence_match(&o->reversal.v, &step,
                                               o->reversal.v.at, rests_on);
    if (match == MATCH_FIRST)
      observed_sequence_take(&o->reversal.v, &step);
    if (match != MATCH_NOT)
      return n;
  }
  return 0;
}

/* Inserts v as in wakeup.h; false if it is planned already. */
static bool insert(struct observers *o, uint32_t *root, uint32_t *rests_on) {
  uint32_t parent = 0;
  for (;;) {
    uint32_t children = wakeup_children(&o->pool, *root, parent);
    if (parent && !children)
      return false; /* a leaf */
    uint32_t n = matching(o, children, rests_on);
    if (!n)
      break;
    parent = n;
  }
  for (size_t i = 0; i < o->reversal.v.items.size; i++)
    if (!o->reversal.v.items.at[i].taken)
      parent = wakeup_append(&o->pool, root, parent,
                             &o->reversal.v.items.at[i].step);
  return true;
}

/* In the hostile build. */
static void check_footprints(const struct observers *o) {
  const struct trace *t = order_of(o);
  const struct observed_sequence *v = &o->reversal.v;
  for (size_t i = 0; i + 1 < v->items.size && i < o->reversal.known; i++)
    ensure(v->items.at[i].step.access ==
           event_access(t, &t->events.at[v->items.at[i].position])); /* B1 */
}

/* Plans v; returns the length of the prefix on which "not needed" depends, at
 * least `rests_on`.  NOWHERE if it depends on the whole trace, or if something
 * was planned. */
static uint32_t plan(struct observers *o, uint32_t rests_on) {
  if (HOSTILE)
    check_footprints(o);
  struct observers_node *node = &o->nodes.at[o->reversal.v.at];
  if (explored(o, node, &rests_on))
    return rests_on;
  return insert(o, &node->tree, &rests_on) ? NOWHERE : rests_on;
}

/* ---- races -------------------------------------------------------------- */

/* Gives the last item of v another footprint than its event has. */
static void set_last(struct observers *o, const struct access *access,
                     uint32_t count) {
  o->last.size = 0;
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(o->last, access[i]);
  trace_footprint(&o->x->trace, 0, o->last.at, count);
  VEC_TOP(o->reversal.v.items).step.access = o->last.at;
  VEC_TOP(o->reversal.v.items).step.accesses = count;
}

/* A compare-and-swap or trylock: does it write if it comes before the event
 * that now precedes it? */
static void reorder_conditional(struct observers *o, uint32_t first,
                                uint32_t second) {
  const struct trace *t = order_of(o);
  const struct event *e = &t->events.at[second], *d = &t->events.at[first];
  bool d_writes = false;
  for (uint32_t i = 0; i < d->accesses; i++)
    d_writes |= (event_access(t, d)[i].mode & ACCESS_WRITE) &&
                access_conflict(&event_access(t, d)[i], event_access(t, e));
  if (!d_writes)
    return;
  struct system *system = o->x->system;
  bool writes = system->ops->succeeds_before(system, second, first);
  set_last(o, event_access(t, e), e->accesses);
  o->last.at[0].mode &= ~(uint32_t)(ACCESS_WRITE | ACCESS_SILENT);
  if (writes)
    o->last.at[0].mode |= ACCESS_WRITE;
}

/* Plans v, now or when the system is at its node. */
static uint32_t plan_order(struct observers *o, const struct race *race) {
  const struct trace *t = order_of(o);
  reversal_with_observers_of_race(&o->reversal, race->first, race->second);
  if (o->reversal.known < o->reversal.v.items.size) {
    VEC_PUSH(o->to_run.list, *race);
    return NOWHERE;
  }
  if (!reversal_with_observers_is_observed(&o->reversal) &&
      (t->events.at[race->second].flags & STEP_CONDITIONAL))
    reorder_conditional(o, race->first, race->second);
  return plan(o, race->second + 1);
}

static void handle_race(struct observers *o, struct race *race) {
  if (race->note && race->note <= order_of(o)->unchanged)
    return;
  if (race->kind == RACE_ORDER) {
    race->note = plan_order(o, race);
  } else {
    reversal_with_observers_of_choice(&o->reversal, race->first, race->second);
    plan(o, NOWHERE);
  }
}

/* Processes that wait at the end of the execution. */
static void handle_pending(struct observers *o) {
  struct explorer *x = o->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (!x->system->ops->pending(x->system, p, &step))
      continue;
    trace_pending_races(order_of(o), p, &step, &o->pending);
    for (size_t i = 0; i < o->pending.list.size; i++) {
      uint32_t first = o->pending.list.at[i];
      struct step before = explorer_pending_before(x, p, &step, first);
      reversal_with_observers_of_pending(&o->reversal, first, p, &before);
      plan(o, NOWHERE);
    }
  }
}

/* ---- what only running can tell ----------------------------------------- */

/* Takes the item, and adds its footprint to `last`; false if it cannot be
 * taken. */
static bool run_item(struct observers *o, struct observed_sequence_item *item) {
  struct step step;
  if (!explorer_probe(o->x, item->step.proc, 0, &step))
    return false;
  size_t first = o->last.size;
  for (uint32_t i = 0; i < step.accesses; i++)
    VEC_PUSH(o->last, step.access[i]);
  trace_footprint(&o->x->trace, step.flags, &o->last.at[first], step.accesses);
  item->step.accesses = step.accesses;
  return true;
}

/* Runs the items of v whose footprints are not known.  The system is at the
 * node of v, and is left there. */
static void run_unknown(struct observers *o) {
  struct explorer *x = o->x;
  size_t possible = o->reversal.known;
  o->last.size = 0;
  for (size_t i = 0; i < o->reversal.known && !x->diverged; i++)
    explorer_retake(x, o->reversal.v.items.at[i].position);
  if (!x->diverged)
    while (possible < o->reversal.v.items.size &&
           run_item(o, &o->reversal.v.items.at[possible]))
      possible++;
  if (possible < o->reversal.v.items.size)
    observed_sequence_cut(&o->reversal.v, possible); /* e itself, after e' */
  size_t first = 0;
  for (size_t i = o->reversal.known; i < possible; i++) {
    o->reversal.v.items.at[i].step.access = &o->last.at[first];
    first += o->reversal.v.items.at[i].step.accesses;
  }
  explorer_undo(x, o->reversal.v.at);
}

/* The system is at the node before the race. */
static void reverse_by_running(void *state, const struct race *race) {
  struct observers *o = state;
  reversal_with_observers_of_race(&o->reversal, race->first, race->second);
  run_unknown(o);
  plan(o, NOWHERE);
}

static uint32_t tree_at(const void *state, size_t length) {
  const struct observers *o = state;
  return o->nodes.at[length].tree;
}

/* In the hostile build, after every execution. */
static void check(const struct observers *o, enum pick why) {
  const struct trace *t = &o->x->trace;
  ensure(why != PICK_CUT); /* B2 */
  observed_order_check(&o->observed, t);
  wakeup_check(&o->pool, t, tree_at, o);
  for (uint32_t i = 0; i < o->nodes.size; i++)
    observed_sleep_check(&o->sleep, &o->nodes.at[i].sleep, t, i);
}

static void ended(void *state, enum pick why) {
  struct observers *o = state;
  struct trace *t = &o->x->trace;
  observed_order_find(&o->observed, t, t->unchanged, why != PICK_END);
  trace_mark(t);
  struct trace *order = &o->observed.order;
  for (size_t i = 0; i < order->races.size && !explorer_must_end(o->x); i++)
    handle_race(o, &order->races.at[i]);
  if (o->x->stopped)
    return;
  handle_pending(o);
  reordered_visit(o->x, &o->to_run, reverse_by_running, o);
  if (HOSTILE && !o->x->diverged)
    check(o, why);
  trace_mark(order);
}

/* ---- going back --------------------------------------------------------- */

static bool retreat(void *state, size_t *length) {
  struct observers *o = state;
  while (o->nodes.size > 1) {
    o->nodes.size--;
    struct observers_node *node = &VEC_TOP(o->nodes);
    if (!node->tree)
      continue;
    *length = o->nodes.size - 1;
    observed_sleep_return(&o->sleep, &node->sleep);
    observed_sleep_add(&o->sleep, &node->sleep, &o->x->trace,
                       (uint32_t)*length);
    return true;
  }
  return false;
}

static void *create(struct explorer *x) {
  struct observers *o = calloc(1, sizeof *o);
  ensure(o);
  o->x = x;
  wakeup_init(&o->pool);
  observed_order_init(&o->observed);
  reversal_with_observers_init(&o->reversal, &o->observed.order);
  VEC_PUSH(o->nodes, (struct observers_node){0});
  return o;
}

static void destroy(void *state) {
  struct observers *o = state;
  wakeup_free(&o->pool);
  observed_sleep_free(&o->sleep);
  observed_order_free(&o->observed);
  reversal_with_observers_free(&o->reversal);
  VEC_FREE(o->nodes);
  VEC_FREE(o->last);
  VEC_FREE(o->to_run.list);
  positions_free(&o->pending);
  free(o);
}

static size_t planned(const void *state, size_t length) {
  const struct observers *o = state;
  uint32_t tree = length < o->nodes.size ? o->nodes.at[length].tree : 0;
  return wakeup_count(&o->pool, tree);
}

const struct algorithm observers_algorithm = {
    .name = "observers",
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
    .retreat = retreat,
    .planned = planned};
