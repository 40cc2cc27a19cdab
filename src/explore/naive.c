/* Every interleaving, one after another.
 *
 * The judge: no partial order, no cleverness.  At each node every enabled
 * process is tried in the order of its number, with each of its alternatives.
 */
#include <stdlib.h>

#include "explore/algorithms.h"
#include "util/ensure.h"

/* keep */
struct node {
  struct move move; /* the branch at hand, or the next one to look at */
};

struct naive {
  struct explorer *x;
  VEC(struct node) nodes; /* one for each length of the trace */
};

static uint32_t next_enabled(const struct explorer *x, uint32_t p) {
  while (p < x->system->processes && !x->system->ops->enabled(x->system, p))
    p++;
  return p < x->system->processes ? p : NOWHERE;
}

static enum pick pick(void *state, struct move *move) {
  struct naive *n = state;
  struct node *node = &VEC_TOP(n->nodes);
  if (!node->move.choice) /* otherwise: another alternative of one process */
    node->move.proc = next_enabled(n->x, node->move.proc);
  *move = node->move;
  return node->move.proc == NOWHERE ? PICK_END : PICK_MOVE;
}

static void stepped(void *state) {
  struct naive *n = state;
  VEC_PUSH(n->nodes, (struct node){{0, 0}});
}

static void ended(void *state, enum pick why) {
  (void)state;
  (void)why;
}

/* Moves the branch of the node that took event e on to the next one; false if
 * there is none.  The state of that node is needed to see who is enabled, so
 * whether a process is left is found out there: any number may come. */
static bool advance(const struct explorer *x, struct node *node,
                    const struct event *e) {
  if (node->move.choice + 1 < e->choices) {
    node->move.choice++;
    return true;
  }
  node->move = (struct move){node->move.proc + 1, 0};
  if (node->move.proc >= x->system->processes)
    return false;
  x->system->ops->undo(x->system, (size_t)(e - x->trace.events.at));
  return next_enabled(x, node->move.proc) != NOWHERE;
}

static bool retreat(void *state, size_t *length) {
  struct naive *n = state;
  while (n->nodes.size > 1) {
    n->nodes.size--;
    const struct event *e = &n->x->trace.events.at[n->nodes.size - 1];
    if (advance(n->x, &VEC_TOP(n->nodes), e)) {
      *length = n->nodes.size - 1;
      return true;
    }
  }
  return false;
}

static void *create(struct explorer *x) {
  struct naive *n = calloc(1, sizeof *n);
  ensure(n);
  n->x = x;
  VEC_PUSH(n->nodes, (struct node){{0, 0}});
  return n;
}

static void destroy(void *state) {
  struct naive *n = state;
  VEC_FREE(n->nodes);
  free(n);
}

const struct algorithm naive_algorithm = {.name = "naive",
                                          .create = create,
                                          .destroy = destroy,
                                          .pick = pick,
                                          .stepped = stepped,
                                          .ended = ended,
                                          .retreat = retreat};
