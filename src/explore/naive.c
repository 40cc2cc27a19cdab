/* Every interleaving, one after another.
 *
 * The judge: no partial order, no cleverness.  At each node every enabled
 * process is tried in the order of its number, with each of its alternatives,
 * unless that would be a preemption too many.
 * It counts the Mazurkiewicz traces that it saw: what `optimal` must explore.
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
  VEC(struct node) nodes;  /* one for each length of the trace */
  struct trace_hash *seen; /* hash table; all zero is empty */
  size_t capacity;
};

/* ---- distinct traces ------------------------------------------------------
 */

static bool is_empty(const struct trace_hash *h) {
  return !h->word[0] && !h->word[1];
}

/* True if it was not there. */
static bool add_hash(struct naive *n, struct trace_hash hash) {
  size_t b = hash.word[0] & (n->capacity - 1);
  for (; !is_empty(&n->seen[b]); b = (b + 1) & (n->capacity - 1))
    if (n->seen[b].word[0] == hash.word[0] &&
        n->seen[b].word[1] == hash.word[1])
      return false;
  n->seen[b] = hash;
  return true;
}

static void enlarge(struct naive *n) {
  struct trace_hash *old = n->seen;
  size_t count = n->capacity;
  n->capacity = count ? 2 * count : 2;
  n->seen = calloc(n->capacity, sizeof *n->seen);
  ensure(n->seen);
  for (size_t i = 0; i < count; i++)
    if (!is_empty(&old[i]))
      add_hash(n, old[i]);
  free(old);
}

static void count_trace(struct naive *n) {
  uint64_t *traces = &n->x->counters->traces;
  if (2 * *traces >= n->capacity)
    enlarge(n);
  if (add_hash(n, trace_hash(&n->x->trace)))
    ++*traces;
}

/* ---- the search -----------------------------------------------------------
 */

static uint32_t next_enabled(const struct explorer *x, uint32_t p) {
  while (p < x->system->processes && !x->system->ops->enabled(x->system, p))
    p++;
  return p < x->system->processes ? p : NOWHERE;
}

/* The same without what would be a preemption too many.  How many there are of
 * these is in *left_out. */
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
  struct node *node = &VEC_TOP(n->nodes);
  uint64_t left_out = 0;
  if (!node->move.choice) /* otherwise: another alternative of one process */
    node->move.proc = next_allowed(n->x, node->move.proc, &left_out);
  explorer_leave_out(n->x, left_out);
  *move = node->move;
  if (node->move.proc != NOWHERE)
    return PICK_MOVE;
  return left_out ? PICK_BOUND : PICK_END;
}

static void stepped(void *state) {
  struct naive *n = state;
  VEC_PUSH(n->nodes, (struct node){{0, 0}});
}

static void ended(void *state, enum pick why) {
  if (why == PICK_END)
    count_trace(state);
}

/* Moves the branch of the node that took event e on to the next one; false if
 * there is none.  The state of that node is needed to see who is enabled, so
 * whether a process is left is found out there: any number may come. */
static bool advance(struct explorer *x, struct node *node,
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
  VEC_PUSH(n->nodes, (struct node){{0, 0}});
  return n;
}

static void destroy(void *state) {
  struct naive *n = state;
  VEC_FREE(n->nodes);
  free(n->seen);
  free(n);
}

const struct algorithm naive_algorithm = {.name = "naive",
                                          .finest = true,
                                          .bounds = true,
                                          .create = create,
                                          .destroy = destroy,
                                          .pick = pick,
                                          .stepped = stepped,
                                          .ended = ended,
                                          .retreat = retreat};
