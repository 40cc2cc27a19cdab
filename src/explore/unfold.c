/* Exploration of the unfolding: `unfold` is optimal, one execution for each
 * Mazurkiewicz trace and none in vain; `quasi=K` looks at no more than K
 * sleeping steps when it searches for what to do next, which is cheaper, and
 * may begin executions in vain.
 *
 * The idea.  All executions together form one structure of events, in which an
 * event is a step with its history.  An execution is a maximal set of them
 * without conflicts, a configuration.  Run any execution to its end, then go
 * back: at each node, with the configuration C and the last event e put to
 * sleep, look among the events known for an *alternative*: something that C
 * allows and after which none of the sleeping events is possible.  If there is
 * one, go on there, and take its events first.
 *
 * Nguyen, Rodriguez, Sousa, Coti, Petrucci: Quasi-optimal partial order
 * reduction, CAV 2018.  Where we depart (docs/algorithms.md, "Unfoldings"):
 *   - The extensions of an execution are found as `optimal` finds what to run:
 *     each race e, e' gives e' with its history without e, listed at the node
 *     before e, unless what need not come after e shows that it is explored.
 *     Processes that wait at the end have extensions, too (the paper forgets
 *     these, and loses executions).  Other conflicting extensions are found in
 *     executions that have these.
 *   - So the search begins with the extensions listed at the node, and with
 *     those of earlier nodes as long as somebody who slept there still does.
 *     Most nodes have none, and no comb is built.  The comb serves the sleepers
 *     that slept already when the extension was found; later ones must be in
 *     conflict with the extension itself.
 *   - Any footprint, not only mutexes: see unfolding.h and front.h.  Conflicts
 *     are decided by adding events to C one by one, causality by the last
 *     event of each process; there are trees of processes with skips, and no
 *     trees of objects.
 *   - Sleeping events that C is in conflict with (justified ones) are dropped
 *     at once; so D is a sleep set.
 *   - Events are dropped when no alternative can need them.  What is kept are
 *     C, D, what is listed, the rivals of D that a listed extension may need,
 *     and the histories of all these (the paper's line 13 drops histories, too,
 *     and loses executions).
 *
 *   paper              here
 *   C                  front, in step with the trace
 *   D                  node->sleepers, without those that are justified
 *   A                  node->plan
 *   U                  unfolding
 *   Alt(C, D), K       find_alternative(), `most`
 *   ex(C)              enter_extensions()
 *   Q(C, D)            drop()
 *
 * Invariants:
 *   N1  a sleeper is possible after the trace; nothing since it went to sleep
 *       depends on it.
 *   N2  in `unfold`, nobody sleeps where the plan is empty; so nothing is cut.
 *   N3  an extension in a node's lists goes with the configuration there.
 */
#include <stdlib.h>

#include "core/comb.h"
#include "core/draft.h"
#include "core/late.h"
#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/planted.h"

/* keep.  Ranges of the arrays of the same names in struct unfold. */
struct node {
  uint32_t sleepers, sleepers_end;
  uint32_t sleepers_own; /* from here on they are not inherited */
  uint32_t plan, plan_end;
  uint32_t plan_floor; /* size of unfold.plan when the node was made */
  uint32_t own;        /* extensions: first in unfold.extensions, or 0 */
  uint32_t inherited;  /* the same: those of nodes on the way here */
  uint64_t number;     /* of the node, in the order of visits */
};

/* keep.  An occurrence in conflict with a step of a node.  The nodes' lists lie
 * in one array; at[0] begins the list of what is free. */
struct extension {
  uint32_t occurrence;
  uint32_t known; /* how many of the node's sleepers slept already */
  uint32_t next;
};

struct unfold {
  struct explorer *x;
  uint32_t most; /* spikes to look at */
  struct unfolding u;
  struct front front;
  struct comb comb;
  VEC(struct node) nodes; /* one for each length of the trace */
  VEC(uint32_t) sleepers;
  VEC(uint32_t) plan;
  VEC(struct extension) extensions;
  VEC(uint32_t) unjustified;  /* scratch */
  VEC(uint32_t) path;         /* scratch */
  VEC(uint32_t) passed;       /* by sleeper: how many before it still sleep */
  uint64_t visited;           /* nodes */
  struct drafting drafting;   /* scratch */
  struct reversal v;          /* scratch */
  struct late_footprint late; /* scratch */
  struct late_races to_run;   /* races whose e' must be run */
  struct positions pending;   /* scratch */
};

static uint32_t member(const struct unfold *o, uint32_t position) {
  return o->front.members.at[position].occurrence;
}

/* ---- lists of extensions --------------------------------------------------
 */

static void list_add(struct unfold *o, uint32_t *list, uint32_t x,
                     uint32_t known) {
  uint32_t at = o->extensions.at[0].next;
  if (at) {
    o->extensions.at[0].next = o->extensions.at[at].next;
  } else {
    at = (uint32_t)o->extensions.size;
    VEC_PUSH(o->extensions, (struct extension){0});
  }
  o->extensions.at[at] = (struct extension){x, known, *list};
  *list = at;
}

static void list_strike(struct unfold *o, uint32_t *at) {
  uint32_t struck = *at;
  *at = o->extensions.at[struck].next;
  o->extensions.at[struck].next = o->extensions.at[0].next;
  o->extensions.at[0].next = struck;
}

static void list_drop(struct unfold *o, uint32_t *list) {
  while (*list)
    list_strike(o, list);
}

/* ---- going down -----------------------------------------------------------
 */

static bool sleeps(const struct unfold *o, const struct node *node,
                   uint32_t proc, uint32_t choice) {
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++) {
    const struct occurrence *d = occurrence_at(&o->u, o->sleepers.at[i]);
    if (d->proc == proc && d->choice == choice)
      return true;
  }
  return false;
}

/* The first alternative of the process's next step that does not sleep. */
static bool awake(const struct unfold *o, uint32_t proc, uint32_t *choice) {
  const struct node *node = &VEC_TOP(o->nodes);
  uint32_t choices = 1;
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++) {
    const struct occurrence *d = occurrence_at(&o->u, o->sleepers.at[i]);
    if (d->proc == proc)
      choices = d->choices;
  }
  for (*choice = 0; *choice < choices; ++*choice)
    if (!sleeps(o, node, proc, *choice))
      return true;
  return false;
}

static bool asleep(const void *context, uint32_t proc) {
  uint32_t ignored;
  return !awake(context, proc, &ignored);
}

static enum pick pick(void *state, struct move *move) {
  struct unfold *o = state;
  const struct node *node = &VEC_TOP(o->nodes);
  if (node->plan < node->plan_end) {
    const struct occurrence *x = occurrence_at(&o->u, o->plan.at[node->plan]);
    *move = (struct move){x->proc, x->choice};
    return PICK_MOVE;
  }
  enum pick free = explorer_free_choice(o->x, asleep, o, &move->proc);
  if (free == PICK_MOVE)
    awake(o, move->proc, &move->choice);
  return free;
}

/* The newest event of the trace as an occurrence. */
static uint32_t enter_newest(struct unfold *o) {
  const struct event *e = &VEC_TOP(o->x->trace.events);
  draft_begin(&o->drafting, e->proc, e->choice, e->choices);
  struct count count = draft_past(&o->drafting, e);
  uint32_t x = unfolding_find(&o->u, &o->drafting.draft);
  if (!x) {
    draft_like(&o->drafting, &count, e);
    return unfolding_add(&o->u, &o->drafting.draft);
  }
  if (!occurrence_is_like(&o->drafting, x, e))
    explorer_surprised(o->x);
  occurrence_at(&o->u, x)->choices = e->choices;
  return x;
}

/* Those stay asleep that x does not depend on: N1. */
static void pass_sleepers(struct unfold *o, const struct node *parent,
                          struct node *child, uint32_t x) {
  uint32_t start = (uint32_t)o->sleepers.size;
  o->passed.size = 0;
  for (uint32_t i = parent->sleepers; i < parent->sleepers_end; i++) {
    uint32_t d = o->sleepers.at[i];
    VEC_PUSH(o->passed, (uint32_t)o->sleepers.size - start);
    if (!unfolding_dependent(&o->u, d, x))
      VEC_PUSH(o->sleepers, d);
  }
  VEC_PUSH(o->passed, (uint32_t)o->sleepers.size - start);
  child->sleepers = start;
  child->sleepers_end = child->sleepers_own = (uint32_t)o->sleepers.size;
}

static void set_asleep(struct unfold *o, const struct node *node, bool asleep) {
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++)
    occurrence_at(&o->u, o->sleepers.at[i])->asleep = asleep;
}

/* Where somebody sleeps, extensions of earlier nodes may be alternatives, as
 * far as they are still possible.  One that has the newest member in its past
 * leaves its node, where that member will sleep from now on; others may be of
 * use in a later child. */
static void pass_extensions(struct unfold *o, uint32_t *list,
                            struct node *child) {
  while (*list) {
    uint32_t at = *list;
    struct extension *e = &o->extensions.at[at];
    uint32_t known = o->passed.at[e->known];
    switch (front_still_allows(&o->front, e->occurrence)) {
    case FRONT_LEADS_THERE:
      *list = e->next;
      *e = (struct extension){e->occurrence, known, child->inherited};
      child->inherited = at;
      continue;
    case FRONT_ALLOWS:
      list_add(o, &child->inherited, e->occurrence, known);
      break;
    case FRONT_FORBIDS:
      break;
    }
    list = &o->extensions.at[at].next;
  }
}

static void stepped(void *state) {
  struct unfold *o = state;
  struct node *node = &VEC_TOP(o->nodes);
  struct node child = {.plan_floor = (uint32_t)o->plan.size,
                       .number = ++o->visited};
  uint32_t x = enter_newest(o);
  if (node->plan < node->plan_end) {
    if (o->plan.at[node->plan] != x)
      explorer_surprised(o->x);
    child.plan = node->plan + 1;
    child.plan_end = node->plan_end;
  }
  pass_sleepers(o, node, &child, x);
  front_push(&o->front, x);
  if (child.sleepers < child.sleepers_end && (node->own || node->inherited) &&
      !planted(UNFOLD_PASS)) {
    set_asleep(o, &child, true);
    pass_extensions(o, &node->own, &child);
    pass_extensions(o, &node->inherited, &child);
    set_asleep(o, &child, false);
  }
  VEC_PUSH(o->nodes, child);
}

/* ---- extensions -----------------------------------------------------------
 */

/* Has the sleeper's process moved after `position`, but not after the event
 * there?  It has done something else: taken another alternative, which need not
 * touch anything. */
static bool follows_itself(const struct unfold *o, uint32_t position,
                           const struct occurrence *d) {
  const struct trace *t = &o->x->trace;
  if (process_length(t, d->proc) < d->index)
    return false;
  uint32_t moved = process_event(t, d->proc, d->index);
  return !happens_before(t, &t->events.at[position], &t->events.at[moved]);
}

/* Does an event after `position`, other than those that happen after the event
 * there, depend on the sleeper? */
static bool follows_dependent(const struct unfold *o, uint32_t position,
                              const struct occurrence *d) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[position];
  for (uint32_t i = 0; i < d->visit_count; i++) {
    const struct visit *v = &o->u.visits.at[d->visits + i];
    uint32_t r = t->cells.at[o->u.places.at[v->place].cell].newest;
    for (; r != NOWHERE; r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      if (touch->event <= position)
        break; /* T3 */
      if ((touch->mask & v->mask) && ((touch->mode | v->mode) & ACCESS_WRITE) &&
          !happens_before(t, e, &t->events.at[touch->event]))
        return true;
    }
  }
  return follows_itself(o, position, d);
}

/* Would a step of the process that touches this depend on the sleeper? */
static bool step_dependent(const struct unfold *o, const struct occurrence *d,
                           uint32_t proc, const struct access *access,
                           uint32_t accesses) {
  for (uint32_t i = 0; i < d->visit_count; i++)
    for (uint32_t j = 0; j < accesses; j++) {
      const struct visit *v = &o->u.visits.at[d->visits + i];
      uint32_t cell = o->u.places.at[v->place].cell;
      uint64_t granule = o->x->trace.cells.at[cell].granule;
      if (((v->mode | access[j].mode) & ACCESS_WRITE) &&
          access_first_granule(&access[j]) <= granule &&
          granule <= access_last_granule(&access[j]) &&
          (access_mask(&access[j], granule) & v->mask))
        return true;
    }
  return d->proc == proc;
}

/* A step of the process, and all after `position` that need not come after the
 * event there: can a sleeper of the node follow?  Then it has been explored. */
static bool is_explored(const struct unfold *o, uint32_t position,
                        uint32_t proc, const struct access *access,
                        uint32_t accesses) {
  const struct node *node = &o->nodes.at[position];
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++) {
    const struct occurrence *d = occurrence_at(&o->u, o->sleepers.at[i]);
    if (!step_dependent(o, d, proc, access, accesses) &&
        !follows_dependent(o, position, d))
      return true;
  }
  return false;
}

/* Enters the draft as something to be begun at a node: it is in conflict with a
 * step taken there, and with nothing before.  There is no other such node. */
static void extend(struct unfold *o, uint32_t position) {
  struct node *node = &o->nodes.at[position];
  uint32_t x = unfolding_find(&o->u, &o->drafting.draft);
  if (!x)
    x = unfolding_add(&o->u, &o->drafting.draft);
  if (occurrence_at(&o->u, x)->listed == node->number)
    return;
  occurrence_at(&o->u, x)->listed = node->number;
  list_add(o, &node->own, x, node->sleepers_end - node->sleepers);
}

/* One touch of the second event of a race: joins what conflicts with it, but
 * for the first event, and finds who wrote the bytes last. */
static void visit_without(struct unfold *o, const struct touch *touch,
                          uint32_t first) {
  const struct trace *t = &o->x->trace;
  uint8_t bytes = touch->mask;
  const struct touch *other;
  for (uint32_t r = touch->older; r != NOWHERE && bytes;
       r = other->event == first ? other->older : other->matters) {
    other = &t->touches.at[r];
    if (!(other->mask & bytes) || other->event == first ||
        other->event == touch->event ||
        !((other->mode | touch->mode) & ACCESS_WRITE))
      continue;
    if (!planted(UNFOLD_READS) || (other->mode & ACCESS_WRITE))
      draft_join(&o->drafting, &t->events.at[other->event]);
    if (!(other->mode & ACCESS_WRITE))
      continue;
    draft_visit(&o->drafting.draft, touch->cell, member(o, other->event),
                other->mask & bytes, touch->mode);
    bytes &= (uint8_t)~other->mask;
  }
  draft_visit(&o->drafting.draft, touch->cell, 0, bytes, touch->mode);
}

/* The second of a race without the first, which is directly before it, with the
 * same footprint.  False: it need not be begun, as far as this execution shows.
 */
static bool enter_without(struct unfold *o, uint32_t first, uint32_t second) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[second];
  if (is_explored(o, first, e->proc, event_access(t, e), e->accesses))
    return false;
  draft_begin(&o->drafting, e->proc, 0, e->choices);
  draft_join(&o->drafting, e->previous ? &t->events.at[e->previous - 1] : NULL);
  draft_join(&o->drafting, e->cause ? &t->events.at[e->cause - 1] : NULL);
  size_t end = touches_end(t, e);
  for (size_t r = e->first_touch; r < end; r++)
    visit_without(o, &t->touches.at[r], first);
  draft_close(&o->drafting, e->index);
  draft_choices(&o->drafting, e->op);
  extend(o, first);
  return true;
}

static bool is_before_late(const struct unfold *o, uint32_t position) {
  return position < o->v.at || reversal_contains(&o->v, position);
}

/* Everything before e' in v that conflicts with the access is in its past. */
static void join_conflicts(struct unfold *o, const struct access *a) {
  const struct trace *t = &o->x->trace;
  uint64_t last = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= last; g++) {
    uint8_t bytes = access_mask(a, g);
    for (uint32_t r = trace_newest(t, g); r != NOWHERE && bytes;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      if (!(touch->mask & bytes) || !((touch->mode | a->mode) & ACCESS_WRITE) ||
          !is_before_late(o, touch->event))
        continue;
      draft_join(&o->drafting, &t->events.at[touch->event]);
      if (touch->mode & ACCESS_WRITE)
        bytes &= (uint8_t)~touch->mask;
    }
  }
}

/* e' where it stands in v, with the footprint that it has there. */
static bool enter_late(struct unfold *o, uint16_t op) {
  const struct reversal *v = &o->v;
  const struct option *late = &v->late;
  if (is_explored(o, v->at, late->proc, late->access, late->accesses))
    return false;
  draft_begin(&o->drafting, late->proc,
              late->choice == ANY_CHOICE ? 0 : late->choice, 1);
  draft_join(&o->drafting, v->previous);
  draft_join(&o->drafting, v->cause);
  for (uint32_t i = 0; i < late->accesses; i++)
    join_conflicts(o, &late->access[i]);
  struct count count = draft_close(&o->drafting, late->index);
  for (uint32_t i = 0; i < late->accesses; i++)
    draft_access(&o->drafting, &count, &late->access[i]);
  draft_choices(&o->drafting, op);
  extend(o, v->at);
  return true;
}

/* A compare-and-swap or trylock.  If it writes only when it comes first, it
 * comes after reads that may be anywhere in the trace: the race is looked at
 * again. */
static void enter_conditional(struct unfold *o, struct race *race) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[race->second];
  reversal_of_race(&o->v, t, race->first, race->second);
  late_conditional(o->x, &o->v, race->first, race->second, &o->late);
  bool wrote = event_access(t, e)->mode & ACCESS_WRITE;
  bool writes = o->v.late.access->mode & ACCESS_WRITE;
  bool entered = wrote == writes ? enter_without(o, race->first, race->second)
                                 : enter_late(o, e->op);
  race->settled = entered && (wrote || !writes);
}

/* Another alternative of the event, which has the same footprint. */
static bool enter_choice(struct unfold *o, uint32_t position, uint32_t choice) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[position];
  if (is_explored(o, position, e->proc, event_access(t, e), e->accesses))
    return false;
  draft_begin(&o->drafting, e->proc, choice, e->choices);
  struct count count = draft_past(&o->drafting, e);
  draft_like(&o->drafting, &count, e);
  extend(o, position);
  return true;
}

/* Whose alternative, or which of both, is to come first. */
static uint32_t race_late(const struct race *race) {
  return race->kind == RACE_CHOICE ? race->first : race->second;
}

/* What is entered once stays as long as the first event is in the front: they
 * are rivals. */
static void enter_race(struct unfold *o, struct race *race) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[race_late(race)];
  if (race->settled)
    return;
  if (late_must_run(t, race->first, race_late(race))) {
    VEC_PUSH(o->to_run.list, *race);
  } else if (race->kind == RACE_CHOICE) {
    race->settled = enter_choice(o, race->first, race->second);
  } else if (e->flags & STEP_BLOCKING) {
    reversal_of_race(&o->v, t, race->first, race->second);
    race->settled = enter_late(o, e->op);
  } else if (e->flags & STEP_CONDITIONAL) {
    enter_conditional(o, race);
  } else {
    race->settled = enter_without(o, race->first, race->second);
  }
}

/* Processes that wait at the end of the execution. */
static void enter_pending(struct unfold *o) {
  struct explorer *x = o->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (!x->system->ops->pending(x->system, p, &step))
      continue;
    trace_pending_races(&x->trace, p, &step, &o->pending);
    for (size_t i = 0; i < o->pending.list.size; i++) {
      reversal_of_pending(&o->v, &x->trace, o->pending.list.at[i], p, &step);
      enter_late(o, step.op);
    }
  }
}

static void enter_block(void *context, const struct race *race) {
  struct unfold *o = context;
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[race_late(race)];
  if (race->kind == RACE_CHOICE) {
    reversal_of_choice(&o->v, t, race->first, race->second);
    o->v.previous = e->previous ? &t->events.at[e->previous - 1] : NULL;
    o->v.cause = e->cause ? &t->events.at[e->cause - 1] : NULL;
  } else {
    reversal_of_race(&o->v, t, race->first, race->second);
  }
  late_run(o->x, &o->v, &o->late);
  enter_late(o, e->op);
}

static void enter_extensions(void *state, enum pick why) {
  struct unfold *o = state;
  struct trace *t = &o->x->trace;
  (void)why;
  for (size_t i = 0; i < t->races.size; i++)
    enter_race(o, &t->races.at[i]);
  if (!planted(UNFOLD_PENDING))
    enter_pending(o);
  late_visit(o->x, &o->to_run, enter_block, o);
}

/* ---- going back -----------------------------------------------------------
 */

static void count(struct unfold *o) {
  struct counters *c = o->x->counters;
  const struct unfolding_counts *n = &o->u.counts;
  c->events = n->entered;
  c->events_kept = n->most;
  c->tree_depth = n->depth;
  c->tree_queries = n->queries;
  c->tree_distance = n->distance;
  c->tree_farthest = n->farthest;
  c->tree_steps = n->steps;
  c->comb_steps = o->comb.steps;
}

/* Does a member that has joined since depend on the sleeper? */
static bool is_justified(const struct unfold *o, uint32_t sleeper,
                         size_t since) {
  for (size_t i = since; i < front_size(&o->front); i++)
    if (unfolding_dependent(&o->u, sleeper, member(o, (uint32_t)i)))
      return true;
  return false;
}

/* What could be in an alternative at the node that the front is at, because it
 * is in conflict with x. */
static void keep_rivals(struct unfold *o, uint32_t x) {
  size_t size = front_size(&o->front);
  struct rivals rivals = rivals_of(&o->u, x);
  for (uint32_t y; (y = next_rival(&rivals));)
    if (!occurrence_at(&o->u, y)->keep && front_extend(&o->front, y)) {
      front_truncate(&o->front, size);
      unfolding_keep(&o->u, y);
    }
}

/* An alternative that has the extension in it needs rivals of those who slept
 * already when it was found, unless it is in conflict with them itself. */
static void keep_extension(struct unfold *o, const struct node *node,
                           struct extension e) {
  size_t size = front_size(&o->front);
  unfolding_keep(&o->u, e.occurrence);
  if (!e.known || !front_extend(&o->front, e.occurrence))
    return;
  for (uint32_t i = 0; i < e.known; i++)
    if (!is_justified(o, o->sleepers.at[node->sleepers + i], size))
      keep_rivals(o, o->sleepers.at[node->sleepers + i]);
  front_truncate(&o->front, size);
}

/* The front is at the node. */
static void keep_for(struct unfold *o, const struct node *node) {
  for (uint32_t i = node->sleepers_own; i < node->sleepers_end; i++)
    unfolding_keep(&o->u, o->sleepers.at[i]);
  if (!node->own && !node->inherited)
    return;
  set_asleep(o, node, true);
  for (uint32_t at = node->own; at; at = o->extensions.at[at].next)
    keep_extension(o, node, o->extensions.at[at]);
  for (uint32_t at = node->inherited; at; at = o->extensions.at[at].next)
    keep_extension(o, node, o->extensions.at[at]);
  set_asleep(o, node, false);
}

/* Drops what no alternative can need any more. */
static void drop(struct unfold *o) {
  size_t size = front_size(&o->front);
  o->path.size = 0;
  for (size_t i = 0; i < size; i++) {
    VEC_PUSH(o->path, member(o, (uint32_t)i));
    unfolding_keep(&o->u, VEC_TOP(o->path));
  }
  for (size_t i = o->nodes.size; i-- > 0;) {
    front_truncate(&o->front, i);
    keep_for(o, &o->nodes.at[i]);
  }
  for (size_t i = 0; i < size; i++)
    front_push(&o->front, o->path.at[i]);
  for (size_t i = 0; i < o->plan.size; i++)
    unfolding_keep(&o->u, o->plan.at[i]);
  unfolding_drop_others(&o->u);
}

/* The front has an extension that was found when the first `known` sleepers
 * slept: adds what else is needed, that none of the sleepers can follow.  Who
 * fell asleep later, with the extension possible, has run with it; what is in
 * conflict with that sleeper was listed then. */
static bool complete(struct unfold *o, const struct node *node, size_t size,
                     uint32_t known) {
  o->unjustified.size = 0;
  for (uint32_t i = node->sleepers_end; i-- > node->sleepers;) {
    if (is_justified(o, o->sleepers.at[i], size))
      continue;
    if (i >= node->sleepers + known)
      return false;
    VEC_PUSH(o->unjustified, o->sleepers.at[i]);
  }
  return !o->unjustified.size ||
         comb_search(&o->comb, &o->front, o->unjustified.at,
                     (uint32_t)o->unjustified.size, o->most - 1);
}

/* An alternative has one of the extensions.  One that has a sleeper in its past
 * is of no use here any more. */
static bool find_alternative(struct unfold *o, const struct node *node,
                             uint32_t *list) {
  size_t size = front_size(&o->front);
  for (uint32_t *at = list; *at;) {
    o->comb.steps++;
    if (!front_extend(&o->front, o->extensions.at[*at].occurrence)) {
      list_strike(o, at);
      continue;
    }
    if (complete(o, node, size, o->extensions.at[*at].known))
      return true;
    front_truncate(&o->front, size);
    at = &o->extensions.at[*at].next;
  }
  return false;
}

static void plan(struct unfold *o, struct node *node) {
  size_t size = o->nodes.size - 1;
  o->plan.size = node->plan_floor;
  for (size_t i = size; i < front_size(&o->front); i++)
    VEC_PUSH(o->plan, member(o, (uint32_t)i));
  front_truncate(&o->front, size);
  node->plan = node->plan_floor;
  node->plan_end = (uint32_t)o->plan.size;
  o->x->counters->alternatives++;
}

static bool retreat(void *state, size_t *length) {
  struct unfold *o = state;
  while (o->nodes.size > 1) {
    list_drop(o, &VEC_TOP(o->nodes).own);
    list_drop(o, &VEC_TOP(o->nodes).inherited);
    o->nodes.size--;
    struct node *node = &VEC_TOP(o->nodes);
    uint32_t e = VEC_TOP(o->front.members).occurrence;
    *length = o->nodes.size - 1;
    front_truncate(&o->front, *length);
    o->sleepers.size = node->sleepers_end;
    VEC_PUSH(o->sleepers, e);
    node->sleepers_end++;
    if (!node->own && !node->inherited)
      continue;
    set_asleep(o, node, true);
    bool found = find_alternative(o, node, &node->own) ||
                 find_alternative(o, node, &node->inherited);
    set_asleep(o, node, false);
    if (!found)
      continue;
    plan(o, node);
    if (unfolding_is_full(&o->u))
      drop(o);
    count(o);
    return true;
  }
  count(o);
  return false;
}

/* ---- life -----------------------------------------------------------------
 */

static void *create(struct explorer *x) {
  struct unfold *o = calloc(1, sizeof *o);
  ensure(o);
  o->x = x;
  o->most = x->algorithm->spikes ? x->algorithm->spikes : UINT32_MAX;
  unfolding_init(&o->u, (uint32_t)x->options->skip, &x->counters->looked_at);
  front_init(&o->front, &o->u);
  o->drafting.trace = &x->trace;
  o->drafting.front = &o->front;
  VEC_PUSH(o->nodes, (struct node){.number = ++o->visited});
  VEC_PUSH(o->extensions, (struct extension){0});
  x->counters->alternatives = 0;
  return o;
}

static void destroy(void *state) {
  struct unfold *o = state;
  unfolding_free(&o->u);
  front_free(&o->front);
  comb_free(&o->comb);
  VEC_FREE(o->nodes);
  VEC_FREE(o->sleepers);
  VEC_FREE(o->plan);
  VEC_FREE(o->extensions);
  VEC_FREE(o->unjustified);
  VEC_FREE(o->path);
  VEC_FREE(o->passed);
  drafting_free(&o->drafting);
  VEC_FREE(o->late.list);
  VEC_FREE(o->to_run.list);
  VEC_FREE(o->pending.list);
  reversal_free(&o->v);
  free(o);
}

const struct algorithm unfold_algorithm = {.name = "unfold",
                                           .wants_races = true,
                                           .skips = true,
                                           .create = create,
                                           .destroy = destroy,
                                           .pick = pick,
                                           .stepped = stepped,
                                           .ended = enter_extensions,
                                           .retreat = retreat};
