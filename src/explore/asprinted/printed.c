/* Paper 1 to the letter: optimal context-sensitive DPOR (algorithm 1, with
 * sections 3.3 and 3.4), and the same with observers (algorithm 2, with 4.3 and
 * 4.4).  It reproduces the paper's tables.  Both lose executions, see
 * docs/algorithms/as-printed.md, so they never prove that a program has no
 * error.
 *
 * The idea.  As in optimal.c, a race e, e' of a complete execution asks for a
 * sequence v that takes e' first, to be run from the state before e.  If both
 * orders of e and e' lead to the same state, v followed by e need not be run:
 * it becomes a don't-do sequence, which moves down the tree as its steps are
 * taken.  A step that completes one is taken only to look at its races.
 *
 * Albert, Garcia de la Banda, Gomez-Zamalloa, Isabel, Stuckey: Optimal dynamic
 * partial order reduction with context-sensitive independence and observers,
 * JSS 2023.  Where the text is silent or cannot be meant:
 *   - The check of section 3.4 compares the states after ance.e.e' and
 *     ance.e'.e: other events between e and e' have nothing to do with the
 *     race. --no-refine runs all events between them, in both orders.
 *   - I_fut has the initials of the events after E', without e and without the
 *     events of v: this gives the sequences of the paper's example in section
 *     3.3.
 *   - A step that was cut counts as done (line 22).
 *   - Operations that block: see trace.h.  They get no don't-do sequence.
 *     Processes that wait at the end take part with their pending operation.
 *   - A step with alternatives races with its other alternatives.
 *
 *   paper                here
 *   wut(E)               node->tree
 *   done(E)              node->done
 *   dnd(E)               node->dontdo
 *   E |= p <> v          printed_sequence_needs()
 *   WI(w)                printed_sequence_weak_initial()
 *   redundant(E', done)  is_redundant()
 *   ance(e, e', E)       mark_ancestors()
 *   observers(e, e', E)  printed_order_observers()
 *   notobs(e, e', E)     mark_not_observing()
 *   I_fut(E', v, E)      add_rest_initials()
 */
#include <stdlib.h>

#include "explore/algorithms.h"
#include "explore/asprinted/printed_dontdo.h"
#include "explore/asprinted/printed_order.h"
#include "explore/asprinted/printed_run.h"
#include "explore/asprinted/printed_tree.h"
#include "util/ensure.h"

/* keep */
struct printed_node {
  uint32_t tree;
  struct printed_sequence *done; /* the steps explored from here */
  struct dontdo dontdo;
  bool cut; /* its last step completes a don't-do sequence */
};

/* A race, and what reverses it.  keep */
struct printed_reversal {
  uint32_t first;
  uint32_t second; /* position of e', or NOWHERE */
  struct printed_plan
      plan;           /* v, then the further steps of the don't-do sequence */
  size_t needed;      /* so many moves of it reverse the race */
  size_t ancestors;   /* so many come before e' */
  size_t observation; /* so many end with the last observer, or 0 */
  size_t length;      /* of v */
};

struct printed {
  struct explorer *x;
  bool observers;
  VEC(struct printed_node) nodes; /* one for each length of the trace */
  struct printed_tree_pool pool;
  struct printed_order order;
  struct printed_run run;
  struct printed_reversal v;
  struct printed_sequence *scratch;
  VEC(bool) marked;           /* positions in v */
  VEC(bool) seen;             /* scratch: processes */
  struct positions observing; /* the observers of the race being reversed */
  struct positions pending;   /* scratch */
  bool anew;                  /* the system wants to begin anew */
};

/* ---- going down --------------------------------------------------------- */

static bool forbidden(const void *context, uint32_t proc) {
  const struct printed *p = context;
  return dontdo_forbids(&VEC_TOP(p->nodes).dontdo, proc, 0);
}

/* Lines 7 to 9: only don't-do steps are left; the races of each are looked
 * at. */
static void plan_cuts(struct printed *p, struct printed_node *node) {
  struct system *system = p->x->system;
  for (size_t i = 0; i < node->dontdo.list.size; i++) {
    struct printed_sequence *s = node->dontdo.list.at[i];
    if (s->acts.size == 1 && system->ops->enabled(system, s->acts.at[0].proc))
      printed_tree_add(&p->pool, &node->tree, s);
  }
}

/* Is the first step of the first branch possible?  The tree has steps that only
 * seemed possible. */
static bool first_possible(struct printed *p, const struct printed_node *node) {
  const struct printed_act *first = printed_tree_first(&p->pool, node->tree);
  return printed_run_possible(&p->run,
                              (struct move){first->proc, first->choice},
                              trace_length(&p->x->trace));
}

static enum pick pick(void *state, struct move *move) {
  struct printed *p = state;
  struct printed_node *node = &VEC_TOP(p->nodes);
  if (node->cut)
    return PICK_CUT;
  while (node->tree && !first_possible(p, node))
    printed_tree_drop(&p->pool, printed_tree_take(&p->pool, &node->tree));
  if (!node->tree) {
    enum pick pick =
        printed_run_free_choice(&p->run, forbidden, p, &move->proc);
    move->choice = 0;
    if (pick != PICK_CUT)
      return pick;
    plan_cuts(p, node);
  }
  const struct printed_act *first = printed_tree_first(&p->pool, node->tree);
  *move = (struct move){first->proc, first->choice};
  return PICK_MOVE;
}

static struct printed_act_of newest(struct printed *p) {
  const struct trace *t = &p->x->trace;
  printed_sequence_clear(p->scratch);
  printed_sequence_add_event(p->scratch, t, (uint32_t)trace_length(t) - 1);
  return (struct printed_act_of){p->scratch, 0};
}

static void node_free(struct printed *p, struct printed_node *node) {
  printed_tree_drop(&p->pool, node->tree);
  printed_sequence_drop(node->done);
  dontdo_free(&node->dontdo);
}

static void stepped(void *state) {
  struct printed *p = state;
  struct printed_node *parent = &VEC_TOP(p->nodes);
  struct printed_act_of x = newest(p);
  printed_run_stepped(&p->run);
  struct printed_node child = {0};
  if (parent->tree)
    child.tree = printed_tree_take(&p->pool, &parent->tree);
  child.cut =
      dontdo_forbids(&parent->dontdo, act_get(x)->proc, act_get(x)->choice);
  struct dontdo_inheritance how = {p->observers, p->observers};
  if (!child.cut)
    dontdo_inherit(&parent->dontdo, x, how, &child.dontdo);
  VEC_PUSH(p->nodes, child);
}

/* ---- what reverses a race ----------------------------------------------- */

static bool waits(const struct event *e) {
  return e->flags & STEP_BLOCKING;
}

static void add_marked(struct printed *p, uint32_t position) {
  p->marked.at[position] = true;
  printed_plan_add(&p->v.plan, &p->x->trace, position);
}

static bool conflicts(const struct trace *t, uint32_t position,
                      const struct step *waiting) {
  const struct event *e = &t->events.at[position];
  return footprint_conflict(event_access(t, e), e->accesses, waiting->access,
                            waiting->accesses);
}

/* Must the event come before e', an operation that waits?  The order on its own
 * object does not tell. */
static bool needed_by_second(const struct printed *p, uint32_t position,
                             const struct step *waiting, uint32_t previous) {
  const struct printed_order *o = &p->order;
  return (previous && printed_order_before(o, position, previous - 1)) ||
         (waiting->cause &&
          printed_order_before(o, position, waiting->cause - 1)) ||
         conflicts(o->trace, position, waiting);
}

static void begin_reversing(struct printed *p, uint32_t first) {
  size_t length = trace_length(&p->x->trace);
  p->v.first = first;
  p->v.plan.list.size = 0;
  p->v.observation = 0;
  p->marked.size = 0;
  VEC_RESERVE(p->marked, length);
  while (p->marked.size < length)
    VEC_PUSH(p->marked, false);
}

/* ance(e, e', E) for e' at `end`, or of a step that waits (`waiting`). */
static void mark_ancestors(struct printed *p, uint32_t end,
                           const struct step *waiting, uint32_t previous) {
  const struct printed_order *o = &p->order;
  for (uint32_t i = end; i-- > p->v.first + 1;) {
    bool needed = waiting ? needed_by_second(p, i, waiting, previous)
                          : printed_order_before(o, i, end);
    for (uint32_t k = i + 1; waiting && k < end && !needed; k++)
      needed = p->marked.at[k] && printed_order_before(o, i, k);
    p->marked.at[i] = needed && !printed_order_before(o, p->v.first, i);
  }
  for (uint32_t i = p->v.first + 1; i < end; i++)
    if (p->marked.at[i])
      printed_plan_add(&p->v.plan, o->trace, i);
  p->v.ancestors = p->v.plan.list.size;
}

/* Does no event from e on happen before the event at this position? */
static bool begins_rest(const struct printed *p, uint32_t position) {
  const struct trace *t = &p->x->trace;
  for (uint32_t q = 0; q < t->processes.size; q++) {
    uint32_t count = printed_order_count(&p->order, position, q);
    uint32_t last = count ? process_event(t, q, count) : 0;
    if (count && last != position && last >= p->v.first)
      return false;
  }
  return true;
}

/* I_fut: the initials of the events after E' that are not in v, without e. */
static void add_rest_initials(struct printed *p) {
  const struct trace *t = &p->x->trace;
  p->seen.size = 0;
  while (p->seen.size < t->processes.size)
    VEC_PUSH(p->seen, false);
  for (uint32_t i = p->v.first; i < t->events.size; i++) {
    uint32_t proc = t->events.at[i].proc;
    if (p->seen.at[proc])
      continue;
    p->seen.at[proc] = true;
    if (i != p->v.first && !p->marked.at[i] && begins_rest(p, i))
      printed_plan_add(&p->v.plan, t, i);
  }
  p->v.length = p->v.plan.list.size;
}

/* Marks the events after e, not in v yet, that happen before an observer of the
 * race. */
static void mark_not_observing(struct printed *p) {
  const struct positions *os = &p->observing;
  for (uint32_t i = p->v.first + 1; i < trace_length(&p->x->trace); i++) {
    bool before = false, observes = false;
    for (size_t k = 0; k < os->list.size; k++) {
      observes |= os->list.at[k] == i;
      before |= printed_order_before(&p->order, i, os->list.at[k]);
    }
    if (before && !observes && !p->marked.at[i])
      add_marked(p, i);
  }
}

/* v = ance.e'.I_fut, then e; or, if the race is observed by o and others,
 * v = ance.e'.e.notobs.o.I_fut, then the other observers. */
static void reverse_order(struct printed *p, const struct race *race) {
  const struct trace *t = &p->x->trace;
  const struct event *e = &t->events.at[race->second];
  struct step waiting = {
      .cause = e->cause, .accesses = e->accesses, .access = event_access(t, e)};
  begin_reversing(p, race->first);
  mark_ancestors(p, race->second, waits(e) ? &waiting : NULL, e->previous);
  p->v.second = race->second;
  add_marked(p, race->second);
  printed_order_observers(&p->order, race->first, race->second, &p->observing);
  const struct positions *os = &p->observing;
  if (os->list.size) {
    add_marked(p, race->first);
    mark_not_observing(p);
    add_marked(p, VEC_TOP(os->list));
    p->v.observation = p->v.plan.list.size;
  }
  p->v.needed = p->v.plan.list.size;
  add_rest_initials(p);
  for (size_t k = 0; k + 1 < os->list.size; k++)
    printed_plan_add(&p->v.plan, t, os->list.at[k]);
  if (!os->list.size)
    printed_plan_add(&p->v.plan, t, race->first);
}

/* e' is a step that is not in the trace: an operation that waits at the end, or
 * another alternative of e.  There is no don't-do sequence. */
static void reverse_by_move(struct printed *p, struct move move) {
  p->v.second = NOWHERE;
  VEC_PUSH(p->v.plan.list, (struct printed_move){move, NOWHERE});
  p->v.needed = p->v.plan.list.size;
  add_rest_initials(p);
}

/* ---- do both orders lead to the same state? ----------------------------- */

/* Runs the whole plan from the state after E', and compares the state with that
 * after E'. */
static bool changes_after(struct printed *p, const struct printed_plan *plan,
                          struct changes *out) {
  printed_run_at(&p->run, p->v.first);
  return printed_run_moves(&p->run, plan, 0, plan->list.size) ==
             plan->list.size &&
         printed_run_changes(&p->run, p->v.first, out);
}

/* The ancestors of e', then the two. */
static void plan_two(struct printed *p, uint32_t a, uint32_t b,
                     struct printed_plan *plan) {
  plan->list.size = 0;
  for (size_t i = 0; i < p->v.ancestors; i++)
    VEC_PUSH(plan->list, p->v.plan.list.at[i]);
  printed_plan_add(plan, &p->x->trace, a);
  printed_plan_add(plan, &p->x->trace, b);
}

/* Without section 3.4: all events from e to e', in their order, or with e'
 * right after its ancestors. */
static void plan_all(struct printed *p, bool reversed,
                     struct printed_plan *plan) {
  const struct trace *t = &p->x->trace;
  plan->list.size = 0;
  for (size_t i = 0; reversed && i <= p->v.ancestors; i++)
    VEC_PUSH(plan->list, p->v.plan.list.at[i]);
  for (uint32_t i = p->v.first; i <= p->v.second; i++) {
    bool ran = false;
    for (size_t k = 0; reversed && k <= p->v.ancestors; k++)
      ran |= p->v.plan.list.at[k].position == i;
    if (!ran)
      printed_plan_add(plan, t, i);
  }
}

static bool same_state(struct printed *p) {
  struct printed_plan plan = {0};
  struct changes as_it_was, reversed;
  bool refine = !p->x->options->no_refine;
  if (refine)
    plan_two(p, p->v.first, p->v.second, &plan);
  else
    plan_all(p, false, &plan);
  bool same = changes_after(p, &plan, &as_it_was);
  if (refine)
    plan_two(p, p->v.second, p->v.first, &plan);
  else
    plan_all(p, true, &plan);
  same = same && changes_after(p, &plan, &reversed) &&
         changes_equal(as_it_was, reversed);
  VEC_FREE(plan.list);
  return same;
}

/* Section 4.3: up to the observers, in the order of v, or with e first. */
static void plan_observed(struct printed *p, bool reversed,
                          struct printed_plan *plan) {
  const struct printed_reversal *v = &p->v;
  plan->list.size = 0;
  for (size_t i = 0; i < v->plan.list.size; i++)
    if (i < v->observation || i >= v->length)
      VEC_PUSH(plan->list, v->plan.list.at[i]);
  if (reversed)
    return;
  plan->list.at[v->ancestors] = v->plan.list.at[v->ancestors + 1];
  plan->list.at[v->ancestors + 1] = v->plan.list.at[v->ancestors];
}

/* The changes of each observer's step: the bytes that it wrote, and the local
 * state of its process, which was the same before the step. */
static bool observations_after(struct printed *p,
                               const struct printed_plan *plan,
                               struct changes *sum) {
  size_t first = p->v.observation - 1;
  *sum = (struct changes){{0, 0}};
  printed_run_at(&p->run, p->v.first);
  if (printed_run_moves(&p->run, plan, 0, first) != first)
    return false;
  for (size_t i = first; i < plan->list.size; i++) {
    struct changes one;
    if (printed_run_moves(&p->run, plan, i, 1) != 1 ||
        !printed_run_changes(&p->run, p->v.first + (uint32_t)i, &one))
      return false;
    for (int w = 0; w < 2; w++)
      sum->word[w] = sum->word[w] * 0x9e3779b97f4a7c15u + one.word[w];
  }
  return true;
}

static bool same_observations(struct printed *p) {
  struct printed_plan plan = {0};
  struct changes as_it_was, reversed;
  plan_observed(p, false, &plan);
  bool same = observations_after(p, &plan, &as_it_was);
  plan_observed(p, true, &plan);
  same = same && observations_after(p, &plan, &reversed) &&
         changes_equal(as_it_was, reversed);
  VEC_FREE(plan.list);
  return same;
}

/* ---- races -------------------------------------------------------------- */

/* Is a step that is done at an earlier node, or here, a weak initial of the
 * sequence from there through v? */
static bool is_redundant(struct printed *p, const struct printed_sequence *v) {
  const struct trace *t = &p->x->trace;
  uint32_t from = 0, at;
  while (from < p->v.first && !p->nodes.at[from].done)
    from++;
  struct printed_sequence *all = p->scratch;
  printed_sequence_clear(all);
  for (uint32_t i = from; i < p->v.first; i++)
    printed_sequence_add_event(all, t, i);
  for (uint32_t i = 0; i < v->acts.size; i++)
    printed_sequence_add_act(all, v, i);
  for (uint32_t n = from; n <= p->v.first; n++) {
    const struct printed_sequence *done = p->nodes.at[n].done;
    for (uint32_t i = 0; done && i < done->acts.size; i++)
      if (printed_sequence_weak_initial(all, n - from,
                                        (struct printed_act_of){done, i},
                                        p->observers, &at))
        return true;
  }
  return false;
}

/* No don't-do sequence where e' acquires a lock: another process's critical
 * section lies in between. */
static bool may_commute(const struct printed *p) {
  return p->v.second != NOWHERE && !waits(&p->x->trace.events.at[p->v.second]);
}

/* Lines 27 to 32. */
static void handle(struct printed *p) {
  struct printed_sequence *dont = printed_sequence_new(),
                          *v = printed_sequence_new();
  struct printed_node *node = &p->nodes.at[p->v.first];
  size_t possible =
      printed_run_write_out(&p->run, p->v.first, &p->v.plan, dont);
  for (uint32_t i = 0; i < possible && i < p->v.length; i++)
    printed_sequence_add_act(v, dont, i);
  if (possible >= p->v.needed && !is_redundant(p, v)) {
    printed_tree_insert(&p->pool, &node->tree, v, p->observers);
    if (possible == p->v.plan.list.size && may_commute(p) &&
        (p->v.observation ? same_observations(p) : same_state(p)))
      dontdo_add(&node->dontdo, dont);
  }
  printed_sequence_drop(v);
  printed_sequence_drop(dont);
}

static int later_node_first(const void *a, const void *b) {
  const struct race *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? 1 : -1;
  return (x->second > y->second) - (x->second < y->second);
}

/* The nodes are visited from the end of the execution towards its beginning. */
static void handle_races(struct printed *p) {
  struct printed_order *o = &p->order;
  if (o->races.size)
    qsort(o->races.at, o->races.size, sizeof *o->races.at, later_node_first);
  for (size_t i = 0; i < o->races.size && !p->x->diverged; i++) {
    const struct race *race = &o->races.at[i];
    if (race->kind == RACE_CHOICE) {
      begin_reversing(p, race->first);
      p->v.ancestors = 0;
      reverse_by_move(p, (struct move){o->trace->events.at[race->first].proc,
                                       race->second});
    } else {
      reverse_order(p, race);
    }
    handle(p);
  }
}

/* Processes that wait at the end of the execution.  The system is there. */
static void handle_pending(struct printed *p) {
  struct explorer *x = p->x;
  uint32_t end = (uint32_t)trace_length(&x->trace);
  for (uint32_t q = 0; q < x->system->processes && !x->diverged; q++) {
    struct step step;
    if (!printed_run_end(&p->run) ||
        !x->system->ops->pending(x->system, q, &step))
      continue;
    trace_pending_races(&x->trace, q, &step, &p->pending);
    uint32_t length = process_length(&x->trace, q);
    uint32_t previous = length ? process_event(&x->trace, q, length) + 1 : 0;
    for (size_t i = 0; i < p->pending.list.size; i++) {
      if (!printed_run_end(&p->run) ||
          !x->system->ops->pending(x->system, q, &step))
        break;
      begin_reversing(p, p->pending.list.at[i]);
      mark_ancestors(p, end, &step, previous);
      reverse_by_move(p, (struct move){q, 0});
      handle(p);
    }
  }
}

/* An execution that is too long has too many races to look at. */
static void ended(void *state, enum pick why) {
  struct printed *p = state;
  if (why == PICK_MOVE)
    return;
  printed_order_find(&p->order, &p->x->trace, p->observers);
  printed_run_begin(&p->run);
  if (why == PICK_END)
    handle_pending(p);
  handle_races(p);
  p->anew = !printed_run_end(&p->run);
}

/* ---- going back --------------------------------------------------------- */

/* The step that led on from this node has been explored, or cut. */
static void note_done(struct printed *p, struct printed_node *node,
                      uint32_t position) {
  if (!node->done)
    node->done = printed_sequence_new();
  printed_sequence_add_event(node->done, &p->x->trace, position);
}

static bool retreat(void *state, size_t *length) {
  struct printed *p = state;
  while (p->nodes.size > 1) {
    node_free(p, &VEC_TOP(p->nodes));
    p->nodes.size--;
    struct printed_node *node = &VEC_TOP(p->nodes);
    *length = p->nodes.size - 1;
    if (node->tree && !p->anew) {
      note_done(p, node, (uint32_t)*length);
      return true;
    }
  }
  return p->anew;
}

/* ---- life --------------------------------------------------------------- */

static struct printed *printed_new(struct explorer *x, bool observers) {
  struct printed *p = calloc(1, sizeof *p);
  ensure(p);
  p->x = p->run.x = x;
  p->observers = observers;
  p->scratch = printed_sequence_new();
  printed_tree_init(&p->pool);
  VEC_PUSH(p->nodes, (struct printed_node){0});
  return p;
}

static void *create(struct explorer *x) {
  return printed_new(x, false);
}

static void *create_with_observers(struct explorer *x) {
  return printed_new(x, true);
}

static void destroy(void *state) {
  struct printed *p = state;
  while (p->nodes.size)
    node_free(p, &VEC_POP(p->nodes));
  VEC_FREE(p->nodes);
  printed_tree_free(&p->pool);
  printed_order_free(&p->order);
  printed_run_free(&p->run);
  printed_sequence_drop(p->scratch);
  VEC_FREE(p->v.plan.list);
  VEC_FREE(p->marked);
  VEC_FREE(p->seen);
  VEC_FREE(p->observing.list);
  VEC_FREE(p->pending.list);
  free(p);
}

const struct algorithm printed_optimal_cs_algorithm = {.name = "optimal-cs",
                                                       .unordered = true,
                                                       .order = {.races = true},
                                                       .printed = true,
                                                       .create = create,
                                                       .destroy = destroy,
                                                       .pick = pick,
                                                       .stepped = stepped,
                                                       .ended = ended,
                                                       .retreat = retreat};

const struct algorithm printed_optimal_cs_ob_algorithm = {
    .name = "optimal-cs-ob",
    .unordered = true,
    .observes = true,
    .order = {.races = true},
    .printed = true,
    .create = create_with_observers,
    .destroy = destroy,
    .pick = pick,
    .stepped = stepped,
    .ended = ended,
    .retreat = retreat};
