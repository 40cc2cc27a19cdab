/* Paper 1 to the letter: optimal context-sensitive DPOR (algorithm 1, with
 * sections 3.3 and 3.4), and the same with observers (algorithm 2, with 4.3 and
 * 4.4).  For reproducing the paper's tables: both lose executions, see
 * docs/algorithms.md, so what they find is never proof that nothing is wrong.
 *
 * The idea.  As in optimal.c, a race e, e' of a complete execution asks for a
 * sequence v that takes e' first, to be run from what came before e.  If both
 * orders of e and e' lead to the same state, v followed by e need not be run:
 * it becomes a don't-do sequence, which moves down the tree as its steps are
 * taken.  A step that completes one is taken only to look at its races.
 *
 * Albert, Garcia de la Banda, Gomez-Zamalloa, Isabel, Stuckey: Optimal dynamic
 * partial order reduction with context-sensitive independence and observers,
 * JSS 2023.  Where the text is silent or cannot be meant:
 *   - The check of section 3.4 compares the states after ance.e.e' and
 *     ance.e'.e: what else ran between e and e' has nothing to do with the
 * race.
 *     --no-refine runs all that came between them, in both orders.
 *   - I_fut has the initials of what followed E', without e and without what is
 *     in v: this gives the sequences of the paper's example in section 3.3.
 *   - A step that was cut counts as done (line 22).
 *   - Operations that block: see trace.h.  They get no don't-do sequence.
 *     Processes that wait at the end take part with their pending operation.
 *   - A step with alternatives races with its other alternatives.
 *
 *   paper                here
 *   wut(E)               node->tree
 *   done(E)              node->done
 *   dnd(E)               node->dontdo
 *   E |= p <> v          sequence_needs()
 *   WI(w)                sequence_weak_initial()
 *   redundant(E', done)  is_redundant()
 *   ance(e, e', E)       mark_ancestors()
 *   observers(e, e', E)  order_observers()
 *   notobs(e, e', E)     mark_not_observing()
 *   I_fut(E', v, E)      add_future_initials()
 */
#include <stdlib.h>

#include "explore/algorithms.h"
#include "explore/printed_dontdo.h"
#include "explore/printed_order.h"
#include "explore/printed_run.h"
#include "explore/printed_tree.h"
#include "util/ensure.h"

/* keep */
struct node {
  uint32_t tree;
  struct sequence *done; /* the steps explored from here */
  struct dontdo dontdo;
  bool cut; /* its last step completes a don't-do sequence */
};

/* A race, and what reverses it.  keep */
struct reversing {
  uint32_t first;
  uint32_t second;    /* position of e', or NOWHERE */
  struct plan plan;   /* v, then what a don't-do sequence has more */
  size_t needed;      /* so much of it reverses the race */
  size_t ancestors;   /* and so much comes before e' */
  size_t observation; /* and so much ends with the last observer, or 0 */
  size_t length;      /* of v */
};

struct printed {
  struct explorer *x;
  bool observers;
  VEC(struct node) nodes; /* one for each length of the trace */
  struct tree_pool pool;
  struct order order;
  struct run run;
  struct reversing v;
  struct sequence *scratch;
  VEC(bool) marked;           /* positions in v */
  VEC(bool) seen;             /* scratch: processes */
  struct positions observing; /* the observers of the race at hand */
  struct positions pending;   /* scratch */
  bool anew;                  /* the system wants to begin anew */
};

/* ---- going down ---------------------------------------------------------- */

static bool forbidden(const void *context, uint32_t proc) {
  const struct printed *p = context;
  return dontdo_forbids(&VEC_TOP(p->nodes).dontdo, proc, 0);
}

/* Lines 7 to 9: only don't-do steps are left; the races of each are looked
 * at. */
static void plan_cuts(struct printed *p, struct node *node) {
  struct system *system = p->x->system;
  for (size_t i = 0; i < node->dontdo.list.size; i++) {
    struct sequence *s = node->dontdo.list.at[i];
    if (s->acts.size == 1 && system->ops->enabled(system, s->acts.at[0].proc))
      tree_add(&p->pool, &node->tree, s);
  }
}

/* Is the step that the first branch begins with possible?  The tree knows only
 * what seemed possible. */
static bool first_possible(struct printed *p, const struct node *node) {
  const struct act *first = tree_first(&p->pool, node->tree);
  return run_possible(&p->run, (struct move){first->proc, first->choice},
                      trace_length(&p->x->trace));
}

static enum pick pick(void *state, struct move *move) {
  struct printed *p = state;
  struct node *node = &VEC_TOP(p->nodes);
  if (node->cut)
    return PICK_CUT;
  while (node->tree && !first_possible(p, node))
    tree_drop(&p->pool, tree_take(&p->pool, &node->tree));
  if (!node->tree) {
    enum pick pick = run_free_choice(&p->run, forbidden, p, &move->proc);
    move->choice = 0;
    if (pick != PICK_CUT)
      return pick;
    plan_cuts(p, node);
  }
  const struct act *first = tree_first(&p->pool, node->tree);
  *move = (struct move){first->proc, first->choice};
  return PICK_MOVE;
}

static struct act_of newest(struct printed *p) {
  const struct trace *t = &p->x->trace;
  sequence_clear(p->scratch);
  sequence_add_event(p->scratch, t, (uint32_t)trace_length(t) - 1);
  return (struct act_of){p->scratch, 0};
}

static void node_free(struct printed *p, struct node *node) {
  tree_drop(&p->pool, node->tree);
  sequence_drop(node->done);
  dontdo_free(&node->dontdo);
}

static void stepped(void *state) {
  struct printed *p = state;
  struct node *parent = &VEC_TOP(p->nodes);
  struct act_of x = newest(p);
  run_stepped(&p->run);
  struct node child = {0};
  if (parent->tree)
    child.tree = tree_take(&p->pool, &parent->tree);
  child.cut =
      dontdo_forbids(&parent->dontdo, act_get(x)->proc, act_get(x)->choice);
  struct inheritance how = {p->observers, p->observers};
  if (!child.cut)
    dontdo_inherit(&parent->dontdo, x, how, &child.dontdo);
  VEC_PUSH(p->nodes, child);
}

/* ---- what reverses a race ------------------------------------------------ */

static bool waits(const struct event *e) {
  return e->flags & STEP_BLOCKING;
}

static void add_marked(struct printed *p, uint32_t position) {
  p->marked.at[position] = true;
  plan_add(&p->v.plan, &p->x->trace, position);
}

static bool conflicts(const struct trace *t, uint32_t position,
                      const struct step *late) {
  const struct event *e = &t->events.at[position];
  return footprint_conflict(event_access(t, e), e->accesses, late->access,
                            late->accesses);
}

/* What must come before e', if that is an operation that waits: its order on
 * its own object is no guide. */
static bool needed_by_late(const struct printed *p, uint32_t position,
                           const struct step *late, uint32_t previous) {
  const struct order *o = &p->order;
  return (previous && order_before(o, position, previous - 1)) ||
         (late->cause && order_before(o, position, late->cause - 1)) ||
         conflicts(o->trace, position, late);
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

/* ance(e, e', E) for e' at `end`, or of a step that waits (`late`). */
static void mark_ancestors(struct printed *p, uint32_t end,
                           const struct step *late, uint32_t previous) {
  const struct order *o = &p->order;
  for (uint32_t i = end; i-- > p->v.first + 1;) {
    bool needed =
        late ? needed_by_late(p, i, late, previous) : order_before(o, i, end);
    for (uint32_t k = i + 1; late && k < end && !needed; k++)
      needed = p->marked.at[k] && order_before(o, i, k);
    p->marked.at[i] = needed && !order_before(o, p->v.first, i);
  }
  for (uint32_t i = p->v.first + 1; i < end; i++)
    if (p->marked.at[i])
      plan_add(&p->v.plan, o->trace, i);
  p->v.ancestors = p->v.plan.list.size;
}

/* Has the event at this position nothing before it from e on? */
static bool begins_future(const struct printed *p, uint32_t position) {
  const struct trace *t = &p->x->trace;
  for (uint32_t q = 0; q < t->processes.size; q++) {
    uint32_t count = order_count(&p->order, position, q);
    uint32_t last = count ? process_event(t, q, count) : 0;
    if (count && last != position && last >= p->v.first)
      return false;
  }
  return true;
}

/* I_fut: the initials of what followed E' that are not in v, without e. */
static void add_future_initials(struct printed *p) {
  const struct trace *t = &p->x->trace;
  p->seen.size = 0;
  while (p->seen.size < t->processes.size)
    VEC_PUSH(p->seen, false);
  for (uint32_t i = p->v.first; i < t->events.size; i++) {
    uint32_t proc = t->events.at[i].proc;
    if (p->seen.at[proc])
      continue;
    p->seen.at[proc] = true;
    if (i != p->v.first && !p->marked.at[i] && begins_future(p, i))
      plan_add(&p->v.plan, t, i);
  }
  p->v.length = p->v.plan.list.size;
}

/* Everything after e, of what is not in v yet, that happens before an observer
 * of the race. */
static void mark_not_observing(struct printed *p) {
  const struct positions *os = &p->observing;
  for (uint32_t i = p->v.first + 1; i < trace_length(&p->x->trace); i++) {
    bool before = false, observes = false;
    for (size_t k = 0; k < os->list.size; k++) {
      observes |= os->list.at[k] == i;
      before |= order_before(&p->order, i, os->list.at[k]);
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
  struct step late = {
      .cause = e->cause, .accesses = e->accesses, .access = event_access(t, e)};
  begin_reversing(p, race->first);
  mark_ancestors(p, race->second, waits(e) ? &late : NULL, e->previous);
  p->v.second = race->second;
  add_marked(p, race->second);
  order_observers(&p->order, race->first, race->second, &p->observing);
  const struct positions *os = &p->observing;
  if (os->list.size) {
    add_marked(p, race->first);
    mark_not_observing(p);
    add_marked(p, VEC_TOP(os->list));
    p->v.observation = p->v.plan.list.size;
  }
  p->v.needed = p->v.plan.list.size;
  add_future_initials(p);
  for (size_t k = 0; k + 1 < os->list.size; k++)
    plan_add(&p->v.plan, t, os->list.at[k]);
  if (!os->list.size)
    plan_add(&p->v.plan, t, race->first);
}

/* e' is a step that is not in the trace: an operation that waits at the end, or
 * another alternative of e.  There is no don't-do sequence. */
static void reverse_by_move(struct printed *p, struct move move) {
  p->v.second = NOWHERE;
  VEC_PUSH(p->v.plan.list, (struct planned){move, NOWHERE});
  p->v.needed = p->v.plan.list.size;
  add_future_initials(p);
}

/* ---- do both orders lead to the same state? ------------------------------ */

/* From the state after E': all of the plan, and then the difference to E'. */
static bool changes_after(struct printed *p, const struct plan *plan,
                          struct changes *out) {
  run_at(&p->run, p->v.first);
  return run_moves(&p->run, plan, 0, plan->list.size) == plan->list.size &&
         run_changes(&p->run, p->v.first, out);
}

/* The ancestors of e', then the two. */
static void plan_two(struct printed *p, uint32_t a, uint32_t b,
                     struct plan *plan) {
  plan->list.size = 0;
  for (size_t i = 0; i < p->v.ancestors; i++)
    VEC_PUSH(plan->list, p->v.plan.list.at[i]);
  plan_add(plan, &p->x->trace, a);
  plan_add(plan, &p->x->trace, b);
}

/* Without section 3.4: all from e to e', as it was, or with e' after its
 * ancestors. */
static void plan_all(struct printed *p, bool reversed, struct plan *plan) {
  const struct trace *t = &p->x->trace;
  plan->list.size = 0;
  for (size_t i = 0; reversed && i <= p->v.ancestors; i++)
    VEC_PUSH(plan->list, p->v.plan.list.at[i]);
  for (uint32_t i = p->v.first; i <= p->v.second; i++) {
    bool ran = false;
    for (size_t k = 0; reversed && k <= p->v.ancestors; k++)
      ran |= p->v.plan.list.at[k].position == i;
    if (!ran)
      plan_add(plan, t, i);
  }
}

static bool same_state(struct printed *p) {
  struct plan plan = {0};
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
static void plan_observed(struct printed *p, bool reversed, struct plan *plan) {
  const struct reversing *v = &p->v;
  plan->list.size = 0;
  for (size_t i = 0; i < v->plan.list.size; i++)
    if (i < v->observation || i >= v->length)
      VEC_PUSH(plan->list, v->plan.list.at[i]);
  if (reversed)
    return;
  plan->list.at[v->ancestors] = v->plan.list.at[v->ancestors + 1];
  plan->list.at[v->ancestors + 1] = v->plan.list.at[v->ancestors];
}

/* What each observer's step changed: the bytes that it wrote, and the local
 * state of its process, which is the same before it. */
static bool observations_after(struct printed *p, const struct plan *plan,
                               struct changes *sum) {
  size_t first = p->v.observation - 1;
  *sum = (struct changes){{0, 0}};
  run_at(&p->run, p->v.first);
  if (run_moves(&p->run, plan, 0, first) != first)
    return false;
  for (size_t i = first; i < plan->list.size; i++) {
    struct changes one;
    if (run_moves(&p->run, plan, i, 1) != 1 ||
        !run_changes(&p->run, p->v.first + (uint32_t)i, &one))
      return false;
    for (int w = 0; w < 2; w++)
      sum->word[w] = sum->word[w] * 0x9e3779b97f4a7c15u + one.word[w];
  }
  return true;
}

static bool same_observations(struct printed *p) {
  struct plan plan = {0};
  struct changes as_it_was, reversed;
  plan_observed(p, false, &plan);
  bool same = observations_after(p, &plan, &as_it_was);
  plan_observed(p, true, &plan);
  same = same && observations_after(p, &plan, &reversed) &&
         changes_equal(as_it_was, reversed);
  VEC_FREE(plan.list);
  return same;
}

/* ---- races --------------------------------------------------------------- */

/* Has a step that is done at an earlier node, or here, been a weak initial of
 * what v leads to from there? */
static bool is_redundant(struct printed *p, const struct sequence *v) {
  const struct trace *t = &p->x->trace;
  uint32_t from = 0, at;
  while (from < p->v.first && !p->nodes.at[from].done)
    from++;
  struct sequence *all = p->scratch;
  sequence_clear(all);
  for (uint32_t i = from; i < p->v.first; i++)
    sequence_add_event(all, t, i);
  for (uint32_t i = 0; i < v->acts.size; i++)
    sequence_add_act(all, v, i);
  for (uint32_t n = from; n <= p->v.first; n++) {
    const struct sequence *done = p->nodes.at[n].done;
    for (uint32_t i = 0; done && i < done->acts.size; i++)
      if (sequence_weak_initial(all, n - from, (struct act_of){done, i},
                                p->observers, &at))
        return true;
  }
  return false;
}

/* No don't-do sequence where e' is an acquisition: in between there is another
 * process's critical section. */
static bool may_commute(const struct printed *p) {
  return p->v.second != NOWHERE && !waits(&p->x->trace.events.at[p->v.second]);
}

/* Lines 27 to 32. */
static void handle(struct printed *p) {
  struct sequence *dont = sequence_new(), *v = sequence_new();
  struct node *node = &p->nodes.at[p->v.first];
  size_t possible = run_write_out(&p->run, p->v.first, &p->v.plan, dont);
  for (uint32_t i = 0; i < possible && i < p->v.length; i++)
    sequence_add_act(v, dont, i);
  if (possible >= p->v.needed && !is_redundant(p, v)) {
    tree_insert(&p->pool, &node->tree, v, p->observers);
    if (possible == p->v.plan.list.size && may_commute(p) &&
        (p->v.observation ? same_observations(p) : same_state(p)))
      dontdo_add(&node->dontdo, dont);
  }
  sequence_drop(v);
  sequence_drop(dont);
}

static int later_node_first(const void *a, const void *b) {
  const struct race *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? 1 : -1;
  return (x->second > y->second) - (x->second < y->second);
}

/* The nodes are visited from the end of the execution towards its beginning. */
static void handle_races(struct printed *p) {
  struct order *o = &p->order;
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
    if (!run_end(&p->run) || !x->system->ops->pending(x->system, q, &step))
      continue;
    trace_pending_races(&x->trace, q, &step, &p->pending);
    uint32_t length = process_length(&x->trace, q);
    uint32_t previous = length ? process_event(&x->trace, q, length) + 1 : 0;
    for (size_t i = 0; i < p->pending.list.size; i++) {
      if (!run_end(&p->run) || !x->system->ops->pending(x->system, q, &step))
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
  order_settle(&p->order, &p->x->trace, p->observers);
  run_begin(&p->run);
  if (why == PICK_END)
    handle_pending(p);
  handle_races(p);
  p->anew = !run_end(&p->run);
}

/* ---- going back ---------------------------------------------------------- */

/* The step that led on from this node has been explored, or cut. */
static void note_done(struct printed *p, struct node *node, uint32_t position) {
  if (!node->done)
    node->done = sequence_new();
  sequence_add_event(node->done, &p->x->trace, position);
}

static bool retreat(void *state, size_t *length) {
  struct printed *p = state;
  while (p->nodes.size > 1) {
    node_free(p, &VEC_TOP(p->nodes));
    p->nodes.size--;
    struct node *node = &VEC_TOP(p->nodes);
    *length = p->nodes.size - 1;
    if (node->tree && !p->anew) {
      note_done(p, node, (uint32_t)*length);
      return true;
    }
  }
  return p->anew;
}

/* ---- life ---------------------------------------------------------------- */

static struct printed *printed_new(struct explorer *x, bool observers) {
  struct printed *p = calloc(1, sizeof *p);
  ensure(p);
  p->x = p->run.x = x;
  p->observers = observers;
  p->scratch = sequence_new();
  tree_init(&p->pool);
  VEC_PUSH(p->nodes, (struct node){0});
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
  tree_free(&p->pool);
  order_free(&p->order);
  run_discard(&p->run);
  sequence_drop(p->scratch);
  VEC_FREE(p->v.plan.list);
  VEC_FREE(p->marked);
  VEC_FREE(p->seen);
  VEC_FREE(p->observing.list);
  VEC_FREE(p->pending.list);
  free(p);
}

const struct algorithm printed_optimal_cs_algorithm = {.name = "optimal-cs",
                                                       .wants_races = true,
                                                       .printed = true,
                                                       .create = create,
                                                       .destroy = destroy,
                                                       .pick = pick,
                                                       .stepped = stepped,
                                                       .ended = ended,
                                                       .retreat = retreat};

const struct algorithm printed_optimal_cs_ob_algorithm = {
    .name = "optimal-cs-ob",
    .observes = true,
    .wants_races = true,
    .printed = true,
    .create = create_with_observers,
    .destroy = destroy,
    .pick = pick,
    .stepped = stepped,
    .ended = ended,
    .retreat = retreat};
