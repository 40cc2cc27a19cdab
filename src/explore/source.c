/* Source-DPOR: partial-order reduction with source sets and sleep sets.
 *
 * The idea.  As soon as an event e' races with an earlier e, somebody who can
 * begin v = notdep(e) . e' must be tried at the node before e.  If none of the
 * processes to be tried there (`backtrack`) is an initial of v, one is added.
 * Sleep sets keep processes from being tried again.  Every trace is completed
 * exactly once, but some executions are begun only to find that all who could
 * go on sleep; they are cut and counted as blocked.
 *
 * Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction,
 * POPL 2014.  Where we depart:
 *   - A process that is blocked where an execution ends, or where it is cut,
 *     takes part in races with its pending operation.
 *   - All alternatives of a step with a choice are tried before the next
 *     process.
 *   - If e' is an atomic block, it may touch other things when it comes first,
 *     so that nobody knows who can begin v: everybody is tried.
 *
 *   paper            here
 *   backtrack(E)     list from node->tries
 *   sleep(E)         node->sleep
 *   I_E'(v)          is_initial()
 */
#include <stdlib.h>
#include <string.h>

#include "core/sleep.h"
#include "explore/algorithms.h"
#include "util/ensure.h"

/* keep.  A member of a backtrack set, numbered from 1 in a pool. */
struct try {
  uint32_t proc;
  uint32_t next;
  bool begun;
};

/* keep */
struct node {
  uint32_t tries;
  uint32_t current;  /* the try at hand */
  uint32_t choice;   /* its alternative */
  bool everybody;    /* all who are enabled are to be tried */
  struct sleep_node sleep;
};

struct source {
  struct explorer *x;
  VEC(struct node) nodes; /* one for each length of the trace */
  VEC(struct try) tries;
  uint32_t unused; /* list of free tries */
  struct sleep sleep;
  struct reversal v;
  struct positions pending; /* scratch */
};

/* ---- backtrack sets ------------------------------------------------------- */

static uint32_t try_add(struct source *s, struct node *node, uint32_t proc) {
  uint32_t n = s->unused;
  if (n) {
    s->unused = s->tries.at[n].next;
  } else {
    n = (uint32_t)s->tries.size;
    VEC_PUSH(s->tries, (struct try){0});
  }
  s->tries.at[n] = (struct try){proc, node->tries, false};
  node->tries = n;
  return n;
}

static void tries_drop(struct source *s, struct node *node) {
  while (node->tries) {
    uint32_t next = s->tries.at[node->tries].next;
    s->tries.at[node->tries].next = s->unused;
    s->unused = node->tries;
    node->tries = next;
  }
}

/* ---- going down ----------------------------------------------------------- */

static bool asleep(const void *context, uint32_t proc) {
  const struct source *s = context;
  return sleep_contains(&s->sleep, &VEC_TOP(s->nodes).sleep, proc);
}

static enum pick pick(void *state, struct move *move) {
  struct source *s = state;
  struct node *node = &VEC_TOP(s->nodes);
  if (!node->current) {
    uint32_t proc;
    enum pick pick = explorer_free_choice(s->x, asleep, s, &proc);
    if (pick != PICK_MOVE)
      return pick;
    node->current = try_add(s, node, proc);
  }
  s->tries.at[node->current].begun = true;
  *move = (struct move){s->tries.at[node->current].proc, node->choice};
  return PICK_MOVE;
}

/* ---- races ---------------------------------------------------------------- */

/* Is the next event of process p in v, with nothing in v before it? */
static bool is_initial(const struct reversal *v, uint32_t p) {
  uint32_t index = reversal_first_index(v, p);
  bool in_v = (p == v->late.proc && index == v->late.index) ||
              (index <= process_length(v->trace, p) &&
               reversal_contains(v, process_event(v->trace, p, index)));
  struct option o = {p, index, ANY_CHOICE, 0, NULL};
  uint32_t ignored = 0;
  return in_v && reversal_match(v, &o, &ignored) == MATCH_FIRST;
}

static uint32_t some_initial(const struct reversal *v) {
  if (is_initial(v, v->late.proc))
    return v->late.proc;
  for (uint32_t i = v->at + 1; i < v->trace->events.size; i++)
    if (reversal_contains(v, i))
      return v->trace->events.at[i].proc; /* the first of v is an initial */
  ensure(!"a reversal begins with somebody");
  return NOWHERE;
}

static void plan(struct source *s) {
  struct node *node = &s->nodes.at[s->v.at];
  for (uint32_t n = node->tries; n; n = s->tries.at[n].next)
    if (is_initial(&s->v, s->tries.at[n].proc))
      return;
  try_add(s, node, some_initial(&s->v));
}

static void stepped(void *state) {
  struct source *s = state;
  struct trace *t = &s->x->trace;
  struct node child = {0};
  sleep_child(&s->sleep, &VEC_TOP(s->nodes).sleep, t, &child.sleep);
  VEC_PUSH(s->nodes, child);
  for (size_t i = VEC_TOP(t->events).first_race; i < t->races.size; i++) {
    if (t->races.at[i].kind != RACE_ORDER)
      continue;
    if (VEC_TOP(t->events).flags & STEP_BLOCK) {
      s->nodes.at[t->races.at[i].first].everybody = true;
      continue;
    }
    reversal_of_race(&s->v, t, t->races.at[i].first, t->races.at[i].second);
    plan(s);
  }
}

static void ended(void *state, enum pick why) {
  (void)why;
  struct source *s = state;
  struct explorer *x = s->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (x->system->ops->enabled(x->system, p) ||
        !x->system->ops->pending(x->system, p, &step))
      continue;
    trace_pending_races(&x->trace, p, &step, &s->pending);
    for (size_t i = 0; i < s->pending.list.size; i++) {
      reversal_of_pending(&s->v, &x->trace, s->pending.list.at[i], p, &step);
      plan(s);
    }
  }
}

/* ---- going back ----------------------------------------------------------- */

static bool is_tried(const struct source *s, const struct node *node,
                     uint32_t proc) {
  for (uint32_t n = node->tries; n; n = s->tries.at[n].next)
    if (s->tries.at[n].proc == proc)
      return true;
  return false;
}

/* The system must be at the node to say who is enabled there. */
static void try_everybody(struct source *s, struct node *node, size_t length) {
  struct system *system = s->x->system;
  explorer_undo(s->x, length);
  for (uint32_t p = 0; p < system->processes; p++)
    if (system->ops->enabled(system, p) && !is_tried(s, node, p))
      try_add(s, node, p);
  node->everybody = false;
}

static uint32_t next_try(const struct source *s, const struct node *node) {
  for (uint32_t n = node->tries; n; n = s->tries.at[n].next)
    if (!s->tries.at[n].begun &&
        !sleep_contains(&s->sleep, &node->sleep, s->tries.at[n].proc))
      return n;
  return 0;
}

/* The branch that began with e is done: is another one left at the node? */
static bool advance(struct source *s, struct node *node,
                    const struct event *e) {
  sleep_return(&s->sleep, &node->sleep);
  if (node->choice + 1 < e->choices) {
    node->choice++;
    return true;
  }
  sleep_add(&s->sleep, &node->sleep, &s->x->trace, e);
  if (node->everybody)
    try_everybody(s, node, (size_t)(e - s->x->trace.events.at));
  node->choice = 0;
  node->current = next_try(s, node);
  return node->current != 0;
}

static bool retreat(void *state, size_t *length) {
  struct source *s = state;
  while (s->nodes.size > 1) {
    tries_drop(s, &VEC_TOP(s->nodes));
    s->nodes.size--;
    *length = s->nodes.size - 1;
    if (advance(s, &VEC_TOP(s->nodes), &s->x->trace.events.at[*length]))
      return true;
  }
  return false;
}

static void *create(struct explorer *x) {
  struct source *s = calloc(1, sizeof *s);
  ensure(s);
  s->x = x;
  VEC_PUSH(s->tries, (struct try){0}); /* 0 is no try */
  struct node root = {0};
  sleep_root(&s->sleep, &root.sleep);
  VEC_PUSH(s->nodes, root);
  return s;
}

static void destroy(void *state) {
  struct source *s = state;
  sleep_free(&s->sleep);
  VEC_FREE(s->nodes);
  VEC_FREE(s->tries);
  reversal_free(&s->v);
  VEC_FREE(s->pending.list);
  free(s);
}

const struct algorithm source_algorithm = {.name = "source",
                                           .wants_races = true,
                                           .create = create,
                                           .destroy = destroy,
                                           .pick = pick,
                                           .stepped = stepped,
                                           .ended = ended,
                                           .retreat = retreat};
