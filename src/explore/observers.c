/* Optimal dynamic partial-order reduction with observers: exactly one execution
 * for each trace in which two writes are ordered only if the later one is seen.
 *
 * The idea.  As in optimal.c, run an execution E to its end and reverse its
 * races; but the order of two blind writes is nobody's business unless the
 * later one is read before it is overwritten (settle.h).  That is known only at
 * the end.  If it is, then e and e' are ordered because of their observers, and
 * are reversed together with one of them (core/demand.h).  For all other races
 * v = notdep(e) . e' as ever.
 *
 * Aronis, Jonsson, Lång, Sagonas: Optimal dynamic partial order reduction with
 * observers, TACAS 2018; section 4.1 of paper 1.  Where we depart:
 *   - There are no sleep sets: an order that is not settled cannot say who is
 * to be woken.  What is done at a node is kept, and v is redundant if a step
 *     done at a node w on the path is a weak initial of all that follows there
 *     (done.h).
 *   - Only what was touched blindly is left unordered, byte by byte: see
 *     settle.h for blocks, read-modify-write and synchronisation.
 *   - Blocking operations, processes that wait at the end, alternatives and
 *     conditional steps are treated as in optimal.c.  An observer may itself be
 *     a compare-and-swap or an atomic block, which does something else when it
 *     sees e: then it is run.
 *
 *   paper               here
 *   wut(E)              node->tree
 *   done(E)             node->done
 *   v, obs(e, e')       struct demand
 *
 * Invariants:
 *   B1  the last item of a sequence is the only one whose footprint may differ
 *       from the one its event has in the execution.
 *   B2  where the tree is empty nothing that is enabled is redundant, so a free
 *       choice is free and nothing is ever cut.
 */
#include <stdlib.h>

#include "core/demand.h"
#include "core/done.h"
#include "core/settle.h"
#include "core/wakeup.h"
#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/planted.h"
#include "util/rng.h"

/* keep */
struct node {
  uint32_t tree;
  struct done_node done;
};

struct observing {
  struct explorer *x;
  VEC(struct node) nodes; /* one for each length of the trace */
  struct done done;
  struct wakeup_pool pool;
  struct settled settled;
  struct demand demand;
  VEC(struct access) last;  /* scratch: the footprint of v's last item */
  VEC(struct race) to_run;  /* what v's items touch must be found by running */
  struct positions pending; /* scratch */
};

static const struct trace *order_of(const struct observing *o) {
  return &o->settled.order;
}

/* ---- going down -----------------------------------------------------------
 */

static bool nobody(const void *context, uint32_t proc) {
  (void)context;
  (void)proc;
  return false;
}

static enum pick pick(void *state, struct move *move) {
  struct observing *o = state;
  const struct node *node = &VEC_TOP(o->nodes);
  move->choice = 0; /* B2 */
  if (!node->tree)
    return explorer_free_choice(o->x, nobody, NULL, &move->proc);
  struct option first = wakeup_first(&o->pool, node->tree);
  *move =
      (struct move){first.proc, first.choice == ANY_CHOICE ? 0 : first.choice};
  return PICK_MOVE;
}

static void stepped(void *state) {
  struct observing *o = state;
  VEC_PUSH(o->nodes, (struct node){0});
  struct node *child = &VEC_TOP(o->nodes), *node = child - 1;
  if (node->tree) {
    struct option planned = wakeup_first(&o->pool, node->tree);
    explorer_expect(o->x, planned.access, planned.accesses);
    child->tree = wakeup_take(&o->pool, &node->tree);
  }
  done_child(&o->done, &node->done, &o->x->trace, &child->done);
}

/* ---- planning -------------------------------------------------------------
 */

/* Has what v asks for been explored already? */
static bool explored(const struct observing *o, const struct node *node,
                     uint32_t *rests_on) {
  struct option step;
  uint32_t from;
  for (uint32_t i = 0; done_get(&o->done, &node->done, i, &step, &from); i++)
    if (course_match(&o->demand.v, &step, from, rests_on) != MATCH_NOT)
      return true;
  return false;
}

/* The first of the siblings that is a weak initial of v, or 0. */
static uint32_t matching(struct observing *o, uint32_t n, uint32_t *rests_on) {
  for (; n; n = wakeup_next(&o->pool, n)) {
    struct option step = wakeup_option(&o->pool, n);
    enum match match =
        course_match(&o->demand.v, &step, o->demand.v.at, rests_on);
    if (match == MATCH_FIRST)
      course_take(&o->demand.v, &step);
    if (match != MATCH_NOT)
      return n;
  }
  return 0;
}

/* As in wakeup.h.  False: it is planned already. */
static bool insert(struct observing *o, uint32_t *root, uint32_t *rests_on) {
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
  for (size_t i = 0; i < o->demand.v.items.size; i++)
    if (!o->demand.v.items.at[i].taken)
      parent =
          wakeup_append(&o->pool, root, parent, &o->demand.v.items.at[i].step);
  return true;
}

/* Plans v; returns the length of the trace on which "not needed" rests, at
 * least `rests_on`; NOWHERE if all of it, or if something was planned. */
static uint32_t plan(struct observing *o, uint32_t rests_on) {
  struct node *node = &o->nodes.at[o->demand.v.at];
  if (explored(o, node, &rests_on))
    return rests_on;
  return insert(o, &node->tree, &rests_on) ? NOWHERE : rests_on;
}

/* ---- races ----------------------------------------------------------------
 */

/* What the last item of v touches is not what its event touched. */
static void set_last(struct observing *o, const struct access *access,
                     uint32_t count) {
  o->last.size = 0;
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(o->last, access[i]);
  trace_footprint(&o->x->trace, 0, o->last.at, count);
  VEC_TOP(o->demand.v.items).step.access = o->last.at;
  VEC_TOP(o->demand.v.items).step.accesses = count;
}

/* A compare-and-swap or trylock: does it write if it comes before the event
 * that now precedes it? */
static void settle_conditional(struct observing *o, uint32_t first,
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
static uint32_t plan_order(struct observing *o, const struct race *race) {
  const struct trace *t = order_of(o);
  demand_of_race(&o->demand, race->first, race->second);
  if (o->demand.known < o->demand.v.items.size) {
    VEC_PUSH(o->to_run, *race);
    return NOWHERE;
  }
  if (!demand_observed(&o->demand) &&
      (t->events.at[race->second].flags & STEP_CONDITIONAL))
    settle_conditional(o, race->first, race->second);
  return plan(o, race->second + 1);
}

static void handle_race(struct observing *o, struct race *race) {
  if (race->settled && race->settled <= order_of(o)->shortest)
    return;
  if (race->kind == RACE_ORDER) {
    race->settled = plan_order(o, race);
  } else {
    demand_of_choice(&o->demand, race->first, race->second);
    plan(o, NOWHERE);
  }
}

/* Processes that wait at the end of the execution. */
static void handle_pending(struct observing *o) {
  struct explorer *x = o->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (!x->system->ops->pending(x->system, p, &step))
      continue;
    trace_pending_races(order_of(o), p, &step, &o->pending);
    for (size_t i = 0; i < o->pending.list.size; i++) {
      demand_of_pending(&o->demand, o->pending.list.at[i], p, &step);
      plan(o, NOWHERE);
    }
  }
}

/* ---- what only running can tell -------------------------------------------
 */

static int later_node_first(const void *a, const void *b) {
  const struct race *x = a, *y = b;
  return (x->first < y->first) - (x->first > y->first);
}

/* Takes the item, and collects what it touches in `last`.  False: it cannot be
 * taken. */
static bool run_item(struct observing *o, struct item *item) {
  struct system *system = o->x->system;
  struct step step;
  if (!system->ops->enabled(system, item->step.proc))
    return false;
  ensure(system->ops->step(system, item->step.proc, 0, &step) != STEP_REFUSED);
  size_t first = o->last.size;
  for (uint32_t i = 0; i < step.accesses; i++)
    VEC_PUSH(o->last, step.access[i]);
  trace_footprint(&o->x->trace, step.flags, &o->last.at[first], step.accesses);
  item->step.accesses = step.accesses;
  return true;
}

/* Finds out what those items of v touch that are not known.  The system is at
 * the node of v, and is left there. */
static void run_unknown(struct observing *o) {
  struct explorer *x = o->x;
  size_t possible = o->demand.known;
  o->last.size = 0;
  for (size_t i = 0; i < o->demand.known && !x->diverged; i++)
    explorer_retake(x, o->demand.v.items.at[i].position);
  if (!x->diverged)
    while (possible < o->demand.v.items.size &&
           run_item(o, &o->demand.v.items.at[possible]))
      possible++;
  if (possible < o->demand.v.items.size)
    course_cut(&o->demand.v, possible); /* e itself, after e' */
  size_t first = 0;
  for (size_t i = o->demand.known; i < possible; i++) {
    o->demand.v.items.at[i].step.access = &o->last.at[first];
    first += o->demand.v.items.at[i].step.accesses;
  }
  explorer_undo(x, o->demand.v.at);
}

/* The nodes are visited from the end of the execution towards its beginning. */
static void reverse_by_running(struct observing *o) {
  struct explorer *x = o->x;
  qsort(o->to_run.at, o->to_run.size, sizeof *o->to_run.at, later_node_first);
  size_t at = trace_length(&x->trace);
  for (size_t i = 0; i < o->to_run.size && !x->diverged; i++) {
    const struct race *r = &o->to_run.at[i];
    demand_of_race(&o->demand, r->first, r->second);
    at = r->first;
    explorer_undo(x, at);
    run_unknown(o);
    plan(o, NOWHERE);
  }
  for (; at < trace_length(&x->trace); at++)
    explorer_retake(x, at);
  o->to_run.size = 0;
}

static void ended(void *state, enum pick why) {
  struct observing *o = state;
  struct trace *t = &o->x->trace;
  settle(&o->settled, t, t->shortest, why != PICK_END);
  t->shortest = (uint32_t)trace_length(t);
  struct trace *order = &o->settled.order;
  for (size_t i = 0; i < order->races.size; i++)
    handle_race(o, &order->races.at[i]);
  handle_pending(o);
  if (o->to_run.size)
    reverse_by_running(o);
  order->shortest = (uint32_t)trace_length(order);
}

/* ---- going back -----------------------------------------------------------
 */

static bool retreat(void *state, size_t *length) {
  struct observing *o = state;
  while (o->nodes.size > 1) {
    o->nodes.size--;
    struct node *node = &VEC_TOP(o->nodes);
    if (!node->tree)
      continue;
    *length = o->nodes.size - 1;
    done_return(&o->done, &node->done);
    done_add(&o->done, &node->done, &o->x->trace, (uint32_t)*length);
    return true;
  }
  return false;
}

static void *create(struct explorer *x) {
  struct observing *o = calloc(1, sizeof *o);
  ensure(o);
  o->x = x;
  x->trace.blocks_look = x->options->races != RACES_OFF;
  wakeup_init(&o->pool);
  settled_init(&o->settled);
  demand_init(&o->demand, &o->settled.order);
  VEC_PUSH(o->nodes, (struct node){0});
  return o;
}

static void destroy(void *state) {
  struct observing *o = state;
  wakeup_free(&o->pool);
  done_free(&o->done);
  settled_free(&o->settled);
  demand_free(&o->demand);
  VEC_FREE(o->nodes);
  VEC_FREE(o->last);
  VEC_FREE(o->to_run);
  VEC_FREE(o->pending.list);
  free(o);
}

const struct algorithm observers_algorithm = {.name = "observers",
                                              .observes = true,
                                              .create = create,
                                              .destroy = destroy,
                                              .pick = pick,
                                              .stepped = stepped,
                                              .ended = ended,
                                              .retreat = retreat};
