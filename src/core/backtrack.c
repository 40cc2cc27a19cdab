#include "core/backtrack.h"

#include <stdlib.h>

#include "core/late.h"
#include "util/ensure.h"
#include "util/planted.h"

/* ---- sets --------------------------------------------------------------- */

static uint32_t try_add(struct backtrack *b, struct backtrack_node *node,
                        uint32_t proc) {
  uint32_t n = b->unused;
  if (n) {
    b->unused = b->tries.at[n].next;
  } else {
    n = (uint32_t)b->tries.size;
    VEC_PUSH(b->tries, (struct try){0});
  }
  b->tries.at[n] = (struct try){proc, node->tries, false};
  node->tries = n;
  return n;
}

static void tries_drop(struct backtrack *b, struct backtrack_node *node) {
  while (node->tries) {
    uint32_t next = b->tries.at[node->tries].next;
    b->tries.at[node->tries].next = b->unused;
    b->unused = node->tries;
    node->tries = next;
  }
}

static bool is_tried(const struct backtrack *b,
                     const struct backtrack_node *node, uint32_t proc) {
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    if (b->tries.at[n].proc == proc)
      return true;
  return false;
}

bool backtrack_has(const struct backtrack *b,
                   bool (*good)(const struct reversal *, uint32_t proc)) {
  for (uint32_t n = b->nodes.at[b->v.at].tries; n; n = b->tries.at[n].next)
    if (good(&b->v, b->tries.at[n].proc))
      return true;
  return false;
}

void backtrack_add(struct backtrack *b, uint32_t proc) {
  try_add(b, &b->nodes.at[b->v.at], proc);
}

/* ---- going down --------------------------------------------------------- */

static bool asleep(const void *context, uint32_t proc) {
  const struct backtrack *b = context;
  return sleep_contains(&b->sleep, &VEC_TOP(b->nodes).sleep, proc);
}

enum pick backtrack_pick(void *state, struct move *move) {
  struct backtrack *b = state;
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  if (node->cover.covered)
    return PICK_CUT;
  if (!node->current) {
    uint32_t proc;
    enum pick pick = explorer_free_choice(b->x, asleep, b, &proc);
    if (pick != PICK_MOVE)
      return pick;
    node->current = try_add(b, node, proc);
  }
  /* If one who may not preempt is next, the one who moved last was first here,
   * and all that is left would preempt it. */
  if (!explorer_allows(b->x, b->tries.at[node->current].proc)) {
    explorer_leave_out(b->x, 1);
    return PICK_BOUND;
  }
  b->tries.at[node->current].begun = true;
  *move = (struct move){b->tries.at[node->current].proc, node->choice};
  return PICK_MOVE;
}

/* ---- races -------------------------------------------------------------- */

static void enter_child(struct backtrack *b) {
  VEC_PUSH(b->nodes, (struct backtrack_node){0});
  struct backtrack_node *child = &VEC_TOP(b->nodes), *node = child - 1;
  if (b->by_context)
    cover_child(&b->cover, &node->sleep, &child->sleep);
  else
    sleep_child(&b->sleep, &node->sleep, &b->x->trace, &child->sleep);
}

static void plan_race(struct backtrack *b, const struct race *race) {
  const struct trace *t = &b->x->trace;
  if (race->kind == RACE_CHOICE)
    return;
  if (late_must_run(t, race->first, race->second) && !planted(BLOCK)) {
    b->nodes.at[race->first].cover.everybody = true;
    return;
  }
  reversal_of_race(&b->v, t, race->first, race->second);
  b->plan(b);
}

static void plan_races(struct backtrack *b, size_t from) {
  const struct trace *t = &b->x->trace;
  for (size_t i = from; i < t->races.size; i++)
    plan_race(b, &t->races.at[i]);
}

void backtrack_stepped(void *state) {
  struct backtrack *b = state;
  enter_child(b);
  plan_races(b, VEC_TOP(b->x->trace.events).first_race);
}

static void plan_pending(struct backtrack *b) {
  struct explorer *x = b->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (x->system->ops->enabled(x->system, p) ||
        !x->system->ops->pending(x->system, p, &step))
      continue;
    if (b->by_context)
      cover_pending(&b->cover, p, &step);
    trace_pending_races(&x->trace, p, &step, &b->pending);
    for (size_t i = 0; i < b->pending.list.size; i++) {
      reversal_of_pending(&b->v, &x->trace, b->pending.list.at[i], p, &step);
      b->plan(b);
    }
  }
}

void backtrack_ended(void *state, enum pick why) {
  struct backtrack *b = state;
  (void)why;
  if (!planted(SOURCE_PENDING))
    plan_pending(b);
}

/* ---- going back --------------------------------------------------------- */

/* The system must be at the node to say who is enabled there. */
static void try_everybody(struct backtrack *b, struct backtrack_node *node,
                          size_t length) {
  struct system *system = b->x->system;
  explorer_undo(b->x, length);
  for (uint32_t p = 0; p < system->processes; p++)
    if (system->ops->enabled(system, p) && !is_tried(b, node, p))
      try_add(b, node, p);
  node->cover.everybody = false;
}

static uint32_t next_try(const struct backtrack *b,
                         const struct backtrack_node *node) {
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    if (!b->tries.at[n].begun &&
        !sleep_contains(&b->sleep, &node->sleep, b->tries.at[n].proc))
      return n;
  return 0;
}

/* The branch that began with e is done: is another one left at the node? */
static bool advance(struct backtrack *b, struct backtrack_node *node,
                    const struct event *e) {
  sleep_return(&b->sleep, &node->sleep);
  if (node->choice + 1 < e->choices) {
    node->choice++;
    return true;
  }
  if (!b->by_context)
    sleep_add(&b->sleep, &node->sleep, &b->x->trace, e);
  else
    cover_add(&b->cover, &node->sleep, &node->cover, e);
  if (b->by_context && cover_is_done(&b->cover, &node->cover, e))
    return false;
  if (node->cover.everybody)
    try_everybody(b, node, (size_t)(e - b->x->trace.events.at));
  node->choice = 0;
  node->current = next_try(b, node);
  return node->current != 0;
}

bool backtrack_retreat(void *state, size_t *length) {
  struct backtrack *b = state;
  while (b->nodes.size > 1) {
    tries_drop(b, &VEC_TOP(b->nodes));
    b->nodes.size--;
    *length = b->nodes.size - 1;
    if (advance(b, &VEC_TOP(b->nodes), &b->x->trace.events.at[*length]))
      return true;
  }
  return false;
}

/* ---- life --------------------------------------------------------------- */

struct backtrack *backtrack_new(struct explorer *x,
                                void (*plan)(struct backtrack *)) {
  struct backtrack *b = calloc(1, sizeof *b);
  ensure(b);
  b->x = x;
  b->plan = plan;
  VEC_PUSH(b->tries, (struct try){0}); /* 0 is no try */
  struct backtrack_node root = {0};
  sleep_root(&b->sleep, &root.sleep);
  VEC_PUSH(b->nodes, root);
  return b;
}

static struct cover_node *cover_at(void *state, size_t length) {
  struct backtrack *b = state;
  return &b->nodes.at[length].cover;
}

void backtrack_by_context(struct backtrack *b) {
  b->by_context = true;
  cover_init(&b->cover, b->x, &b->sleep, cover_at, b);
}

void backtrack_free(void *state) {
  struct backtrack *b = state;
  if (b->by_context)
    cover_free(&b->cover);
  sleep_free(&b->sleep);
  VEC_FREE(b->nodes);
  VEC_FREE(b->tries);
  reversal_free(&b->v);
  VEC_FREE(b->pending.list);
  free(b);
}
