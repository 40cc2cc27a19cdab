/* Paper 2 to the letter: context-sensitive source-DPOR. It reproduces the
 * paper's tables.  It loses executions, see docs/algorithms/as-printed.md, so
 * it never proves that a program has no error.
 *
 * The idea.  Source-DPOR, with sleep sets that hold sequences.  When a step p
 * races with an earlier e, E = E'.e.w, let v be the steps after e that do not
 * need e, then p, and u the others, beginning with e.  If E'.v.u leads to the
 * state after E.p, then v.u sleeps at E'.  It moves down the tree as its steps
 * are taken.  When only one step of it is left, that step is not taken.
 *
 * Albert, Arenas, Garcia de la Banda, Gomez-Zamalloa, Stuckey:
 * Context-sensitive dynamic partial order reduction, CAV 2017.  Of the two
 * optimisations of its section 5.3, "guiding with sleep sequences" is here;
 * "anticipating cuts" needs to know what a process can still do.  Where the
 * paper is silent:
 *   - Operations that block: see trace.h.  They get no sleep sequence.
 *     Processes that wait at the end take part with their pending operation.
 *   - All alternatives of a step with a choice are tried before the next
 *     process; in a sleep sequence they are one step.
 *
 *   paper            here
 *   backtrack(E)     node->tries
 *   sleep(E)         node->sleep
 *   I(v)             is_initial()
 *   E |= p <> v      printed_sequence_needs()
 */
#include <stdlib.h>

#include "explore/algorithms.h"
#include "explore/asprinted/printed_dontdo.h"
#include "explore/asprinted/printed_run.h"
#include "util/ensure.h"

/* keep.  A member of a backtrack set. */
struct printed_cs_try {
  uint32_t proc;
  bool begun;
};

/* keep */
struct printed_cs_node {
  VEC(struct printed_cs_try) tries;
  uint32_t current; /* the process being explored, or NOWHERE */
  uint32_t choice;  /* its alternative */
  struct dontdo sleep;
};

/* A race of the newest event, and the state that it led to. */
struct printed_cs_reached {
  uint32_t first;
  bool known;
  struct changes changes; /* since before `first` */
};

struct printed_cs {
  struct explorer *x;
  VEC(struct printed_cs_node) nodes; /* one for each length of the trace */
  struct printed_run run;
  VEC(struct printed_cs_reached) reached; /* scratch */
  struct printed_plan plan;               /* scratch: v.u */
  struct printed_sequence *scratch;
  struct positions pending; /* scratch */
};

/* ---- going down --------------------------------------------------------- */

static bool asleep(const void *context, uint32_t proc) {
  const struct printed_cs *c = context;
  return dontdo_forbids_process(&VEC_TOP(c->nodes).sleep, proc);
}

static uint32_t try_add(struct printed_cs_node *node, uint32_t proc) {
  VEC_PUSH(node->tries, (struct printed_cs_try){proc, false});
  return (uint32_t)node->tries.size - 1;
}

/* Guiding: the process that begins the shortest sleep sequence goes first. */
static uint32_t guided(struct printed_cs *c, uint32_t usual) {
  const struct dontdo *sleep = &VEC_TOP(c->nodes).sleep;
  struct system *system = c->x->system;
  uint32_t best = usual, length = dontdo_shortest(sleep, usual);
  for (uint32_t p = 0; p < system->processes; p++)
    if (system->ops->enabled(system, p) && !asleep(c, p) &&
        dontdo_shortest(sleep, p) < length) {
      best = p;
      length = dontdo_shortest(sleep, p);
    }
  return best;
}

static enum pick pick(void *state, struct move *move) {
  struct printed_cs *c = state;
  struct printed_cs_node *node = &VEC_TOP(c->nodes);
  if (node->current == NOWHERE) {
    uint32_t proc;
    enum pick pick = printed_run_free_choice(&c->run, asleep, c, &proc);
    if (pick != PICK_MOVE)
      return pick;
    node->current = try_add(node, guided(c, proc));
  }
  node->tries.at[node->current].begun = true;
  *move = (struct move){node->tries.at[node->current].proc, node->choice};
  return PICK_MOVE;
}

/* ---- races -------------------------------------------------------------- */

/* Is the process an initial of the first `length` acts? */
static bool is_initial(const struct printed_sequence *v, uint32_t length,
                       uint32_t proc) {
  uint32_t at = printed_sequence_first(v, 0, proc);
  return at < length && printed_sequence_is_initial(v, 0, at, false);
}

/* Lines 9 and 10: a process that can begin v must be tried.  With guiding, the
 * one that begins the shortest sleep sequence; else the racing process, if it
 * can begin v. */
static void plan_initial(struct printed_cs_node *node,
                         const struct printed_sequence *v, uint32_t length) {
  uint32_t racing = v->acts.at[length - 1].proc;
  uint32_t best = is_initial(v, length, racing) ? racing : v->acts.at[0].proc;
  uint32_t shortest = dontdo_shortest(&node->sleep, best);
  for (size_t i = 0; i < node->tries.size; i++)
    if (is_initial(v, length, node->tries.at[i].proc))
      return;
  for (uint32_t i = 0; i < length; i++) {
    uint32_t proc = v->acts.at[i].proc;
    if (is_initial(v, length, proc) &&
        dontdo_shortest(&node->sleep, proc) < shortest) {
      best = proc;
      shortest = dontdo_shortest(&node->sleep, proc);
    }
  }
  try_add(node, best);
}

static bool sleeps(const struct dontdo *sleep,
                   const struct printed_sequence *s) {
  for (size_t i = 0; i < sleep->list.size; i++)
    if (printed_sequence_begins(s, sleep->list.at[i]))
      return true;
  return false;
}

/* Lines 11 to 14: `all` is the possible prefix of v.u. */
static void plan_sleep(struct printed_cs *c, struct printed_cs_node *node,
                       const struct printed_cs_reached *reached,
                       struct printed_sequence *all) {
  struct changes reversed;
  if (!reached->known || all->acts.size < c->plan.list.size ||
      sleeps(&node->sleep, all))
    return;
  printed_run_at(&c->run, reached->first);
  if (printed_run_moves(&c->run, &c->plan, 0, c->plan.list.size) ==
          c->plan.list.size &&
      printed_run_changes(&c->run, reached->first, &reversed) &&
      changes_equal(reached->changes, reversed))
    dontdo_add(&node->sleep, all);
}

/* Plans the events after e that happen after e, or those that do not. */
static void plan_rest(struct printed_cs *c, uint32_t first, uint32_t end,
                      bool after) {
  const struct trace *t = &c->x->trace;
  for (uint32_t i = first; i < end; i++)
    if (happens_before(t, &t->events.at[first], &t->events.at[i]) == after)
      printed_plan_add(&c->plan, t, i);
}

/* The racing step comes after the first `end` events. */
static void handle(struct printed_cs *c,
                   const struct printed_cs_reached *reached,
                   struct printed_move racing, uint32_t end) {
  struct printed_sequence *all = printed_sequence_new();
  struct printed_cs_node *node = &c->nodes.at[reached->first];
  c->plan.list.size = 0;
  plan_rest(c, reached->first, end, false);
  VEC_PUSH(c->plan.list, racing);
  uint32_t length = (uint32_t)c->plan.list.size;
  if (reached->known)
    plan_rest(c, reached->first, end, true);
  printed_run_write_out(&c->run, reached->first, &c->plan, all);
  if (all->acts.size >= length) {
    plan_initial(node, all, length);
    plan_sleep(c, node, reached, all);
  }
  printed_sequence_drop(all);
}

/* Notes the state after the newest event, relative to the state before each of
 * its races.  The system is there. */
static void note_reached(struct printed_cs *c) {
  const struct trace *t = &c->x->trace;
  const struct event *e = &VEC_TOP(t->events);
  c->reached.size = 0;
  for (size_t i = e->first_race; i < t->races.size; i++) {
    struct printed_cs_reached reached = {.first = t->races.at[i].first};
    if (t->races.at[i].kind != RACE_ORDER)
      continue;
    if (!(e->flags & STEP_BLOCKING))
      reached.known =
          printed_run_changes(&c->run, reached.first, &reached.changes);
    VEC_PUSH(c->reached, reached);
  }
}

static int later_node_first(const void *a, const void *b) {
  const struct printed_cs_reached *x = a, *y = b;
  return (x->first < y->first) - (x->first > y->first);
}

static void stepped(void *state) {
  struct printed_cs *c = state;
  const struct trace *t = &c->x->trace;
  uint32_t last = (uint32_t)trace_length(t) - 1;
  const struct event *e = &t->events.at[last];
  printed_run_stepped(&c->run);
  printed_run_begin(&c->run);
  note_reached(c);
  if (c->reached.size)
    qsort(c->reached.at, c->reached.size, sizeof *c->reached.at,
          later_node_first);
  for (size_t i = 0; i < c->reached.size && !c->x->diverged; i++)
    handle(c, &c->reached.at[i],
           (struct printed_move){{e->proc, e->choice}, last}, last);
  printed_run_end(&c->run);
  struct printed_cs_node child = {.current = NOWHERE};
  printed_sequence_clear(c->scratch);
  printed_sequence_add_event(c->scratch, t, last);
  dontdo_inherit(&VEC_TOP(c->nodes).sleep,
                 (struct printed_act_of){c->scratch, 0},
                 (struct dontdo_inheritance){false, false}, &child.sleep);
  VEC_PUSH(c->nodes, child);
}

/* Processes that wait at the end of the execution. */
static void ended(void *state, enum pick why) {
  struct printed_cs *c = state;
  struct explorer *x = c->x;
  uint32_t end = (uint32_t)trace_length(&x->trace);
  printed_run_begin(&c->run);
  for (uint32_t p = 0; why == PICK_END && p < x->system->processes; p++) {
    struct step step;
    if (x->diverged || !printed_run_end(&c->run))
      break;
    if (!x->system->ops->pending(x->system, p, &step))
      continue;
    trace_pending_races(&x->trace, p, &step, &c->pending);
    for (size_t i = 0; i < c->pending.list.size; i++) {
      struct printed_cs_reached reached = {.first = c->pending.list.at[i]};
      handle(c, &reached, (struct printed_move){{p, 0}, NOWHERE}, end);
    }
  }
  printed_run_end(&c->run);
}

/* ---- going back --------------------------------------------------------- */

static void node_free(struct printed_cs_node *node) {
  VEC_FREE(node->tries);
  dontdo_free(&node->sleep);
}

/* The try that begins the shortest sleep sequence. */
static uint32_t next_try(const struct printed_cs_node *node) {
  uint32_t best = NOWHERE, shortest = UINT32_MAX;
  for (uint32_t i = 0; i < node->tries.size; i++) {
    uint32_t length = dontdo_shortest(&node->sleep, node->tries.at[i].proc);
    if (node->tries.at[i].begun || length == 1 ||
        (best != NOWHERE && length >= shortest))
      continue;
    best = i;
    shortest = length;
  }
  return best;
}

/* The branch that began with e is done.  Is another one left at the node? */
static bool advance(struct printed_cs *c, struct printed_cs_node *node,
                    uint32_t position) {
  if (node->choice + 1 < c->x->trace.events.at[position].choices) {
    node->choice++;
    return true;
  }
  struct printed_sequence *done = printed_sequence_new();
  printed_sequence_add_event(done, &c->x->trace, position);
  dontdo_add(&node->sleep, done);
  printed_sequence_drop(done);
  node->choice = 0;
  node->current = next_try(node);
  return node->current != NOWHERE;
}

static bool retreat(void *state, size_t *length) {
  struct printed_cs *c = state;
  while (c->nodes.size > 1) {
    node_free(&VEC_POP(c->nodes));
    *length = c->nodes.size - 1;
    if (advance(c, &VEC_TOP(c->nodes), (uint32_t)*length))
      return true;
  }
  return false;
}

/* ---- life --------------------------------------------------------------- */

static void *create(struct explorer *x) {
  struct printed_cs *c = calloc(1, sizeof *c);
  ensure(c);
  c->x = c->run.x = x;
  c->scratch = printed_sequence_new();
  VEC_PUSH(c->nodes, (struct printed_cs_node){.current = NOWHERE});
  return c;
}

static void destroy(void *state) {
  struct printed_cs *c = state;
  while (c->nodes.size)
    node_free(&VEC_POP(c->nodes));
  VEC_FREE(c->nodes);
  printed_run_free(&c->run);
  VEC_FREE(c->reached);
  VEC_FREE(c->plan.list);
  VEC_FREE(c->pending.list);
  printed_sequence_drop(c->scratch);
  free(c);
}

const struct algorithm printed_cs_algorithm = {.name = "cs",
                                               .unordered = true,
                                               .order = {.races = true},
                                               .printed = true,
                                               .create = create,
                                               .destroy = destroy,
                                               .pick = pick,
                                               .stepped = stepped,
                                               .ended = ended,
                                               .retreat = retreat};
