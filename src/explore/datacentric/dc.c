/* Data-centric exploration: one execution for each class of executions in which
 * every read observes the same write.
 *
 * Chalupa, Chatterjee, Pavlogiannis, Sinha, Vaidya: Data-centric dynamic
 * partial order reduction (POPL 2018), called the paper here.
 *
 * A run t determines for every reading event the write that it observes: O_t.
 * An annotation A is a part of that. explore(t, A, N) visits all classes that
 * contain A and contain none of the clauses in N. The class of t is one of
 * them, unless N forbids it:
 *
 *   for each reading event r of t that A is not about, and each write w in t,
 *   or the initial content, other than O_t(r):
 *     B  := (r, w), and all observations of the cones of r and w in t
 *     A' := A and B;  next if A' contains a clause of N
 *     s  := an order of A' in which it is observed, if there is one
 *           (linearize.h)
 *     t' := s, and on to the end, near t
 *     explore(t', A', N);  add B to N
 *
 * Nothing is lost.  Let O be a class that contains A and that N does not
 * forbid, and t* a run of it.  Of its events that observe something else than
 * in t, let r be the first in t*. All events before r are events of t, with
 * the same cones, so the pair (r, O(r)) is tried, and its B is part of O. So O
 * is visited below that pair, or forbidden there by the B of a pair that was
 * tried before, below which it was visited.  For the same reason no class is
 * visited twice.
 *
 * A contains the cones of all its events.  So it is represented by the number
 * of annotated events of each process (node.fixed), and N is a stack: the
 * clauses that a node has added are dropped when it is left.  Operations that
 * wait when the run ends take part like events.  The alternative that an event
 * takes (`choices`) is a pair of its own: the event observes first, then it
 * chooses.
 *
 * If N forbids t', t' is cut (`blocked`), but the search goes on from it all
 * the same.  Before, a better t' is looked for: see find_better().
 *
 * Natively no value can be given to a thread.  So what an event does is known
 * only if all that it follows from is as in t.  That is the case for all of A'
 * but r itself, which is the last event of its process there.  Whether a
 * compare-and-swap writes then, and what an atomic block touches, is found out
 * by running it after its cone (dc_options.c).
 *
 *   paper               here
 *   O_t                 rf_item.from, rf_event.pair
 *   past cone           reads_from.cones
 *   positive annotation node.fixed, of node.run
 *   negative annotation clauses (N), node.clause (B)
 *   Realize, 2-SAT      linearize.h
 *   burst mutation      B is added at once
 *
 * Where this is not the paper's:
 *   - Negative annotations of single pairs lose classes together with burst
 *     mutations (tests/models/dc-burst.model); hence clauses.
 *   - Realize is exact on all communication graphs, not only on acyclic ones,
 *     so classes are not refined on cyclic ones: see linearize.h.
 *   - Mutexes and their like are observed: every operation on one observes the
 *     one before it, which the paper does only on cyclic graphs.  So deadlocks
 *     are found, and the happens-before order of C11, which synchronisation
 *     makes, is the same throughout a class: if one of its runs has a data
 *     race, the run that is visited has one.
 *   - Reads of several writes, read-modify-writes, atomic blocks, threads,
 *     condition variables and spin loops are not in the paper: see
 *     reads_from.h.
 *
 * Invariants, cited by asserts:
 *   D1  the pairs of a node's clause are observed in its run.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/algorithms.h"
#include "explore/datacentric/dc.h"
#include "util/ensure.h"
#include "util/planted.h"

static struct dc_node *top(const struct dc *d) {
  return &d->nodes.at[d->depth - 1];
}

/* The node that is being made. */
static struct dc_node *spare(struct dc *d) {
  if (d->depth == d->nodes.size)
    VEC_PUSH(d->nodes, (struct dc_node){0});
  return &d->nodes.at[d->depth];
}

/* The node of the run that the plan takes its events from. */
static struct dc_node *source(struct dc *d) {
  return d->has_covered ? &d->covered : top(d);
}

/* ---- clauses ------------------------------------------------------------ */

/* Does the annotation with these counts, after the chosen option, contain this
 * pair? */
static bool annotated(const struct dc *d, const struct dc_node *node,
                      const uint32_t *fixed, uint32_t number) {
  const struct reads_from *r = &node->run;
  const struct annotation_pair *p = &d->maker.pairs.list.at[number];
  if (p->proc >= r->processes || fixed[p->proc] < 2 * p->index - !p->choice)
    return false;
  uint32_t event = rf_event(r, p->proc, p->index);
  const struct rf_event *e = &r->events.at[event];
  if (event == d->changed && d->chosen.by_choice == p->choice)
    return number == d->chosen.pair;
  return number == (p->choice ? e->choice_pair : e->pair);
}

static bool is_forbidden(const struct dc *d, const struct dc_node *node,
                         const uint32_t *fixed) {
  for (size_t c = 0; c < d->clauses.size; c++) {
    const struct dc_clause *clause = &d->clauses.at[c];
    uint32_t i = 0;
    while (i < clause->count &&
           annotated(d, node, fixed, d->clause_pairs.at[clause->first + i]))
      i++;
    if (i == clause->count)
      return true;
  }
  return false;
}

static bool holds(const struct dc *d, const struct reads_from *r,
                  uint32_t number) {
  const struct annotation_pair *p = &d->maker.pairs.list.at[number];
  if (p->proc >= r->processes || p->index > rf_count(r, p->proc))
    return false;
  uint32_t event = rf_event(r, p->proc, p->index);
  const struct rf_event *e = &r->events.at[event];
  return event < r->length && number == (p->choice ? e->choice_pair : e->pair);
}

/* Has another part of the search covered this run? */
static bool is_covered(const struct dc *d, const struct reads_from *r) {
  for (size_t c = 0; c < d->clauses.size; c++) {
    const struct dc_clause *clause = &d->clauses.at[c];
    uint32_t i = 0;
    while (i < clause->count &&
           holds(d, r, d->clause_pairs.at[clause->first + i]))
      i++;
    if (i == clause->count)
      return true;
  }
  return false;
}

/* B: the observation of the changed event, and all observations of its cone. */
static void write_clause(struct dc *d, const struct dc_node *node,
                         struct dc_node *child) {
  const struct reads_from *r = &node->run;
  child->clause.size = 0;
  VEC_PUSH(child->clause, d->chosen.pair);
  if (planted(DC_CLAUSE))
    return;
  for (uint32_t p = 0; p < r->processes; p++)
    for (uint32_t k = 1; 2 * k - 1 <= d->base.at[p]; k++) {
      uint32_t event = rf_event(r, p, k);
      const struct rf_event *e = &r->events.at[event];
      if (e->pair && (event != d->changed || d->chosen.by_choice))
        VEC_PUSH(child->clause, e->pair);
      if (e->choice_pair && event != d->changed)
        VEC_PUSH(child->clause, e->choice_pair);
    }
}

/* ---- linearizing -------------------------------------------------------- */

static bool begin_asking(struct dc *d, const struct dc_node *node,
                         const struct rf_item *items) {
  struct linearize_change change = {d->changed, items, d->chosen.count};
  d->x->counters->realize_calls++;
  struct linearize_start start = {node->rows.at, node->wanted.at};
  return linearize_begin(&d->linearizer, &node->run, start, d->wanted.at,
                         &change);
}

static bool end_asking(struct dc *d) {
  if (!linearize_end(&d->linearizer, true))
    return false;
  d->plan.size = 0;
  for (size_t i = 0; i < d->linearizer.schedule.size; i++)
    VEC_PUSH(d->plan, d->linearizer.schedule.at[i]);
  return true;
}

static void set_writes(const struct dc *d, struct rf_item *items, bool writes) {
  for (uint32_t i = 0; i < d->chosen.count; i++)
    items[i].writes = writes;
}

/* Whether a conditional event writes depends on its observation.  An order in
 * which it may write is good in either case.  If there is only an order in
 * which it may not, the event is tried. */
static bool ask_again(struct dc *d, const struct dc_node *node,
                      struct rf_item *items) {
  set_writes(d, items, false);
  return begin_asking(d, node, items) && end_asking(d) &&
         !dc_would_write(d, node, d->changed, items, d->chosen.count);
}

/* Finds the annotation that the chosen option leads to. */
static bool find_annotation(struct dc *d, const struct dc_node *node,
                            struct dc_node *child,
                            const struct rf_item *items) {
  const struct rf_event *e = &node->run.events.at[d->changed];
  if (!dc_find_base(d, node, d->changed, items, d->chosen.count))
    return false;
  d->base.at[e->proc] += d->chosen.by_choice;
  VEC_SIZED(child->fixed, node->run.processes);
  VEC_SIZED(d->wanted, node->run.processes);
  for (uint32_t p = 0; p < node->run.processes; p++) {
    uint32_t more = d->base.at[p], fixed = node->fixed.at[p];
    child->fixed.at[p] = fixed < more ? more : fixed;
    d->wanted.at[p] = (child->fixed.at[p] + 1) / 2;
  }
  return true;
}

/* Is there a run with the chosen option that no clause forbids?  Then makes a
 * plan for it. */
static bool is_feasible(struct dc *d, struct dc_node *node,
                        struct dc_node *child) {
  const struct rf_event *e = &node->run.events.at[d->changed];
  struct rf_item *items = node->items.at + d->chosen.first;
  if (!find_annotation(d, node, child, items))
    return false;
  bool conditional =
      (e->flags & STEP_CONDITIONAL) && !e->varies && !d->chosen.by_choice;
  if (conditional)
    set_writes(d, items, true);
  if (!d->chosen.pair)
    d->chosen.pair =
        rf_pair(&d->maker, &node->run, d->changed, items, d->chosen.count);
  if (is_forbidden(d, node, child->fixed.at))
    return false;
  write_clause(d, node, child);
  if ((begin_asking(d, node, items) && end_asking(d)) ||
      (conditional && ask_again(d, node, items)))
    return true;
  d->x->counters->realize_failures++;
  return false;
}

/* Finds the order that all runs with the node's annotation have in common. */
static void find_rows(struct dc *d, struct dc_node *node) {
  const struct reads_from *r = &node->run;
  node->wanted.size = node->rows.size = 0;
  for (uint32_t p = 0; p < r->processes; p++)
    VEC_PUSH(node->wanted, (node->fixed.at[p] + 1) / 2);
  VEC_RESERVE(node->rows, r->cones.size);
  node->rows.size = r->cones.size;
  if (!node->rows.size)
    return; /* nothing happens */
  if (d->order_known && top(d)->run.processes == r->processes)
    linearize_rows_again(&d->linearizer, r, node->wanted.at, node->rows.at);
  else
    linearize_rows(&d->linearizer, r, node->wanted.at, node->rows.at);
}

/* ---- going back --------------------------------------------------------- */

uint32_t dc_last_event(const struct dc_node *node) {
  return planted(DC_PENDING) ? node->run.length
                             : (uint32_t)node->run.events.size;
}

/* The next option of the newest node that leads to a run. */
static bool next_option(struct dc *d) {
  struct dc_node *child = spare(d), *node = top(d);
  for (;;) {
    while (node->option < node->options.size) {
      d->changed = node->next - 1;
      d->chosen = node->options.at[node->option++];
      if (is_feasible(d, node, child)) {
        const struct rf_event *e = &node->run.events.at[d->changed];
        d->order_known = !e->varies && !(e->flags & STEP_CONDITIONAL);
        return true;
      }
    }
    if (d->x->diverged)
      return false;
    node->option = node->options.size = 0;
    if (node->next == dc_last_event(node))
      return false;
    dc_find_options(d, node, node->next++);
  }
}

/* All runs with the newest node's annotation are explored. */
static void leave(struct dc *d) {
  const struct dc_node *node = top(d);
  d->clauses.size = node->clauses;
  d->clause_pairs.size = node->clause_pairs;
  if (node->clause.size)
    VEC_PUSH(d->clauses, (struct dc_clause){d->clause_pairs.size,
                                            (uint32_t)node->clause.size});
  for (size_t i = 0; i < node->clause.size; i++)
    VEC_PUSH(d->clause_pairs, node->clause.at[i]);
  d->depth--;
}

static uint32_t planned_choice(const struct dc *d, const struct reads_from *r,
                               uint32_t event) {
  return event == d->changed ? d->chosen.choice : r->events.at[event].choice;
}

static size_t common_length(struct dc *d) {
  const struct trace *t = &d->x->trace;
  const struct reads_from *r = &source(d)->run;
  size_t length = 0;
  while (length < d->synced && length < d->plan.size) {
    uint32_t event = d->plan.at[length];
    if (event == d->changed ||
        t->events.at[length].proc != r->events.at[event].proc ||
        t->events.at[length].choice != planned_choice(d, r, event))
      break;
    length++;
  }
  return length;
}

static void begin_anew(struct dc *d) {
  d->depth = d->clauses.size = d->clause_pairs.size = d->plan.size = 0;
  d->synced = 0;
  d->has_covered = d->order_known = false;
  dc_forget_left(d);
  explorer_restart(d->x);
  d->restart = false;
}

static bool retreat(void *state, size_t *length) {
  struct dc *d = state;
  *length = 0;
  if (d->restart) {
    begin_anew(d);
    d->at_hand = true;
    return true;
  }
  while (!d->has_covered && d->depth && !next_option(d))
    leave(d);
  if (d->linearizer.given_up)
    explorer_limit(d->x, "an order of events is too hard to find for dc");
  d->at_hand = d->depth || d->left.size;
  if (d->depth)
    *length = d->synced = common_length(d);
  else if (d->left.size)
    *length = dc_begin_item(d);
  return d->at_hand;
}

/* ---- going on ----------------------------------------------------------- */

/* The enabled process that came first in the run before. */
static bool choose_process(struct dc *d, uint32_t *proc) {
  struct explorer *x = d->x;
  const struct reads_from *r = d->depth ? &source(d)->run : NULL;
  uint32_t best = NOWHERE;
  *proc = NOWHERE;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    uint32_t next = process_length(&x->trace, p) + 1;
    uint32_t position = r && p < r->processes && next <= rf_count(r, p)
                            ? rf_event(r, p, next)
                            : NOWHERE - 1;
    if (position < best && x->system->ops->enabled(x->system, p)) {
      best = position;
      *proc = p;
    }
  }
  return *proc != NOWHERE;
}

static void finish_run(struct dc *d) {
  d->maker.failures = d->x->failures.at;
  d->maker.failure_count = d->x->failures.size;
  if (!rf_make(&d->maker, &spare(d)->run, &d->x->trace, d->x->system))
    d->restart = true;
}

/* The planned events are not possible.  Has a process failed that did not in
 * the run before, because bytes were not known to be ordered? */
static bool has_failed(struct dc *d) {
  if (d->x->failures.size)
    finish_run(d);
  return d->restart;
}

static enum pick follow_plan(struct dc *d, uint32_t event, struct move *move) {
  const struct reads_from *r = &source(d)->run;
  struct system *s = d->x->system;
  *move = (struct move){r->events.at[event].proc, planned_choice(d, r, event)};
  if (s->ops->enabled(s, move->proc))
    return PICK_MOVE;
  if (event != d->changed && !has_failed(d))
    explorer_impossible(d->x, move->proc);
  return PICK_DROP; /* with the observation asked for, it has to wait */
}

/* ---- a better run ------------------------------------------------------- */

/* The next option of the covered run that no clause forbids, with its
 * annotation as it is. */
static bool next_of_covered(struct dc *d) {
  struct dc_node *covered = &d->covered;
  while (covered->option < covered->options.size) {
    d->changed = covered->next;
    d->chosen = covered->options.at[covered->option++];
    if (is_feasible(d, covered, &d->scratch))
      return true;
  }
  return false;
}

/* Adds the cone of an event to the covered run's annotation, unless a clause
 * forbids that. */
static bool annotate(struct dc *d, uint32_t event) {
  struct dc_node *covered = &d->covered;
  const struct reads_from *r = &covered->run;
  const uint32_t *cone = rf_cone(r, event);
  d->changed = NOWHERE;
  d->scratch.fixed.size = 0;
  for (uint32_t p = 0; p < r->processes; p++) {
    uint32_t fixed = covered->fixed.at[p];
    VEC_PUSH(d->scratch.fixed, fixed < 2 * cone[p] ? 2 * cone[p] : fixed);
  }
  if (is_forbidden(d, covered, d->scratch.fixed.at))
    return false;
  memcpy(covered->fixed.at, d->scratch.fixed.at,
         r->processes * sizeof *covered->fixed.at);
  return true;
}

static void swap_runs(struct dc_node *a, struct dc_node *b) {
  struct reads_from run = a->run;
  a->run = b->run;
  b->run = run;
}

static void copy_fixed(struct dc_node *to, const struct dc_node *from,
                       uint32_t processes) {
  to->fixed.size = 0;
  for (size_t p = 0; p < from->fixed.size; p++)
    VEC_PUSH(to->fixed, from->fixed.at[p]);
  while (to->fixed.size < processes)
    VEC_PUSH(to->fixed, 0);
}

/* The run has the annotation that was asked for, but another part of the search
 * has covered it.  Looks for another observation of the first event that makes
 * it covered: perhaps that gives a new class.  The observations before it stay,
 * so a new class may exist and not be found. */
static bool find_better(struct dc *d) {
  struct dc_node *covered = &d->covered, *child = spare(d);
  copy_fixed(covered, d->has_covered ? &d->scratch : child,
             child->run.processes);
  swap_runs(covered, child);
  d->order_known = false;
  covered->next = 0;
  while (covered->next < covered->run.length && annotate(d, covered->next))
    covered->next++;
  d->has_covered = true;
  if (covered->next < covered->run.length) {
    find_rows(d, covered);
    dc_find_options(d, covered, covered->next);
    if (next_of_covered(d))
      return true;
  }
  d->has_covered = false;
  swap_runs(covered, child);
  return false;
}

static enum pick pick(void *state, struct move *move) {
  struct dc *d = state;
  size_t length = trace_length(&d->x->trace);
  move->choice = 0;
  d->fresh_covered = false;
  if (d->restores && length < d->again.size)
    return dc_again(d, move);
  if (d->restores) {
    finish_run(d);
    return PICK_DROP;
  }
  if (length < d->plan.size)
    return follow_plan(d, d->plan.at[length], move);
  if (choose_process(d, &move->proc))
    return PICK_MOVE;
  finish_run(d);
  if (d->restart || !is_covered(d, &spare(d)->run))
    return PICK_END;
  d->fresh_covered = find_better(d);
  return d->fresh_covered ? PICK_DROP : PICK_CUT;
}

/* The planned events are known; only the changed event may do something else.
 * Beyond the limits of the algorithm (see refuse_choices) others may, too. */
static void stepped(void *state) {
  struct dc *d = state;
  size_t position = trace_length(&d->x->trace) - 1;
  d->synced = position + 1;
  if (position >= d->plan.size || d->plan.at[position] == d->changed ||
      d->x->limit_count)
    return;
  const struct reads_from *r = &source(d)->run;
  const struct rf_event *e = &r->events.at[d->plan.at[position]];
  explorer_expect(d->x, &r->accesses.at[e->first_access], e->accesses);
}

static void check_clause(const struct dc *d, const struct dc_node *node) {
  for (size_t i = 0; i < node->clause.size; i++)
    ensure(d->x->diverged || d->x->limit_count ||
           holds(d, &node->run, node->clause.at[i])); /* D1 */
}

/* The footprint of a block may depend on a choice in it, and blocks are tried
 * without choosing. */
static void refuse_choices(struct dc *d, const struct reads_from *r) {
  for (size_t i = 0; i < r->events.size; i++)
    if ((r->events.at[i].flags & STEP_BLOCK) && r->events.at[i].choices > 1)
      explorer_limit(d->x, "a choice in an atomic block is too much for dc");
  for (size_t i = 0; i < r->events.size; i++)
    if (r->events.at[i].op == OP_ARRIVAL || r->events.at[i].op == OP_CANCEL)
      explorer_limit(d->x, "signals and cancellation are too much for dc");
}

/* The run has come to its end, and becomes a new node, or that of an item. */
static void enter(struct dc *d) {
  struct dc_node *node = spare(d);
  d->has_covered = false;
  if (!d->depth && !d->restores)
    node->fixed.size = node->clause.size = 0;
  while (node->fixed.size < node->run.processes)
    VEC_PUSH(node->fixed, 0);
  node->clauses = d->clauses.size;
  node->clause_pairs = d->clause_pairs.size;
  node->next = d->restores ? d->again_next : 0;
  node->option = node->options.size = 0;
  refuse_choices(d, &node->run);
  check_clause(d, node);
  if (HOSTILE) {
    annotation_check(&d->maker.pairs);
    rf_check(&node->run);
  }
  find_rows(d, node);
  d->depth++;
  d->plan.size = 0;
  d->x->counters->annotations += !d->restores;
  d->restores = false;
}

/* The changed event of the plan has to wait.  If the plan was for a better run,
 * tries another one, or else takes the covered run. */
static void dropped(struct dc *d) {
  d->x->counters->realize_failures++;
  if (!d->has_covered || next_of_covered(d))
    return;
  swap_runs(&d->covered, spare(d));
  d->x->counters->blocked++;
  enter(d);
}

static void go_on(struct dc *d, enum pick why) {
  if (d->restores && !d->x->diverged) {
    enter(d);
  } else if (why == PICK_DROP && !d->restores) {
    if (!d->fresh_covered)
      dropped(d);
  } else if (!d->restores) {
    if (why == PICK_MOVE) /* the step limit */
      finish_run(d);
    if (!d->restart)
      enter(d);
  }
}

static void ended(void *state, enum pick why) {
  struct dc *d = state;
  d->at_hand = false;
  if (!d->restart)
    go_on(d, why);
  d->restores = false;
}

/* ---- life --------------------------------------------------------------- */

static void *create(struct explorer *x) {
  struct dc *d = calloc(1, sizeof *d);
  ensure(d);
  d->x = x;
  d->at_hand = true;
  d->synced = trace_length(&x->trace); /* not 0 in a process that was forked */
  rf_maker_init(&d->maker);
  d->maker.joins = x->options->retries == RETRIES_JOINED;
  d->maker.blocks_order = x->options->races != RACES_OFF;
  return d;
}

static void node_free(struct dc_node *node) {
  rf_free(&node->run);
  VEC_FREE(node->fixed);
  VEC_FREE(node->wanted);
  VEC_FREE(node->rows);
  VEC_FREE(node->clause);
  VEC_FREE(node->options);
  VEC_FREE(node->items);
}

static void destroy(void *state) {
  struct dc *d = state;
  for (size_t i = 0; i < d->nodes.size; i++)
    node_free(&d->nodes.at[i]);
  node_free(&d->covered);
  node_free(&d->scratch);
  dc_forget_left(d);
  VEC_FREE(d->left);
  VEC_FREE(d->again);
  VEC_FREE(d->nodes);
  VEC_FREE(d->clauses);
  VEC_FREE(d->clause_pairs);
  VEC_FREE(d->plan);
  VEC_FREE(d->wanted);
  VEC_FREE(d->base);
  VEC_FREE(d->stack);
  VEC_FREE(d->tried);
  VEC_FREE(d->candidates);
  VEC_FREE(d->joined);
  VEC_FREE(d->lasts);
  VEC_FREE(d->accesses);
  rf_maker_free(&d->maker);
  linearizer_free(&d->linearizer);
  free(d);
}

const struct algorithm dc_algorithm = {.name = "dc",
                                       .unordered = true,
                                       .observes = true,
                                       .parts = true,
                                       .holds = true,
                                       .joins = true,
                                       .create = create,
                                       .destroy = destroy,
                                       .pick = pick,
                                       .stepped = stepped,
                                       .ended = ended,
                                       .retreat = retreat,
                                       .give = dc_give,
                                       .take = dc_take};
