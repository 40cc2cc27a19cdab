/* Optimal dynamic partial-order reduction with wakeup trees: exactly one
 * execution for each Mazurkiewicz trace, and none begun in vain.  In context
 * (`optimal-cs`): at least one for each class of executions that differ only in
 * the order of steps which commute where they stand; some are cut.
 *
 * The idea.  Run any execution E to its end.  For each race e, e' in it, let E'
 * be what came before e: some execution must take e' before e, so the sequence
 * v = notdep(e) . e' has to be run from E', unless what v asks for is explored
 * or planned there already.  It is explored if a sleeping step is a weak
 * initial of v; it is planned if v leads to a leaf of the wakeup tree of E'.
 * Otherwise v is inserted into that tree.  When nothing is left in any tree,
 * all is explored.
 *
 * Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
 * POPL 2014.  Where we depart:
 *   - All races of every complete execution are looked at, also those in the
 *     part it shares with the one before, because v contains later events that
 *     differ.  A verdict that rests only on a prefix that has not changed since
 *     is not looked at again (`settled`).
 *   - Operations that block, and processes that are blocked at the end: see
 *     trace.h.
 *   - A step with alternatives (heddle_choose, which waiter a signal wakes) is
 *     treated as a race between the alternative taken and the others.
 *   - The footprint of e' in v is what e' touches when it comes first.  For
 *     compare-and-swap and trylock the system can tell, as a rule; an atomic
 *     block is run (core/late.h).
 *
 * In context (core/cover.h; docs/algorithms.md, "Contexts"; there are no
 * don't-do sequences): sleepers stay asleep past steps that they commute with.
 * Executions are cut, so a long sequence would only drag along what the race
 * has nothing to do with: of v one step is planned that e' needs, and only
 * members of v make it redundant.  What was planned may sleep by then.
 *
 *   paper            here
 *   wut(E)           node->tree
 *   sleep(E)         node->sleep
 *   v                struct reversal
 *
 * Invariants, the second not in context:
 *   O1  a free choice is made only where the tree is empty.
 *   O2  there, nobody who is enabled sleeps; so nothing is ever cut.
 *
 * With --preemptions, planned branches that begin with a preemption too many
 * are dropped, and O2 does not hold: of a trace that could be had within the
 * bound, the linearisation that is planned may be beyond it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/branches.h"
#include "core/cover.h"
#include "core/late.h"
#include "core/sleep.h"
#include "core/wakeup.h"
#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/planted.h"

/* keep */
struct node {
  uint32_t tree;
  struct cover_node cover;
  struct sleep_node sleep;
};

struct optimal {
  struct explorer *x;
  bool by_context;
  struct cover cover;     /* if so */
  VEC(struct node) nodes; /* one for each length of the trace */
  struct sleep sleep;
  struct wakeup_pool pool;
  struct reversal v;
  struct late_footprint late; /* scratch: of e' when it is first */
  struct late_races to_run;   /* races whose e' must be run */
  struct positions pending;   /* scratch */
};

/* ---- going down -----------------------------------------------------------
 */

static struct move planned_move(const struct optimal *o, uint32_t tree) {
  struct option first = wakeup_first(&o->pool, tree);
  return (struct move){first.proc,
                       first.choice == ANY_CHOICE ? 0 : first.choice};
}

static bool asleep(const void *context, uint32_t proc) {
  const struct optimal *o = context;
  return sleep_contains(&o->sleep, &VEC_TOP(o->nodes).sleep, proc);
}

/* Drops the planned branches that begin with a preemption too many.  They are
 * not explored, so nobody falls asleep. */
static uint64_t drop_preemptions(struct optimal *o, struct node *node) {
  uint64_t dropped = 0;
  for (; node->tree; dropped++) {
    if (explorer_allows(o->x, wakeup_first(&o->pool, node->tree).proc))
      break;
    wakeup_drop(&o->pool, wakeup_take(&o->pool, &node->tree));
  }
  explorer_leave_out(o->x, dropped);
  return dropped;
}

/* A free choice that stays within the bound.  What was planned may be gone, so
 * that O2 does not hold: who is enabled may sleep. */
static enum pick bounded_choice(struct optimal *o, uint32_t *proc,
                                bool dropped) {
  enum pick pick = explorer_free_choice(o->x, asleep, o, proc);
  if (pick == PICK_MOVE && !explorer_allows(o->x, *proc)) {
    explorer_leave_out(o->x, !dropped); /* or it was counted already */
    return PICK_BOUND;
  }
  return pick == PICK_CUT && dropped ? PICK_BOUND : pick;
}

static enum pick pick(void *state, struct move *move) {
  struct optimal *o = state;
  struct node *node = &VEC_TOP(o->nodes);
  bool dropped = explorer_is_bounded(o->x) && drop_preemptions(o, node);
  if (node->tree) {
    *move = planned_move(o, node->tree);
    return PICK_MOVE;
  }
  move->choice = 0; /* O1, O2 */
  return bounded_choice(o, &move->proc, dropped);
}

static bool asleep_in_context(const void *context, uint32_t proc) {
  const struct optimal *o = context;
  uint32_t ignored;
  return !sleep_alternative(&o->sleep, &VEC_TOP(o->nodes).sleep, proc,
                            &ignored);
}

static enum pick pick_in_context(void *state, struct move *move) {
  struct optimal *o = state;
  struct node *node = &VEC_TOP(o->nodes);
  if (node->cover.covered) {
    wakeup_drop(&o->pool, node->tree);
    node->tree = 0;
    return PICK_CUT;
  }
  branches_drop(&o->pool, &node->tree, &o->sleep, &node->sleep, o->x, true);
  if (node->tree) {
    *move = planned_move(o, node->tree);
    return PICK_MOVE;
  }
  enum pick free =
      explorer_free_choice(o->x, asleep_in_context, o, &move->proc);
  if (free == PICK_MOVE)
    sleep_alternative(&o->sleep, &node->sleep, move->proc, &move->choice);
  return free;
}

/* The node at hand, with a new child behind it that knows nothing yet. */
static struct node *new_child(struct optimal *o) {
  VEC_RESERVE(o->nodes, 1);
  struct node *node = &VEC_TOP(o->nodes);
  o->nodes.size++;
  node[1].tree = 0;
  node[1].cover = (struct cover_node){0};
  return node;
}

static void stepped_in_context(void *state) {
  struct optimal *o = state;
  struct node *node = new_child(o);
  if (node->tree)
    wakeup_take(&o->pool, &node->tree);
  cover_child(&o->cover, &node->sleep, &node[1].sleep);
}

static void stepped(void *state) {
  struct optimal *o = state;
  struct node *node = new_child(o);
  if (node->tree) {
    struct option planned = wakeup_first(&o->pool, node->tree);
    explorer_expect(o->x, planned.access, planned.accesses);
    node[1].tree = wakeup_take(&o->pool, &node->tree);
  }
  sleep_child(&o->sleep, &node->sleep, &o->x->trace, &node[1].sleep);
}

/* ---- races ----------------------------------------------------------------
 */

/* Has what v asks for been explored already?  Then the result is the length of
 * the trace that this rests on, otherwise 0. */
static uint32_t explored(const struct optimal *o, const struct node *node) {
  struct option sleeper;
  for (uint32_t i = 0; sleep_get(&o->sleep, &node->sleep, i, &sleeper); i++) {
    uint32_t rests_on =
        o->v.late_position == NOWHERE ? NOWHERE : o->v.late_position + 1;
    if (reversal_match(&o->v, &sleeper, &rests_on) != MATCH_NOT)
      return rests_on;
  }
  return 0;
}

/* Plans v; returns the length of the trace on which "not needed" rests. */
static uint32_t plan(struct optimal *o) {
  struct node *node = &o->nodes.at[o->v.at];
  uint32_t rests_on = explored(o, node);
  if (rests_on)
    return rests_on;
  return o->by_context ? wakeup_begin(&o->pool, &node->tree, &o->v)
                       : wakeup_insert(&o->pool, &node->tree, &o->v);
}

static bool is_settled(const struct optimal *o, const struct race *race) {
  return race->settled &&
         (race->settled <= o->x->trace.shortest || planted(SETTLED));
}

static void begin_reversal(struct optimal *o, const struct race *race) {
  const struct trace *t = &o->x->trace;
  reversal_of_race(&o->v, t, race->first, race->second);
  if (t->events.at[race->second].flags & STEP_CONDITIONAL)
    late_conditional(o->x, &o->v, race->first, race->second, &o->late);
}

static void handle_order(struct optimal *o, struct race *race) {
  if (late_must_run(&o->x->trace, race->first, race->second)) {
    VEC_PUSH(o->to_run.list, *race);
    return;
  }
  begin_reversal(o, race);
  race->settled = plan(o);
}

static void handle_race(struct optimal *o, struct race *race) {
  if (is_settled(o, race))
    return;
  if (race->kind == RACE_ORDER) {
    handle_order(o, race);
  } else {
    reversal_of_choice(&o->v, &o->x->trace, race->first, race->second);
    race->settled = plan(o);
  }
}

/* Processes that wait at the end of the execution. */
static void handle_pending(struct optimal *o) {
  struct explorer *x = o->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (!x->system->ops->pending(x->system, p, &step))
      continue;
    if (o->by_context)
      cover_pending(&o->cover, p, &step);
    trace_pending_races(&x->trace, p, &step, &o->pending);
    for (size_t i = 0; i < o->pending.list.size; i++) {
      reversal_of_pending(&o->v, &x->trace, o->pending.list.at[i], p, &step);
      plan(o);
    }
  }
}

/* ---- atomic blocks --------------------------------------------------------
 */

static void reverse_block(void *context, const struct race *race) {
  struct optimal *o = context;
  reversal_of_race(&o->v, &o->x->trace, race->first, race->second);
  late_run(o->x, &o->v, &o->late);
  if (o->by_context)
    cover_late(&o->cover, race->first, race->second, o->v.late.access,
               o->v.late.accesses);
  plan(o);
}

static void ended(void *state, enum pick why) {
  struct optimal *o = state;
  (void)why;
  struct trace *t = &o->x->trace;
  for (size_t i = 0; i < t->races.size; i++)
    handle_race(o, &t->races.at[i]);
  if (!planted(PENDING))
    handle_pending(o);
  late_visit(o->x, &o->to_run, reverse_block, o);
  t->shortest = (uint32_t)trace_length(t);
}

/* ---- going back -----------------------------------------------------------
 */

static bool retreat(void *state, size_t *length) {
  struct optimal *o = state;
  while (o->nodes.size > 1) {
    o->nodes.size--;
    struct node *node = &VEC_TOP(o->nodes);
    if (!node->tree)
      continue;
    *length = o->nodes.size - 1;
    sleep_return(&o->sleep, &node->sleep);
    sleep_add(&o->sleep, &node->sleep, &o->x->trace,
              &o->x->trace.events.at[*length]);
    return true;
  }
  return false;
}

/* The branch that began with e is done: is another one left? */
static bool advance_in_context(struct optimal *o, struct node *node,
                               const struct event *e) {
  sleep_return(&o->sleep, &node->sleep);
  cover_add(&o->cover, &node->sleep, &node->cover, e);
  if (cover_is_done(&o->cover, &node->cover, e)) {
    wakeup_drop(&o->pool, node->tree);
    node->tree = 0;
    return false;
  }
  branches_drop(&o->pool, &node->tree, &o->sleep, &node->sleep, o->x, false);
  if (!node->tree && node->cover.everybody)
    branches_add_everybody(&o->pool, &node->tree, &o->sleep, &node->sleep, o->x,
                           (size_t)(e - o->x->trace.events.at));
  return node->tree;
}

static bool retreat_in_context(void *state, size_t *length) {
  struct optimal *o = state;
  while (o->nodes.size > 1) {
    o->nodes.size--;
    struct node *node = &VEC_TOP(o->nodes);
    *length = o->nodes.size - 1;
    if ((node->tree || node->cover.everybody) &&
        advance_in_context(o, node, &o->x->trace.events.at[*length]))
      return true;
  }
  return false;
}

static void *create(struct explorer *x) {
  struct optimal *o = calloc(1, sizeof *o);
  ensure(o);
  o->x = x;
  wakeup_init(&o->pool);
  struct node root = {0};
  sleep_root(&o->sleep, &root.sleep);
  VEC_PUSH(o->nodes, root);
  return o;
}

static void destroy(void *state) {
  struct optimal *o = state;
  if (o->by_context)
    cover_free(&o->cover);
  wakeup_free(&o->pool);
  sleep_free(&o->sleep);
  VEC_FREE(o->nodes);
  VEC_FREE(o->late.list);
  VEC_FREE(o->to_run.list);
  VEC_FREE(o->pending.list);
  reversal_free(&o->v);
  free(o);
}

static struct cover_node *cover_at(void *state, size_t length) {
  struct optimal *o = state;
  return &o->nodes.at[length].cover;
}

static void *create_cs(struct explorer *x) {
  struct optimal *o = create(x);
  o->by_context = o->v.members_only = true;
  cover_init(&o->cover, x, &o->sleep, cover_at, o);
  return o;
}

const struct algorithm optimal_cs_algorithm = {.name = "optimal-cs",
                                               .wants_races = true,
                                               .create = create_cs,
                                               .destroy = destroy,
                                               .pick = pick_in_context,
                                               .stepped = stepped_in_context,
                                               .ended = ended,
                                               .retreat = retreat_in_context};

const struct algorithm optimal_algorithm = {.name = "optimal",
                                            .wants_races = true,
                                            .bounds = true,
                                            .create = create,
                                            .destroy = destroy,
                                            .pick = pick,
                                            .stepped = stepped,
                                            .ended = ended,
                                            .retreat = retreat};
