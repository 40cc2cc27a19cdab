/* Exploration of the unfolding.  `unfold` is optimal: one execution for each
 * Mazurkiewicz trace and none in vain.  `quasi=K` looks at no more than K
 * sleeping steps when it searches for an alternative, which is cheaper, and may
 * begin executions in vain.
 *
 * The idea.  All executions together form one structure of events, in which an
 * event is a step with its history.  An execution is a maximal set of events
 * without conflicts, a configuration.  Run any execution to its end, then go
 * back.  At each node, with the configuration C and the last event e put to
 * sleep, look among the known events for an *alternative*: events that C allows
 * and after which no sleeping event is possible.  If there is one, go on there,
 * and take its events first.
 *
 * Nguyen, Rodriguez, Sousa, Coti, Petrucci: Quasi-optimal partial order
 * reduction, CAV 2018.  Where we depart (docs/algorithms/unfolding.md):
 *   - The extensions of an execution are found as `optimal` finds sequences:
 *     each race e, e' gives e' with its history without e.  It is listed at the
 *     node before e, unless the events that need not come after e show that it
 *     is explored.  Processes that wait at the end have extensions, too.  Other
 *     conflicting extensions are found in executions that contain these.
 *   - So the search begins with the extensions listed at the node, and with
 *     those of earlier nodes while a step that slept there still sleeps.  Most
 *     nodes have none, and no rivals are listed: see complete().
 *   - Any footprint, not only mutexes: see unfolding.h and configuration.h.
 *     Conflicts are decided by adding events to C one by one, causality by the
 *     last event of each process.  There are no trees of objects.
 *   - Sleeping events in conflict with C (justified ones) are dropped at once;
 *     so D is a sleep set.
 *   - Events are dropped when no alternative can need them.  Kept are C, D, the
 *     listed extensions, the rivals of D that a listed extension may need, and
 *     the histories of all these.
 *
 *   paper              here
 *   C                  configuration, in step with the trace
 *   D                  node->sleepers, without those that are justified
 *   A                  node->plan
 *   U                  unfolding
 *   Alt(C, D), K       find_alternative(), `most`
 *   ex(C)              enter_extensions()
 *   Q(C, D)            drop()
 *
 * Invariants:
 *   N1  a sleeper is possible after the trace; no event since it fell asleep
 *       depends on it.
 *   N2  in `unfold`, no step sleeps where the plan is empty; so nothing is cut.
 *   N3  an extension in a node's lists is compatible with the configuration
 *       there.
 */
#include <stdlib.h>

#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/extensions.h"
#include "explore/unfolding/new_event.h"
#include "explore/dpor/reordered_footprint.h"
#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/planted.h"

/* keep.  Ranges of the arrays of the same names in struct unfold. */
struct unfold_node {
  uint32_t sleepers, sleepers_end;
  uint32_t sleepers_own; /* the node's own begin here */
  uint32_t plan, plan_end;
  uint32_t plan_floor; /* size of unfold.plan when the node was made */
  uint32_t own;       /* its own extensions: first in unfold.extensions, or 0 */
  uint32_t inherited; /* the same, of extensions found at earlier nodes */
  uint64_t number;    /* of the node, in the order of visits */
};

struct unfold {
  struct explorer *x;
  uint32_t most; /* sleepers to look at */
  struct unfolding u;
  struct configuration configuration;
  struct alternatives alternatives;
  VEC(struct unfold_node) nodes; /* one for each length of the trace */
  VEC(uint32_t) sleepers;
  VEC(uint32_t) plan;
  extension_lists extensions;
  VEC(uint32_t) unjustified; /* scratch */
  VEC(uint32_t) path;        /* scratch */
  VEC(uint32_t) passed; /* by sleeper: of those before it, how many sleep */
  uint64_t visited;     /* nodes */
  struct new_event_maker maker;         /* scratch */
  struct reversal v;                    /* scratch */
  struct reordered_footprint footprint; /* scratch */
  struct reordered_races to_run;        /* races whose e' must be run */
  struct positions pending;             /* scratch */
};

static uint32_t member(const struct unfold *o, uint32_t position) {
  return o->configuration.members.at[position].occurrence;
}

/* ---- going down --------------------------------------------------------- */

static bool sleeps(const struct unfold *o, const struct unfold_node *node,
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
  const struct unfold_node *node = &VEC_TOP(o->nodes);
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
  const struct unfold_node *node = &VEC_TOP(o->nodes);
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
  new_event_begin(&o->maker, e->proc, e->choice, e->choices);
  struct past_counts count = new_event_past(&o->maker, e);
  uint32_t x = unfolding_find(&o->u, &o->maker.event);
  if (!x) {
    new_event_like(&o->maker, &count, e);
    return unfolding_add(&o->u, &o->maker.event);
  }
  if (!occurrence_is_like(&o->maker, x, e))
    explorer_surprised(o->x);
  occurrence_at(&o->u, x)->choices = e->choices;
  return x;
}

/* The sleepers that do not depend on x stay asleep: N1. */
static void pass_sleepers(struct unfold *o, const struct unfold_node *parent,
                          struct unfold_node *child, uint32_t x) {
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

static void set_asleep(struct unfold *o, const struct unfold_node *node,
                       bool asleep) {
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++)
    occurrence_at(&o->u, o->sleepers.at[i])->asleep = asleep;
}

/* Where a step sleeps, extensions of earlier nodes may be alternatives, as far
 * as they are still possible.  An extension with the newest member in its past
 * leaves its node, where that member will sleep from now on.  Others may be of
 * use in a later child. */
static void pass_extensions(struct unfold *o, uint32_t *list,
                            struct unfold_node *child) {
  while (*list) {
    uint32_t at = *list;
    struct unfold_extension *e = &o->extensions.at[at];
    uint32_t known = o->passed.at[e->known];
    switch (configuration_still_allows(&o->configuration, e->occurrence)) {
    case CONFIGURATION_LEADS_THERE:
      *list = e->next;
      *e = (struct unfold_extension){e->occurrence, known, child->inherited};
      child->inherited = at;
      continue;
    case CONFIGURATION_ALLOWS:
      extension_add(&o->extensions, &child->inherited, e->occurrence, known);
      break;
    case CONFIGURATION_FORBIDS:
      break;
    }
    list = &o->extensions.at[at].next;
  }
}

static void stepped(void *state) {
  struct unfold *o = state;
  struct unfold_node *node = &VEC_TOP(o->nodes);
  struct unfold_node child = {.plan_floor = (uint32_t)o->plan.size,
                              .number = ++o->visited};
  uint32_t x = enter_newest(o);
  if (node->plan < node->plan_end) {
    if (o->plan.at[node->plan] != x)
      explorer_surprised(o->x);
    child.plan = node->plan + 1;
    child.plan_end = node->plan_end;
  }
  pass_sleepers(o, node, &child, x);
  configuration_push(&o->configuration, x);
  if (child.sleepers < child.sleepers_end && (node->own || node->inherited) &&
      !planted(UNFOLD_PASS)) {
    set_asleep(o, &child, true);
    pass_extensions(o, &node->own, &child);
    pass_extensions(o, &node->inherited, &child);
    set_asleep(o, &child, false);
  }
  VEC_PUSH(o->nodes, child);
}

/* ---- extensions --------------------------------------------------------- */

/* Has the sleeper's process moved after `position`, in an event that does not
 * happen after the event there?  Then it took another alternative, which need
 * not touch anything. */
static bool follows_itself(const struct unfold *o, uint32_t position,
                           const struct occurrence *d) {
  const struct trace *t = &o->x->trace;
  if (process_length(t, d->proc) < d->index)
    return false;
  uint32_t moved = process_event(t, d->proc, d->index);
  return !happens_before(t, &t->events.at[position], &t->events.at[moved]);
}

static bool commutes(const struct unfolding_visit *v, const struct access *a,
                     uint64_t granule) {
  return v->update && v->update == update_name(a, granule);
}

/* Does an event after `position` that does not happen after the event there
 * depend on the sleeper? */
static bool follows_dependent(const struct unfold *o, uint32_t position,
                              const struct occurrence *d) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[position];
  for (uint32_t i = 0; i < d->visit_count; i++) {
    const struct unfolding_visit *v = &o->u.visits.at[d->visits + i];
    uint32_t r = t->cells.at[o->u.places.at[v->place].cell].newest;
    for (; r != NOWHERE; r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      if (touch->event <= position)
        break; /* T3 */
      if ((touch->mask & v->mask) && ((touch->mode | v->mode) & ACCESS_WRITE) &&
          !commutes(v, &t->accesses.at[touch->access],
                    t->cells.at[touch->cell].granule) &&
          !happens_before(t, e, &t->events.at[touch->event]))
        return true;
    }
  }
  return follows_itself(o, position, d);
}

/* Would a step of the process with this footprint depend on the sleeper? */
static bool step_dependent(const struct unfold *o, const struct occurrence *d,
                           uint32_t proc, const struct access *access,
                           uint32_t accesses) {
  for (uint32_t i = 0; i < d->visit_count; i++)
    for (uint32_t j = 0; j < accesses; j++) {
      const struct unfolding_visit *v = &o->u.visits.at[d->visits + i];
      uint32_t cell = o->u.places.at[v->place].cell;
      uint64_t granule = o->x->trace.cells.at[cell].granule;
      if (((v->mode | access[j].mode) & ACCESS_WRITE) &&
          access_first_granule(&access[j]) <= granule &&
          granule <= access_last_granule(&access[j]) &&
          (access_mask(&access[j], granule) & v->mask) &&
          !commutes(v, &access[j], granule))
        return true;
    }
  return d->proc == proc;
}

/* Take a step of the process with this footprint, and all events after
 * `position` that do not happen after the event there.  Can a sleeper of the
 * node still follow?  Then the step has been explored. */
static bool is_explored(const struct unfold *o, uint32_t position,
                        uint32_t proc, const struct access *access,
                        uint32_t accesses) {
  const struct unfold_node *node = &o->nodes.at[position];
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++) {
    const struct occurrence *d = occurrence_at(&o->u, o->sleepers.at[i]);
    if (!step_dependent(o, d, proc, access, accesses) &&
        !follows_dependent(o, position, d))
      return true;
  }
  return false;
}

/* Lists the new event as an extension of a node: it is in conflict with the
 * step taken there, and with no step before.  There is no other such node. */
static void extend(struct unfold *o, uint32_t position) {
  struct unfold_node *node = &o->nodes.at[position];
  uint32_t x = unfolding_find(&o->u, &o->maker.event);
  if (!x)
    x = unfolding_add(&o->u, &o->maker.event);
  if (occurrence_at(&o->u, x)->listed == node->number)
    return;
  occurrence_at(&o->u, x)->listed = node->number;
  extension_add(&o->extensions, &node->own, x,
                node->sleepers_end - node->sleepers);
}

/* A write behind which older ones need not be looked for. */
static bool settles(const struct touch *touch) {
  return (touch->mode & (ACCESS_WRITE | ACCESS_KIND)) == ACCESS_WRITE;
}

/* For one touch of the second event of a race: joins the events that conflict
 * with it, except the first event of the race, and finds the last writers of
 * the bytes. */
static void visit_without(struct unfold *o, const struct touch *touch,
                          uint32_t first) {
  const struct trace *t = &o->x->trace;
  const struct access *mine = &t->accesses.at[touch->access];
  struct new_event_mode how = new_event_mode_of(t, touch);
  uint8_t bytes = touch->mask;
  const struct touch *other;
  for (uint32_t r = touch->older; r != NOWHERE && bytes;
       r = other->event == first ? other->older : other->matters) {
    other = &t->touches.at[r];
    if (!(other->mask & bytes) || other->event == first ||
        other->event == touch->event ||
        !((other->mode | touch->mode) & ACCESS_WRITE) ||
        access_alike(mine, &t->accesses.at[other->access]))
      continue;
    if (!planted(UNFOLD_READS) || (other->mode & ACCESS_WRITE))
      new_event_join(&o->maker, &t->events.at[other->event]);
    if (!settles(other))
      continue;
    new_event_visit(&o->maker.event, touch->cell, member(o, other->event),
                    other->mask & bytes, how);
    bytes &= (uint8_t)~other->mask;
  }
  new_event_visit(&o->maker.event, touch->cell, 0, bytes, how);
}

/* The second of a race without the first, which is directly before it, with the
 * same footprint.  False: it need not be begun, as far as this execution shows.
 */
static bool enter_without(struct unfold *o, uint32_t first, uint32_t second) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[second];
  if (is_explored(o, first, e->proc, event_access(t, e), e->accesses))
    return false;
  new_event_begin(&o->maker, e->proc, 0, e->choices);
  new_event_join(&o->maker,
                 e->previous ? &t->events.at[e->previous - 1] : NULL);
  new_event_join(&o->maker, e->cause ? &t->events.at[e->cause - 1] : NULL);
  size_t end = touches_end(t, e);
  for (size_t r = e->first_touch; r < end; r++)
    visit_without(o, &t->touches.at[r], first);
  new_event_close(&o->maker, e->index);
  new_event_choices(&o->maker, e->op);
  extend(o, first);
  return true;
}

static bool is_before_last(const struct unfold *o, uint32_t position) {
  return position < o->v.at || reversal_contains(&o->v, position);
}

/* Joins the events before e' in v that conflict with the access. */
static void join_conflicts(struct unfold *o, const struct access *a) {
  const struct trace *t = &o->x->trace;
  uint64_t last = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= last; g++) {
    uint8_t bytes = access_mask(a, g);
    for (uint32_t r = trace_newest(t, g); r != NOWHERE && bytes;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      if (!(touch->mask & bytes) || !((touch->mode | a->mode) & ACCESS_WRITE) ||
          access_alike(a, &t->accesses.at[touch->access]) ||
          !is_before_last(o, touch->event))
        continue;
      new_event_join(&o->maker, &t->events.at[touch->event]);
      if (settles(touch))
        bytes &= (uint8_t)~touch->mask;
    }
  }
}

/* Lists e' at its place in v, with the footprint that it has there. */
static bool enter_reordered(struct unfold *o, uint16_t op) {
  const struct reversal *v = &o->v;
  const struct option *last = &v->last;
  if (is_explored(o, v->at, last->proc, last->access, last->accesses))
    return false;
  new_event_begin(&o->maker, last->proc,
                  last->choice == ANY_CHOICE ? 0 : last->choice, 1);
  new_event_join(&o->maker, v->previous);
  new_event_join(&o->maker, v->cause);
  for (uint32_t i = 0; i < last->accesses; i++)
    join_conflicts(o, &last->access[i]);
  struct past_counts count = new_event_close(&o->maker, last->index);
  for (uint32_t i = 0; i < last->accesses; i++)
    new_event_access(&o->maker, &count, &last->access[i]);
  new_event_choices(&o->maker, op);
  extend(o, v->at);
  return true;
}

/* The step may write or not: a compare-and-swap, a trylock or a look.  If it
 * writes only when it comes first, it has to follow reads that may be anywhere
 * in the trace.  Then the race is looked at again in later executions.  A look
 * may leave out more than the first of the race: all writes since that did not
 * let it pass. */
static void enter_conditional(struct unfold *o, struct race *race) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[race->second];
  bool looks = e->flags & STEP_LOOK;
  reversal_of_race(&o->v, t, race->first, race->second);
  if (looks)
    reordered_look(&o->v, race, &o->footprint);
  else
    reordered_conditional(o->x, &o->v, race->first, race->second,
                          &o->footprint);
  bool wrote = event_access(t, e)->mode & ACCESS_WRITE;
  bool writes = o->v.last.access->mode & ACCESS_WRITE;
  bool entered = wrote == writes && !looks
                     ? enter_without(o, race->first, race->second)
                     : enter_reordered(o, e->op);
  race->note = entered && (wrote || !writes);
}

/* Another alternative of the event, which has the same footprint. */
static bool enter_choice(struct unfold *o, uint32_t position, uint32_t choice) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[position];
  if (is_explored(o, position, e->proc, event_access(t, e), e->accesses))
    return false;
  new_event_begin(&o->maker, e->proc, choice, e->choices);
  struct past_counts count = new_event_past(&o->maker, e);
  new_event_like(&o->maker, &count, e);
  extend(o, position);
  return true;
}

/* The event that is to come first: the one with the alternative, or the second
 * of the race. */
static uint32_t race_late(const struct race *race) {
  return race->kind == RACE_CHOICE ? race->first : race->second;
}

/* An extension that is entered stays while the first event of the race is in
 * the configuration: they are rivals. */
static void enter_race(struct unfold *o, struct race *race) {
  const struct trace *t = &o->x->trace;
  const struct event *e = &t->events.at[race_late(race)];
  if (race->note)
    return;
  if (reordered_must_run(t, race->first, race_late(race))) {
    VEC_PUSH(o->to_run.list, *race);
  } else if (race->kind == RACE_CHOICE) {
    race->note = enter_choice(o, race->first, race->second);
  } else if (e->flags & (STEP_CONDITIONAL | STEP_LOOK)) {
    enter_conditional(o, race);
  } else if (e->flags & STEP_BLOCKING) {
    reversal_of_race(&o->v, t, race->first, race->second);
    race->note = enter_reordered(o, e->op);
  } else {
    race->note = enter_without(o, race->first, race->second);
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
      uint32_t first = o->pending.list.at[i];
      struct step before = explorer_pending_before(x, p, &step, first);
      reversal_of_pending(&o->v, &x->trace, first, p, &before);
      enter_reordered(o, step.op);
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
  o->footprint.op = e->op;
  reordered_run(o->x, &o->v, &o->footprint);
  enter_reordered(o, o->footprint.op);
}

/* In the hostile build, after every execution. */
static void check(const struct unfold *o, enum pick why) {
  ensure(why != PICK_CUT || o->most != UINT32_MAX); /* N2 */
  unfolding_check(&o->u);
  configuration_check(&o->configuration);
}

static void enter_extensions(void *state, enum pick why) {
  struct unfold *o = state;
  struct trace *t = &o->x->trace;
  for (size_t i = 0; i < t->races.size && !explorer_must_end(o->x); i++)
    enter_race(o, &t->races.at[i]);
  if (o->x->stopped)
    return;
  if (!planted(UNFOLD_PENDING))
    enter_pending(o);
  reordered_visit(o->x, &o->to_run, enter_block, o);
  if (HOSTILE && !o->x->diverged)
    check(o, why);
}

/* ---- going back --------------------------------------------------------- */

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
  c->comb_steps = o->alternatives.steps;
}

/* Does a member that joined after the first `since` depend on the sleeper? */
static bool is_justified(const struct unfold *o, uint32_t sleeper,
                         size_t since) {
  for (size_t i = since; i < configuration_size(&o->configuration); i++)
    if (unfolding_dependent(&o->u, sleeper, member(o, (uint32_t)i)))
      return true;
  return false;
}

/* Keeps the occurrences that could be in an alternative at the node of the
 * configuration, because they are in conflict with x. */
static void keep_rivals(struct unfold *o, uint32_t x) {
  size_t size = configuration_size(&o->configuration);
  struct rival_iterator rivals = rivals_begin(&o->u, x);
  for (uint32_t y; (y = rivals_next(&rivals));)
    if (!occurrence_at(&o->u, y)->keep &&
        configuration_extend(&o->configuration, y)) {
      configuration_truncate(&o->configuration, size);
      unfolding_keep(&o->u, y);
    }
}

/* An alternative with the extension needs rivals of the sleepers that slept
 * already when the extension was found, unless it is in conflict with them
 * itself. */
static void keep_extension(struct unfold *o, const struct unfold_node *node,
                           struct unfold_extension e) {
  size_t size = configuration_size(&o->configuration);
  unfolding_keep(&o->u, e.occurrence);
  if (!e.known || !configuration_extend(&o->configuration, e.occurrence))
    return;
  for (uint32_t i = 0; i < e.known; i++)
    if (!is_justified(o, o->sleepers.at[node->sleepers + i], size))
      keep_rivals(o, o->sleepers.at[node->sleepers + i]);
  configuration_truncate(&o->configuration, size);
}

/* The configuration is at the node. */
static void keep_for(struct unfold *o, const struct unfold_node *node) {
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

/* Drops the occurrences that no alternative can need any more. */
static void drop(struct unfold *o) {
  size_t size = configuration_size(&o->configuration);
  o->path.size = 0;
  for (size_t i = 0; i < size; i++) {
    VEC_PUSH(o->path, member(o, (uint32_t)i));
    unfolding_keep(&o->u, VEC_TOP(o->path));
  }
  for (size_t i = o->nodes.size; i-- > 0;) {
    configuration_truncate(&o->configuration, i);
    keep_for(o, &o->nodes.at[i]);
  }
  for (size_t i = 0; i < size; i++)
    configuration_push(&o->configuration, o->path.at[i]);
  for (size_t i = 0; i < o->plan.size; i++)
    unfolding_keep(&o->u, o->plan.at[i]);
  unfolding_drop_others(&o->u);
}

/* The configuration has an extension that was found when the first `known`
 * sleepers slept.  Adds what else is needed so that no sleeper can follow:
 * rivals of those.  A sleeper that fell asleep later has run together with the
 * extension and these rivals, unless it is in conflict with one of them; what
 * else is in conflict with that sleeper was listed then. */
static bool complete(struct unfold *o, const struct unfold_node *node,
                     size_t size, uint32_t known) {
  bool needs_rivals = false;
  o->unjustified.size = 0;
  for (uint32_t i = node->sleepers_end; i-- > node->sleepers;) {
    if (is_justified(o, o->sleepers.at[i], size))
      continue;
    needs_rivals |= i < node->sleepers + known;
    VEC_PUSH(o->unjustified, o->sleepers.at[i]);
  }
  if (!needs_rivals)
    return !o->unjustified.size;
  return alternatives_search(&o->alternatives, &o->configuration,
                             o->unjustified.at, (uint32_t)o->unjustified.size,
                             o->most - 1);
}

/* Every alternative contains one of the extensions.  An extension with a
 * sleeper in its past is of no use here any more. */
static bool find_alternative(struct unfold *o, const struct unfold_node *node,
                             uint32_t *list) {
  size_t size = configuration_size(&o->configuration);
  for (uint32_t *at = list; *at;) {
    o->alternatives.steps++;
    if (!configuration_extend(&o->configuration,
                              o->extensions.at[*at].occurrence)) {
      extension_strike(&o->extensions, at);
      continue;
    }
    if (complete(o, node, size, o->extensions.at[*at].known))
      return true;
    configuration_truncate(&o->configuration, size);
    at = &o->extensions.at[*at].next;
  }
  return false;
}

/* In the hostile build: the configuration has an alternative to the node's
 * sleepers. */
static void check_alternative(const struct unfold *o,
                              const struct unfold_node *node, size_t size) {
  configuration_check(&o->configuration);
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++)
    ensure(o->most != UINT32_MAX ||
           is_justified(o, o->sleepers.at[i], size)); /* N2 */
}

static void plan(struct unfold *o, struct unfold_node *node) {
  size_t size = o->nodes.size - 1;
  if (HOSTILE)
    check_alternative(o, node, size);
  o->plan.size = node->plan_floor;
  for (size_t i = size; i < configuration_size(&o->configuration); i++)
    VEC_PUSH(o->plan, member(o, (uint32_t)i));
  configuration_truncate(&o->configuration, size);
  node->plan = node->plan_floor;
  node->plan_end = (uint32_t)o->plan.size;
  o->x->counters->alternatives++;
}

static void check_extensions(struct unfold *o, uint32_t list) {
  size_t size = configuration_size(&o->configuration);
  for (; list; list = o->extensions.at[list].next) {
    ensure(configuration_extend(&o->configuration,
                                o->extensions.at[list].occurrence)); /* N3 */
    configuration_truncate(&o->configuration, size);
  }
}

/* In the hostile build: the configuration is at the node. */
static void check_node(struct unfold *o, const struct unfold_node *node) {
  size_t size = configuration_size(&o->configuration);
  for (uint32_t i = node->sleepers; i < node->sleepers_end; i++) {
    ensure(configuration_extend(&o->configuration, o->sleepers.at[i]) &&
           configuration_size(&o->configuration) == size + 1); /* N1 */
    configuration_truncate(&o->configuration, size);
  }
  check_extensions(o, node->own);
  check_extensions(o, node->inherited);
}

static bool retreat(void *state, size_t *length) {
  struct unfold *o = state;
  while (o->nodes.size > 1) {
    extension_drop(&o->extensions, &VEC_TOP(o->nodes).own);
    extension_drop(&o->extensions, &VEC_TOP(o->nodes).inherited);
    o->nodes.size--;
    struct unfold_node *node = &VEC_TOP(o->nodes);
    uint32_t e = VEC_TOP(o->configuration.members).occurrence;
    *length = o->nodes.size - 1;
    configuration_truncate(&o->configuration, *length);
    o->sleepers.size = node->sleepers_end;
    VEC_PUSH(o->sleepers, e);
    node->sleepers_end++;
    if (HOSTILE)
      check_node(o, node);
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

/* ---- how much is left ---------------------------------------------------- */

/* Of the node's own extensions of one process, seldom more than one becomes a
 * branch.  The one that led to the branch under way is still listed. */
static size_t planned(const void *state, size_t length) {
  const struct unfold *o = state;
  uint64_t processes = 0;
  if (length >= o->nodes.size)
    return 0;
  const struct unfold_node *node = &o->nodes.at[length];
  for (uint32_t at = node->own; at; at = o->extensions.at[at].next) {
    uint32_t x = o->extensions.at[at].occurrence;
    processes |= (uint64_t)1 << occurrence_at(&o->u, x)->proc % 64;
  }
  size_t count = (size_t)__builtin_popcountll(processes);
  return count - (count && node->plan_end > node->plan_floor);
}

/* ---- life --------------------------------------------------------------- */

static void *create(struct explorer *x) {
  struct unfold *o = calloc(1, sizeof *o);
  ensure(o);
  o->x = x;
  o->most = x->algorithm->parameter ? x->algorithm->parameter : UINT32_MAX;
  unfolding_init(&o->u, (uint32_t)x->options->skip, &x->counters->looked_at);
  configuration_init(&o->configuration, &o->u);
  o->maker.trace = &x->trace;
  o->maker.configuration = &o->configuration;
  VEC_PUSH(o->nodes, (struct unfold_node){.number = ++o->visited});
  VEC_PUSH(o->extensions, (struct unfold_extension){0});
  x->counters->alternatives = 0;
  return o;
}

static void destroy(void *state) {
  struct unfold *o = state;
  unfolding_free(&o->u);
  configuration_free(&o->configuration);
  alternatives_free(&o->alternatives);
  VEC_FREE(o->nodes);
  VEC_FREE(o->sleepers);
  VEC_FREE(o->plan);
  VEC_FREE(o->extensions);
  VEC_FREE(o->unjustified);
  VEC_FREE(o->path);
  VEC_FREE(o->passed);
  new_event_free(&o->maker);
  VEC_FREE(o->footprint.list);
  VEC_FREE(o->to_run.list);
  positions_free(&o->pending);
  reversal_free(&o->v);
  free(o);
}

#define UNFOLD                                                          \
  .holds = true, .joins = true, .writes_decide = true, .updates = true, \
  .order = {.races = true}, .takes = TAKES_SKIP, .create = create,      \
  .destroy = destroy, .pick = pick, .stepped = stepped,                 \
  .ended = enter_extensions, .retreat = retreat, .planned = planned

const struct algorithm unfold_algorithm = {.name = "unfold", UNFOLD};

/* With the bound K as its parameter: see algorithm_find(). */
const struct algorithm quasi_algorithm = {.name = "quasi=K", UNFOLD};
