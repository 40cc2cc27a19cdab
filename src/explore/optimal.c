/* Optimal dynamic partial-order reduction with wakeup trees: exactly one
 * execution for each Mazurkiewicz trace, and none begun in vain.  With
 * context-sensitive independence (`optimal-cs`): at least one for each class of
 * executions that differ only in the order of steps which commute where they
 * stand; some are cut.
 *
 * The idea.  Run any execution E to its end.  For each race e, e' in it, let E'
 * be the events before e.  Some execution must take e' before e, so the
 * sequence v = notdep(e) . e' has to be run from E', unless it is explored or
 * planned there already.  It is explored if a sleeping step is a weak initial
 * of v.  It is planned if v leads to a leaf of the wakeup tree of E'.
 * Otherwise v is inserted into that tree.  When all trees are empty, everything
 * is explored.
 *
 * Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
 * POPL 2014.  Where we depart:
 *   - All races of every complete execution are looked at, also those in the
 *     prefix that it shares with the execution before, because v contains
 *     later events that differ.  A verdict that depends only on a prefix which
 *     has not changed since is kept (`settled`).
 *   - Operations that block, and processes that are blocked at the end: see
 *     trace.h.
 *   - A step with alternatives (heddle_choose, which waiter a signal wakes) is
 *     treated as a race between the alternative taken and the others.
 *   - The footprint of e' in v is the one that it has when it comes first.  For
 *     compare-and-swap and trylock the system can tell, as a rule; an atomic
 *     block is run (explore/dpor/reordered_footprint.h).
 *
 * With context-sensitive independence (explore/context/covered_sleep.h;
 * docs/algorithms/context.md; there are no don't-do sequences), sleepers
 * stay asleep past steps that they commute with.  Executions are cut, so a long
 * sequence would only drag along events that have nothing to do with the race:
 * of v one step that e' needs is planned, and only members of v make v
 * redundant.  A planned step may sleep by the time that it is its turn.
 *
 *   paper            here
 *   wut(E)           node->tree
 *   sleep(E)         node->sleep
 *   v                struct reversal
 *
 * Invariants, the second not with context-sensitive independence:
 *   O1  a free choice is made only where the tree is empty.
 *   O2  there, no enabled process sleeps; so nothing is ever cut.
 *
 * After a few executions `pop` takes over (leave_trees()).
 *
 * With --preemptions, planned branches that begin with one preemption too many
 * are dropped, and O2 does not hold: a trace may have an execution within the
 * bound while the planned one is beyond it.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/context/covered_branches.h"
#include "explore/context/covered_sleep.h"
#include "explore/dpor/reordered_footprint.h"
#include "explore/dpor/sleep.h"
#include "explore/dpor/wakeup.h"
#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/planted.h"

/* When a search is not small: see leave_trees().  Executions, and bytes of
 * trees. */
enum {
  MANY_EXECUTIONS = HOSTILE ? 1000 : 16,
  LARGE_TREES = HOSTILE ? 1 << 12 : 1 << 23,
};

/* keep */
struct optimal_node {
  uint32_t tree;
  struct covered_node covered;
  struct sleep_node sleep;
};

struct optimal {
  struct explorer *x;
  bool context_sensitive;
  bool blocks;                    /* a race was met whose e' must be run */
  unsigned executions;            /* that have ended */
  struct covered_sleep covered;   /* if context_sensitive */
  VEC(struct optimal_node) nodes; /* one for each length of the trace */
  struct sleep sleep;
  struct wakeup_pool pool;
  struct reversal v;
  struct reordered_footprint footprint; /* scratch: of e' when it comes first */
  struct reordered_races to_run;        /* races whose e' must be run */
  struct positions pending;             /* scratch */
};

/* ---- going down --------------------------------------------------------- */

static struct move planned_move(const struct optimal *o, uint32_t tree) {
  struct option first = wakeup_first(&o->pool, tree);
  return (struct move){first.proc,
                       first.choice == ANY_CHOICE ? 0 : first.choice};
}

static bool asleep(const void *context, uint32_t proc) {
  const struct optimal *o = context;
  return sleep_contains(&o->sleep, &VEC_TOP(o->nodes).sleep, proc);
}

/* Drops the planned branches that begin with one preemption too many.  They are
 * not explored, so their steps do not fall asleep. */
static uint64_t drop_preemptions(struct optimal *o, struct optimal_node *node) {
  uint64_t dropped = 0;
  for (; node->tree; dropped++) {
    if (explorer_allows(o->x, wakeup_first(&o->pool, node->tree).proc))
      break;
    wakeup_drop(&o->pool, wakeup_take(&o->pool, &node->tree));
  }
  explorer_leave_out(o->x, dropped);
  return dropped;
}

/* A free choice that stays within the bound.  Planned branches may be gone, so
 * that O2 does not hold: enabled processes may sleep. */
static enum pick bounded_choice(struct optimal *o, uint32_t *proc,
                                bool dropped) {
  enum pick pick = explorer_free_choice(o->x, asleep, o, proc);
  if (pick == PICK_MOVE && !explorer_allows(o->x, *proc)) {
    explorer_leave_out(o->x, !dropped); /* otherwise it was counted already */
    return PICK_BOUND;
  }
  return pick == PICK_CUT && dropped ? PICK_BOUND : pick;
}

static enum pick pick(void *state, struct move *move) {
  struct optimal *o = state;
  struct optimal_node *node = &VEC_TOP(o->nodes);
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
  struct optimal_node *node = &VEC_TOP(o->nodes);
  if (node->covered.cut) {
    wakeup_drop(&o->pool, node->tree);
    node->tree = 0;
    return PICK_CUT;
  }
  covered_branches_drop(&o->pool, &node->tree, &o->sleep, &node->sleep, o->x,
                        true);
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

/* The newest node, which now has a new, empty child behind it. */
static struct optimal_node *new_child(struct optimal *o) {
  VEC_RESERVE(o->nodes, 1);
  struct optimal_node *node = &VEC_TOP(o->nodes);
  o->nodes.size++;
  node[1].tree = 0;
  node[1].covered = (struct covered_node){0};
  return node;
}

static void stepped_in_context(void *state) {
  struct optimal *o = state;
  struct optimal_node *node = new_child(o);
  if (node->tree)
    wakeup_take(&o->pool, &node->tree);
  covered_child(&o->covered, &node->sleep, &node[1].sleep);
}

static void stepped(void *state) {
  struct optimal *o = state;
  struct optimal_node *node = new_child(o);
  if (node->tree) {
    struct option planned = wakeup_first(&o->pool, node->tree);
    explorer_expect(o->x, planned.access, planned.accesses);
    node[1].tree = wakeup_take(&o->pool, &node->tree);
  }
  sleep_child(&o->sleep, &node->sleep, &o->x->trace, &node[1].sleep);
}

/* ---- races -------------------------------------------------------------- */

/* Has v been explored?  Then returns the length of the prefix of the trace on
 * which that depends, otherwise 0. */
static uint32_t explored(struct optimal *o, const struct optimal_node *node) {
  struct option sleeper;
  for (uint32_t i = 0; sleep_get(&o->sleep, &node->sleep, i, &sleeper); i++) {
    uint32_t rests_on =
        o->v.last_position == NOWHERE ? NOWHERE : o->v.last_position + 1;
    if (reversal_match(&o->v, &sleeper, &rests_on) != MATCH_NOT)
      return rests_on;
  }
  return 0;
}

/* Plans v; returns the length of the prefix on which "not needed" depends. */
static uint32_t plan(struct optimal *o) {
  struct optimal_node *node = &o->nodes.at[o->v.at];
  uint32_t rests_on = explored(o, node);
  if (rests_on)
    return rests_on;
  return o->context_sensitive ? wakeup_begin(&o->pool, &node->tree, &o->v)
                              : wakeup_insert(&o->pool, &node->tree, &o->v);
}

static bool is_settled(const struct optimal *o, const struct race *race) {
  return race->note &&
         (race->note <= o->x->trace.unchanged || planted(SETTLED));
}

static void begin_reversal(struct optimal *o, const struct race *race) {
  const struct trace *t = &o->x->trace;
  uint8_t flags = t->events.at[race->second].flags;
  reversal_of_race(&o->v, t, race->first, race->second);
  if (flags & STEP_LOOK)
    reordered_look(&o->v, race, &o->footprint);
  else if (flags & STEP_CONDITIONAL)
    reordered_conditional(o->x, &o->v, race->first, race->second,
                          &o->footprint);
}

static void handle_order(struct optimal *o, struct race *race) {
  if (reordered_must_run(&o->x->trace, race->first, race->second)) {
    VEC_PUSH(o->to_run.list, *race);
    o->blocks = true;
    return;
  }
  begin_reversal(o, race);
  race->note = plan(o);
}

static void handle_race(struct optimal *o, struct race *race) {
  if (is_settled(o, race))
    return;
  if (race->kind == RACE_ORDER) {
    handle_order(o, race);
  } else {
    reversal_of_choice(&o->v, &o->x->trace, race->first, race->second);
    race->note = plan(o);
  }
}

/* Processes that wait at the end of the execution. */
static void handle_pending(struct optimal *o) {
  struct explorer *x = o->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (!x->system->ops->pending(x->system, p, &step))
      continue;
    if (o->context_sensitive)
      covered_pending(&o->covered, p, &step);
    trace_pending_races(&x->trace, p, &step, &o->pending);
    for (size_t i = 0; i < o->pending.list.size; i++) {
      uint32_t first = o->pending.list.at[i];
      struct step before = explorer_pending_before(x, p, &step, first);
      reversal_of_pending(&o->v, &x->trace, first, p, &before);
      plan(o);
    }
  }
}

/* ---- atomic blocks ------------------------------------------------------ */

/* At its new place e' may have no order with e any more.  Then all that v leads
 * to is explored with e first, as with a process that sleeps. */
static bool e_may_come_first(struct optimal *o, uint32_t position) {
  const struct trace *t = &o->x->trace;
  struct option e = event_option(t, &t->events.at[position]);
  uint32_t rests_on = 0;
  return reversal_match(&o->v, &e, &rests_on) != MATCH_NOT;
}

static void reverse_block(void *context, const struct race *race) {
  struct optimal *o = context;
  reversal_of_race(&o->v, &o->x->trace, race->first, race->second);
  reordered_run(o->x, &o->v, &o->footprint);
  if (e_may_come_first(o, race->first))
    return;
  if (o->context_sensitive)
    covered_reordered(&o->covered, race->first, race->second, o->v.last.access,
                      o->v.last.accesses);
  plan(o);
}

static uint32_t tree_at(const void *state, size_t length) {
  const struct optimal *o = state;
  return o->nodes.at[length].tree;
}

/* In the hostile build, after every execution. */
static void check(struct optimal *o, enum pick why) {
  const struct trace *t = &o->x->trace;
  ensure(why != PICK_CUT || o->context_sensitive ||
         explorer_is_bounded(o->x)); /* O2 */
  wakeup_check(&o->pool, t, tree_at, o);
  for (uint32_t i = 0; i < o->nodes.size; i++)
    sleep_check(&o->sleep, &o->nodes.at[i].sleep, t, i, !o->context_sensitive);
  if (o->context_sensitive)
    seen_check(&o->covered.seen);
}

/* Trees grow with the number of executions.  `pop` has the same executions
 * without them, for less, so it takes over where there are many.  In a small
 * search the order of trees is the better one to read, and beginning anew would
 * not pay. */
static void leave_trees(struct optimal *o) {
  bool small = ++o->executions < MANY_EXECUTIONS &&
               wakeup_bytes(&o->pool) <= LARGE_TREES;
  if (!small && !o->context_sensitive && !o->blocks &&
      !explorer_is_bounded(o->x) && !o->x->replaced)
    explorer_replace(o->x, &pop_algorithm);
}

static void ended(void *state, enum pick why) {
  struct optimal *o = state;
  struct trace *t = &o->x->trace;
  for (size_t i = 0; i < t->races.size && !explorer_must_end(o->x); i++)
    handle_race(o, &t->races.at[i]);
  if (o->x->stopped)
    return;
  if (!planted(PENDING))
    handle_pending(o);
  reordered_visit(o->x, &o->to_run, reverse_block, o);
  if (HOSTILE && !o->x->diverged)
    check(o, why);
  trace_mark(t);
  leave_trees(o);
}

/* ---- going back --------------------------------------------------------- */

static bool retreat(void *state, size_t *length) {
  struct optimal *o = state;
  while (o->nodes.size > 1) {
    o->nodes.size--;
    struct optimal_node *node = &VEC_TOP(o->nodes);
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

/* The branch that began with e is done.  Is another one left? */
static bool advance_in_context(struct optimal *o, struct optimal_node *node,
                               const struct event *e) {
  sleep_return(&o->sleep, &node->sleep);
  covered_add(&o->covered, &node->sleep, &node->covered, e);
  if (covered_is_done(&o->covered, &node->covered, e)) {
    wakeup_drop(&o->pool, node->tree);
    node->tree = 0;
    return false;
  }
  covered_branches_drop(&o->pool, &node->tree, &o->sleep, &node->sleep, o->x,
                        false);
  if (!node->tree && node->covered.try_all)
    covered_branches_add_all(&o->pool, &node->tree, &o->sleep, &node->sleep,
                             o->x, (size_t)(e - o->x->trace.events.at));
  return node->tree;
}

static bool retreat_in_context(void *state, size_t *length) {
  struct optimal *o = state;
  while (o->nodes.size > 1) {
    o->nodes.size--;
    struct optimal_node *node = &VEC_TOP(o->nodes);
    *length = o->nodes.size - 1;
    if ((node->tree || node->covered.try_all) &&
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
  struct optimal_node root = {0};
  sleep_root(&o->sleep, &root.sleep);
  VEC_PUSH(o->nodes, root);
  return o;
}

static void destroy(void *state) {
  struct optimal *o = state;
  if (o->context_sensitive)
    covered_free(&o->covered);
  wakeup_free(&o->pool);
  sleep_free(&o->sleep);
  VEC_FREE(o->nodes);
  VEC_FREE(o->footprint.list);
  VEC_FREE(o->to_run.list);
  positions_free(&o->pending);
  reversal_free(&o->v);
  free(o);
}

static struct covered_node *covered_at(void *state, size_t length) {
  struct optimal *o = state;
  return &o->nodes.at[length].covered;
}

static void *create_cs(struct explorer *x) {
  struct optimal *o = create(x);
  o->context_sensitive = o->v.members_only = true;
  covered_init(&o->covered, x, &o->sleep, covered_at, o);
  return o;
}

static size_t planned(const void *state, size_t length) {
  const struct optimal *o = state;
  uint32_t tree = length < o->nodes.size ? o->nodes.at[length].tree : 0;
  return wakeup_count(&o->pool, tree);
}

const struct algorithm optimal_cs_algorithm = {
    .name = "optimal-cs",
    .holds = true,
    .joins = true,
    .updates = true,
    .unordered = true,
    .order = {.races = true, .by_value = true},
    .create = create_cs,
    .destroy = destroy,
    .pick = pick_in_context,
    .stepped = stepped_in_context,
    .ended = ended,
    .retreat = retreat_in_context,
    .planned = planned};

const struct algorithm optimal_algorithm = {.name = "optimal",
                                            .gathers = true,
                                            .holds = true,
                                            .updates = true,
                                            .joins = true,
                                            .order = {.races = true},
                                            .takes = TAKES_PREEMPTIONS,
                                            .create = create,
                                            .destroy = destroy,
                                            .pick = pick,
                                            .stepped = stepped,
                                            .ended = ended,
                                            .retreat = retreat,
                                            .planned = planned};
