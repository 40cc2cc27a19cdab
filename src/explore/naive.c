/* Every interleaving, one after another.
 *
 * The reference for all other algorithms.  It uses no partial order.  At each
 * node it tries every enabled process, by rising number, with each of its
 * alternatives, unless that would be one preemption too many.  It counts the
 * Mazurkiewicz traces of the executions: `optimal` must explore just as many
 * executions.
 */
#include <stdlib.h>

#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/table.h"

/* keep */
struct naive_node {
  struct move move; /* the branch being explored, or the next one to look at */
};

struct naive {
  struct explorer *x;
  VEC(struct naive_node) nodes; /* one for each length of the trace */
  VEC(struct trace_hash) seen;  /* the distinct traces ... */
  struct table by_hash;         /* ... and where they are */
};

/* ---- distinct traces ---------------------------------------------------- */

static bool is_known(const struct naive *n, struct trace_hash hash) {
  for (TABLE_EACH(i, &n->by_hash, (uint32_t)hash.word[0]))
    if (n->seen.at[i].word[0] == hash.word[0] &&
        n->seen.at[i].word[1] == hash.word[1])
      return true;
  return false;
}

static void count_trace(struct naive *n) {
  struct trace_hash hash = trace_hash(&n->x->trace);
  if (is_known(n, hash))
    return;
  table_add(&n->by_hash, (uint32_t)hash.word[0], n->seen.size);
  VEC_PUSH(n->seen, hash);
  n->x->counters->traces++;
}

/* ---- the search --------------------------------------------------------- */

static uint32_t next_enabled(const struct explorer *x, uint32_t p) {
  while (p < x->system->processes && !x->system->ops->enabled(x->system, p))
    p++;
  return p < x->system->processes ? p : NOWHERE;
}

/* The same without processes whose step would be one preemption too many.
 * *left_out becomes their number. */
static uint32_t next_allowed(const struct explorer *x, uint32_t p,
                             uint64_t *left_out) {
  *left_out = 0;
  while ((p = next_enabled(x, p)) != NOWHERE && !explorer_allows(x, p)) {
    ++*left_out;
    p++;
  }
  return p;
}

static enum pick pick(void *state, struct move *move) {
  struct naive *n = state;
  struct naive_node *node = &VEC_TOP(n->nodes);
  uint64_t left_out = 0;
  if (!node->move
           .choice) /* if not 0: the next alternative of the same process */
    node->move.proc = next_allowed(n->x, node->move.proc, &left_out);
  explorer_leave_out(n->x, left_out);
  *move = node->move;
  if (node->move.proc != NOWHERE)
    return PICK_MOVE;
  return left_out ? PICK_BOUND : PICK_END;
}

static void stepped(void *state) {
  struct naive *n = state;
  VEC_PUSH(n->nodes, (struct naive_node){{0, 0}});
}

static void ended(void *state, enum pick why) {
  if (why == PICK_END)
    count_trace(state);
}

/* Moves the node that took event e on to its next branch; false if there is
 * none.  Only at the node can the system say which processes are enabled. */
static bool advance(struct explorer *x, struct naive_node *node,
                    const struct event *e) {
  if (node->move.choice + 1 < e->choices) {
    node->move.choice++;
    return true;
  }
  node->move = (struct move){node->move.proc + 1, 0};
  if (node->move.proc >= x->system->processes)
    return false;
  explorer_undo(x, (size_t)(e - x->trace.events.at));
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
  VEC_PUSH(n->nodes, (struct naive_node){{0, 0}});
  return n;
}

static void destroy(void *state) {
  struct naive *n = state;
  VEC_FREE(n->nodes);
  VEC_FREE(n->seen);
  table_free(&n->by_hash);
  free(n);
}

const struct algorithm naive_algorithm = {.name = "naive",
                                          .holds = true,
                                          .updates = true,
                                          .joins = true,
                                          .finest = true,
                                          .takes = TAKES_PREEMPTIONS,
                                          .create = create,
                                          .destroy = destroy,
                                          .pick = pick,
                                          .stepped = stepped,
                                          .ended = ended,
                                          .retreat = retreat};
