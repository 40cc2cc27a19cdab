/* Data-centric exploration: one execution for each class of executions in which
 * every read observes the same write.
 *
 * Chalupa, Chatterjee, Pavlogiannis, Sinha, Vaidya: Data-centric dynamic
 * partial order reduction (POPL 2018), called the paper here.
 *
 * A run t says of every reading event which write it observed: O_t.  An
 * annotation A is a part of that.  explore(t, A, N) visits all classes that
 * contain A, have none of the clauses in N as a part, and of which t, if N does
 * not forbid it, is one:
 *
 *   for each reading event r of t that A is not about, and each write w in t,
 *   or what was there at the start, other than O_t(r):
 *     B  := (r, w), and all that the cones of r and w observe in t
 *     A' := A and B;  next if A' has a clause of N as a part
 *     s  := an order of A' in which it is observed, if there is one (realize.h)
 *     t' := s, and on to the end, near t
 *     explore(t', A', N);  add B to N
 *
 * Nothing is lost: let O be a class that contains A and that N does not forbid,
 * and t* a run of it.  Of its events that observe something else than in t let
 * r be the first in t*.  All before it are events of t, with the same cones, so
 * the pair (r, O(r)) is tried, and its B is part of O: O is visited below it,
 * or forbidden there by the B of a pair that was tried before, below which it
 * was visited.  For the same reason nothing is visited twice.
 *
 * A contains the cones of all its events.  So it is said by how many events of
 * each process it is about (node.fixed), and N is a stack: what a node has
 * added is dropped when it is left.  Operations that wait when the run ends
 * take part like events.  Which alternative an event takes (`choices`) is a
 * pair of its own: the event observes first, then it chooses.
 *
 * If N forbids t', it is cut (`blocked`), but the search goes on from it all
 * the same.  Before, a better t' is looked for: see find_better().
 *
 * Natively no value can be given to a thread, so what an event does is known
 * only if all it follows from is as in t.  That is the case for all of A' but
 * r itself, which is the last event of its process there.  Whether a
 * compare-and-swap writes then, and what an atomic block touches, is found out
 * by running it after its cone (dc_options.c).
 *
 *   paper               here
 *   O_t                 flow.items.from, deed.pair
 *   past cone           flow.cones
 *   positive annotation node.fixed, of node.flow
 *   negative annotation clauses (N), node.clause (B)
 *   Realize, 2-SAT      realize.h
 *   burst mutation      B is added at once
 *
 * Where this is not the paper's:
 *   - Negative annotations of single pairs lose classes together with burst
 *     mutations (tests/models/dc-burst.model); hence clauses.
 *   - Realize is exact on all communication graphs, not only on acyclic ones,
 * so classes are not refined on cyclic ones: see realize.h.
 *   - Mutexes and their like are observed: every operation on one observes the
 *     one before it, which the paper does only on cyclic graphs.  So deadlocks
 *     are found, and the happens-before order of C11, which synchronisation
 *     makes, is the same throughout a class: if one of its runs has a data
 * race, the run that is visited has one.
 *   - Reads of several writes, read-modify-writes, atomic blocks, threads,
 *     condition variables and spin loops are not in the paper: see flow.h.
 *
 * Invariants, cited by asserts:
 *   D1  what is in a node's clause is observed in its run.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/algorithms.h"
#include "explore/dc.h"
#include "util/ensure.h"
#include "util/planted.h"

static struct node *top(const struct dc *d) {
  return &d->nodes.at[d->depth - 1];
}

/* The node that is being made. */
static struct node *spare(struct dc *d) {
  if (d->depth == d->nodes.size)
    VEC_PUSH(d->nodes, (struct node){0});
  return &d->nodes.at[d->depth];
}

/* Whose run the plan is about. */
static struct node *source(struct dc *d) {
  return d->has_draft ? &d->draft : top(d);
}

/* ---- clauses --------------------------------------------------------------
 */

/* Does the annotation that a node gets by an option contain this pair? */
static bool annotated(const struct dc *d, const struct node *node,
                      const uint32_t *fixed, uint32_t number) {
  const struct flow *r = &node->flow;
  const struct pair *p = &d->maker.pairs.list.at[number];
  if (p->proc >= r->processes || fixed[p->proc] < 2 * p->index - !p->choice)
    return false;
  uint32_t deed = flow_deed(r, p->proc, p->index);
  const struct deed *e = &r->deeds.at[deed];
  if (deed == d->changed && d->chosen.by_choice == p->choice)
    return number == d->chosen.pair;
  return number == (p->choice ? e->choice_pair : e->pair);
}

static bool is_forbidden(const struct dc *d, const struct node *node,
                         const uint32_t *fixed) {
  for (size_t c = 0; c < d->clauses.size; c++) {
    const struct clause *clause = &d->clauses.at[c];
    uint32_t i = 0;
    while (i < clause->count &&
           annotated(d, node, fixed, d->clause_pairs.at[clause->first + i]))
      i++;
    if (i == clause->count)
      return true;
  }
  return false;
}

static bool holds(const struct dc *d, const struct flow *r, uint32_t number) {
  const struct pair *p = &d->maker.pairs.list.at[number];
  if (p->proc >= r->processes || p->index > flow_count(r, p->proc))
    return false;
  uint32_t deed = flow_deed(r, p->proc, p->index);
  const struct deed *e = &r->deeds.at[deed];
  return deed < r->length && number == (p->choice ? e->choice_pair : e->pair);
}

/* Has another part of the search been through what this run is? */
static bool is_covered(const struct dc *d, const struct flow *r) {
  for (size_t c = 0; c < d->clauses.size; c++) {
    const struct clause *clause = &d->clauses.at[c];
    uint32_t i = 0;
    while (i < clause->count &&
           holds(d, r, d->clause_pairs.at[clause->first + i]))
      i++;
    if (i == clause->count)
      return true;
  }
  return false;
}

/* B: what the changed event observes, and all that its cone observes. */
static void write_clause(struct dc *d, const struct node *node,
                         struct node *child) {
  const struct flow *r = &node->flow;
  child->clause.size = 0;
  VEC_PUSH(child->clause, d->chosen.pair);
  if (planted(DC_CLAUSE))
    return;
  for (uint32_t p = 0; p < r->processes; p++)
    for (uint32_t k = 1; 2 * k - 1 <= d->base.at[p]; k++) {
      uint32_t deed = flow_deed(r, p, k);
      const struct deed *e = &r->deeds.at[deed];
      if (e->pair && (deed != d->changed || d->chosen.by_choice))
        VEC_PUSH(child->clause, e->pair);
      if (e->choice_pair && deed != d->changed)
        VEC_PUSH(child->clause, e->choice_pair);
    }
}

/* ---- realizing ------------------------------------------------------------
 */

static bool begin_asking(struct dc *d, const struct node *node,
                         const struct item *items) {
  struct change change = {d->changed, items, d->chosen.count};
  d->x->counters->realize_calls++;
  struct start start = {node->rows.at, node->wanted.at};
  return realize_begin(&d->realizer, &node->flow, start, d->wanted.at, &change);
}

static bool end_asking(struct dc *d) {
  if (!realize_end(&d->realizer, true))
    return false;
  d->plan.size = 0;
  for (size_t i = 0; i < d->realizer.schedule.size; i++)
    VEC_PUSH(d->plan, d->realizer.schedule.at[i]);
  return true;
}

static void set_writes(const struct dc *d, struct item *items, bool writes) {
  for (uint32_t i = 0; i < d->chosen.count; i++)
    items[i].writes = writes;
}

/* Whether a conditional event writes depends on what it observes.  An order in
 * which it may write is good in either case; if only one without is possible,
 * it is tried out. */
static bool ask_again(struct dc *d, const struct node *node,
                      struct item *items) {
  set_writes(d, items, false);
  return begin_asking(d, node, items) && end_asking(d) &&
         !dc_would_write(d, node, d->changed, items, d->chosen.count);
}

/* The annotation that the chosen option leads to. */
static bool find_annotation(struct dc *d, const struct node *node,
                            struct node *child, const struct item *items) {
  const struct deed *e = &node->flow.deeds.at[d->changed];
  if (!dc_find_base(d, node, d->changed, items, d->chosen.count))
    return false;
  d->base.at[e->proc] += d->chosen.by_choice;
  VEC_SIZED(child->fixed, node->flow.processes);
  VEC_SIZED(d->wanted, node->flow.processes);
  for (uint32_t p = 0; p < node->flow.processes; p++) {
    uint32_t more = d->base.at[p], fixed = node->fixed.at[p];
    child->fixed.at[p] = fixed < more ? more : fixed;
    d->wanted.at[p] = (child->fixed.at[p] + 1) / 2;
  }
  return true;
}

/* Is there a run with the chosen option that no clause forbids?  Then there is
 * a plan for it. */
static bool is_feasible(struct dc *d, struct node *node, struct node *child) {
  const struct deed *e = &node->flow.deeds.at[d->changed];
  struct item *items = node->items.at + d->chosen.first;
  if (!find_annotation(d, node, child, items))
    return false;
  bool conditional = (e->flags & STEP_CONDITIONAL) && !d->chosen.by_choice;
  if (conditional)
    set_writes(d, items, true);
  if (!d->chosen.pair)
    d->chosen.pair =
        flow_pair(&d->maker, &node->flow, d->changed, items, d->chosen.count);
  if (is_forbidden(d, node, child->fixed.at))
    return false;
  write_clause(d, node, child);
  if ((begin_asking(d, node, items) && end_asking(d)) ||
      (conditional && ask_again(d, node, items)))
    return true;
  d->x->counters->realize_failures++;
  return false;
}

/* The order that all runs with the node's annotation have in common. */
static void find_rows(struct dc *d, struct node *node) {
  const struct flow *r = &node->flow;
  node->wanted.size = node->rows.size = 0;
  for (uint32_t p = 0; p < r->processes; p++)
    VEC_PUSH(node->wanted, (node->fixed.at[p] + 1) / 2);
  VEC_RESERVE(node->rows, r->cones.size);
  node->rows.size = r->cones.size;
  if (!node->rows.size)
    return; /* nothing happens */
  if (d->settled && top(d)->flow.processes == r->processes)
    realize_rows_again(&d->realizer, r, node->wanted.at, node->rows.at);
  else
    realize_rows(&d->realizer, r, node->wanted.at, node->rows.at);
}

/* ---- going back -----------------------------------------------------------
 */

static uint32_t last_deed(const struct node *node) {
  return planted(DC_PENDING) ? node->flow.length
                             : (uint32_t)node->flow.deeds.size;
}

/* The next option of the newest node that leads to a run. */
static bool next_option(struct dc *d) {
  struct node *child = spare(d), *node = top(d);
  for (;;) {
    while (node->option < node->options.size) {
      d->changed = node->next - 1;
      d->chosen = node->options.at[node->option++];
      if (is_feasible(d, node, child)) {
        d->settled = !(node->flow.deeds.at[d->changed].flags &
                       (STEP_CONDITIONAL | STEP_BLOCK));
        return true;
      }
    }
    if (d->x->diverged)
      return false;
    node->option = node->options.size = 0;
    if (node->next == last_deed(node))
      return false;
    dc_find_options(d, node, node->next++);
  }
}

/* All that has the newest node's annotation is explored. */
static void leave(struct dc *d) {
  const struct node *node = top(d);
  d->clauses.size = node->clauses;
  d->clause_pairs.size = node->clause_pairs;
  if (node->clause.size)
    VEC_PUSH(d->clauses, (struct clause){d->clause_pairs.size,
                                         (uint32_t)node->clause.size});
  for (size_t i = 0; i < node->clause.size; i++)
    VEC_PUSH(d->clause_pairs, node->clause.at[i]);
  d->depth--;
}

static uint32_t planned_choice(const struct dc *d, const struct flow *r,
                               uint32_t deed) {
  return deed == d->changed ? d->chosen.choice : r->deeds.at[deed].choice;
}

static size_t common_length(struct dc *d) {
  const struct trace *t = &d->x->trace;
  const struct flow *r = &source(d)->flow;
  size_t length = 0;
  while (length < d->synced && length < d->plan.size) {
    uint32_t deed = d->plan.at[length];
    if (deed == d->changed ||
        t->events.at[length].proc != r->deeds.at[deed].proc ||
        t->events.at[length].choice != planned_choice(d, r, deed))
      break;
    length++;
  }
  return length;
}

static void begin_anew(struct dc *d) {
  d->depth = d->clauses.size = d->clause_pairs.size = d->plan.size = 0;
  d->synced = 0;
  d->restart = d->has_draft = d->settled = false;
  d->x->counters->annotations = 0;
  explorer_restart(d->x);
}

static bool retreat(void *state, size_t *length) {
  struct dc *d = state;
  *length = 0;
  if (d->restart) {
    begin_anew(d);
    return true;
  }
  while (!d->has_draft && d->depth && !next_option(d))
    leave(d);
  if (d->realizer.given_up)
    d->x->limit = "an order of events is too hard to find for dc";
  if (!d->depth)
    return false;
  *length = d->synced = common_length(d);
  return true;
}

/* ---- going on -------------------------------------------------------------
 */

/* The enabled process that came first in the run before. */
static bool choose_process(struct dc *d, uint32_t *proc) {
  struct explorer *x = d->x;
  const struct flow *r = d->depth ? &source(d)->flow : NULL;
  uint32_t best = NOWHERE;
  *proc = NOWHERE;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    uint32_t next = process_length(&x->trace, p) + 1;
    uint32_t position = r && p < r->processes && next <= flow_count(r, p)
                            ? flow_deed(r, p, next)
                            : NOWHERE - 1;
    if (position < best && x->system->ops->enabled(x->system, p)) {
      best = position;
      *proc = p;
    }
  }
  return *proc != NOWHERE;
}

static enum pick follow_plan(struct dc *d, uint32_t deed, struct move *move) {
  const struct flow *r = &source(d)->flow;
  struct system *s = d->x->system;
  *move = (struct move){r->deeds.at[deed].proc, planned_choice(d, r, deed)};
  if (s->ops->enabled(s, move->proc))
    return PICK_MOVE;
  if (deed != d->changed)
    explorer_impossible(d->x, move->proc);
  return PICK_DROP; /* what it is to observe keeps it waiting */
}

static void finish_run(struct dc *d) {
  if (!flow_make(&d->maker, &spare(d)->flow, &d->x->trace, d->x->system))
    d->restart = true;
}

/* ---- a better run ---------------------------------------------------------
 */

/* The next option of the draft that no clause forbids, its annotation taken for
 * granted. */
static bool next_of_draft(struct dc *d) {
  struct node *draft = &d->draft;
  while (draft->option < draft->options.size) {
    d->changed = draft->next;
    d->chosen = draft->options.at[draft->option++];
    if (is_feasible(d, draft, &d->scratch))
      return true;
  }
  return false;
}

/* Adds the cone of a deed to the draft's annotation, unless a clause forbids
 * that. */
static bool annotate(struct dc *d, uint32_t deed) {
  struct node *draft = &d->draft;
  const struct flow *r = &draft->flow;
  const uint32_t *cone = flow_cone(r, deed);
  d->changed = NOWHERE;
  d->scratch.fixed.size = 0;
  for (uint32_t p = 0; p < r->processes; p++) {
    uint32_t fixed = draft->fixed.at[p];
    VEC_PUSH(d->scratch.fixed, fixed < 2 * cone[p] ? 2 * cone[p] : fixed);
  }
  if (is_forbidden(d, draft, d->scratch.fixed.at))
    return false;
  memcpy(draft->fixed.at, d->scratch.fixed.at,
         r->processes * sizeof *draft->fixed.at);
  return true;
}

static void swap_flows(struct node *a, struct node *b) {
  struct flow flow = a->flow;
  a->flow = b->flow;
  b->flow = flow;
}

static void copy_fixed(struct node *to, const struct node *from,
                       uint32_t processes) {
  to->fixed.size = 0;
  for (size_t p = 0; p < from->fixed.size; p++)
    VEC_PUSH(to->fixed, from->fixed.at[p]);
  while (to->fixed.size < processes)
    VEC_PUSH(to->fixed, 0);
}

/* The run has the annotation that was asked for, but another part of the search
 * has been through it.  The first event that makes it so observes something
 * else: perhaps that is new.  What was decided stands, so a new run may exist
 * and not be found. */
static bool find_better(struct dc *d) {
  struct node *draft = &d->draft, *child = spare(d);
  copy_fixed(draft, d->has_draft ? &d->scratch : child, child->flow.processes);
  swap_flows(draft, child);
  d->settled = false;
  draft->next = 0;
  while (draft->next < draft->flow.length && annotate(d, draft->next))
    draft->next++;
  d->has_draft = true;
  if (draft->next < draft->flow.length) {
    find_rows(d, draft);
    dc_find_options(d, draft, draft->next);
    if (next_of_draft(d))
      return true;
  }
  d->has_draft = false;
  swap_flows(draft, child);
  return false;
}

static enum pick pick(void *state, struct move *move) {
  struct dc *d = state;
  size_t length = trace_length(&d->x->trace);
  move->choice = 0;
  d->fresh_draft = false;
  if (length < d->plan.size)
    return follow_plan(d, d->plan.at[length], move);
  if (choose_process(d, &move->proc))
    return PICK_MOVE;
  finish_run(d);
  if (d->restart || !is_covered(d, &spare(d)->flow))
    return PICK_END;
  d->fresh_draft = find_better(d);
  return d->fresh_draft ? PICK_DROP : PICK_CUT;
}

/* What is planned is known; only the changed event may do something else. */
static void stepped(void *state) {
  struct dc *d = state;
  size_t position = trace_length(&d->x->trace) - 1;
  d->synced = position + 1;
  if (position >= d->plan.size || d->plan.at[position] == d->changed)
    return;
  const struct flow *r = &source(d)->flow;
  const struct deed *e = &r->deeds.at[d->plan.at[position]];
  explorer_expect(d->x, &r->accesses.at[e->first_access], e->accesses);
}

static void check_annotation(const struct dc *d, const struct node *node) {
  for (size_t i = 0; i < node->clause.size; i++)
    ensure(d->x->diverged || d->x->limit ||
           holds(d, &node->flow, node->clause.at[i])); /* D1 */
}

/* What a block touches may depend on a choice in it, and blocks are tried
 * without choosing. */
static void refuse_choices(struct dc *d, const struct flow *r) {
  for (size_t i = 0; i < r->deeds.size; i++)
    if ((r->deeds.at[i].flags & STEP_BLOCK) && r->deeds.at[i].choices > 1)
      d->x->limit = "a choice in an atomic block is too much for dc";
}

/* The run is at hand: there is a new node. */
static void enter(struct dc *d) {
  struct node *node = spare(d);
  d->has_draft = false;
  if (!d->depth)
    node->fixed.size = node->clause.size = 0;
  while (node->fixed.size < node->flow.processes)
    VEC_PUSH(node->fixed, 0);
  node->clauses = d->clauses.size;
  node->clause_pairs = d->clause_pairs.size;
  node->next = 0;
  node->option = node->options.size = 0;
  check_annotation(d, node);
  refuse_choices(d, &node->flow);
  find_rows(d, node);
  d->depth++;
  d->plan.size = 0;
  d->x->counters->annotations++;
}

/* What the plan asked for keeps its event waiting.  If that was to be a better
 * run, another one is tried, or the one that there was has to do. */
static void dropped(struct dc *d) {
  d->x->counters->realize_failures++;
  if (!d->has_draft || next_of_draft(d))
    return;
  swap_flows(&d->draft, spare(d));
  d->x->counters->blocked++;
  enter(d);
}

static void ended(void *state, enum pick why) {
  struct dc *d = state;
  if (why == PICK_DROP) {
    if (!d->fresh_draft)
      dropped(d);
    return;
  }
  if (why == PICK_MOVE) /* the step limit */
    finish_run(d);
  if (!d->restart)
    enter(d);
}

/* ---- life -----------------------------------------------------------------
 */

static void *create(struct explorer *x) {
  struct dc *d = calloc(1, sizeof *d);
  ensure(d);
  d->x = x;
  flow_maker_init(&d->maker);
  d->maker.blocks_order = x->options->races != RACES_OFF;
  return d;
}

static void node_free(struct node *node) {
  flow_free(&node->flow);
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
  node_free(&d->draft);
  node_free(&d->scratch);
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
  flow_maker_free(&d->maker);
  realizer_free(&d->realizer);
  free(d);
}

const struct algorithm dc_algorithm = {.name = "dc",
                                       .observes = true,
                                       .create = create,
                                       .destroy = destroy,
                                       .pick = pick,
                                       .stepped = stepped,
                                       .ended = ended,
                                       .retreat = retreat};
