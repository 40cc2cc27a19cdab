/* Every interleaving, one after another.
 *
 * The reference for all other algorithms.  It uses no partial order.  At each
 * node it tries every enabled process, by rising number, with each of its
 * alternatives, unless that would be one preemption too many.  It counts the
 * Mazurkiewicz traces of the executions: `optimal` must explore just as many
 * executions.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/algorithms.h"
#include "util/ensure.h"
#include "util/table.h"

/* keep */
struct naive_node {
  struct move move; /* the branch being explored, or the next one to look at */
  bool more;        /* there are branches behind it */
  uint64_t enabled; /* processes, by bits, of the first 64 */
};

/* keep: the branches of one node from `next` on.  The moves that lead there are
 * the last ones in naive.moves. */
struct naive_unit {
  size_t first_move;
  struct move next;
};

struct naive {
  struct explorer *x;
  VEC(struct naive_node) nodes; /* one for each length of the trace */
  size_t base;                  /* nodes before this one have no branches to be
                                   explored here, ... */
  VEC(struct move) planned;     /* ... but one, which leads to it, ... */
  struct move next;             /* ... and its own begin with this one */
  bool at_hand;                 /* the newest node is not explored yet */
  VEC(struct naive_unit) left;
  VEC(struct move) moves; /* of those */
  double done;            /* see estimate() ... */
  uint64_t done_at;       /* ... when there were so many executions, or 0 */
  bool is_part;           /* it was given units */
  VEC(uint32_t) leader;   /* scratch: see find_leaders() */
  VEC(uint32_t) weight;   /* scratch, by leader */
  VEC(struct trace_hash) seen; /* the distinct traces ... */
  struct table by_hash;        /* ... and where they are */
};

/* ---- distinct traces ---------------------------------------------------- */

static bool is_known(const struct naive *n, struct trace_hash hash) {
  for (TABLE_EACH(i, &n->by_hash, (uint32_t)hash.word[0]))
    if (n->seen.at[i].word[0] == hash.word[0] &&
        n->seen.at[i].word[1] == hash.word[1])
      return true;
  return false;
}

static bool add_trace(struct naive *n, struct trace_hash hash) {
  if (is_known(n, hash))
    return false;
  table_add(&n->by_hash, (uint32_t)hash.word[0], n->seen.size);
  VEC_PUSH(n->seen, hash);
  return true;
}

static void count_trace(struct naive *n) {
  n->x->counters->traces += add_trace(n, trace_hash(&n->x->trace));
}

/* ---- how much is done ---------------------------------------------------
 *
 * The branches of a node differ in size.  If processes only waited for their
 * creation, events would form a forest, and of all orders of a forest the part
 * that begins with the tree T is |T| divided by the number of events (Knuth,
 * The Art of Computer Programming, 5.1.4, exercise 20).  So a branch weighs as
 * many events as its process and those it creates still have in the execution
 * at hand, up to the first one that waits for another process.
 */

/* The next event of each process lies in the tree of an enabled process of the
 * node, or of none (NOWHERE).  Passes event i. */
static void pass_event(struct naive *n, size_t length, size_t i) {
  const struct trace *t = &n->x->trace;
  const struct event *e = &t->events.at[i];
  uint32_t *leader = &n->leader.at[e->proc];
  if (e->cause > length)
    *leader =
        e->index == 1 ? n->leader.at[t->events.at[e->cause - 1].proc] : NOWHERE;
  if (*leader != NOWHERE)
    n->weight.at[*leader]++;
}

/* The weights of the branches of the node of this length. */
static void weigh(struct naive *n, size_t length) {
  uint32_t processes = n->x->system->processes;
  uint64_t enabled = n->nodes.at[length].enabled;
  VEC_SIZED(n->leader, processes);
  VEC_SIZED(n->weight, processes);
  for (uint32_t p = 0; p < processes; p++) {
    bool is_branch = p < 64 && (enabled >> p & 1);
    n->leader.at[p] = is_branch ? p : NOWHERE;
    n->weight.at[p] = 0;
  }
  for (size_t i = length; i < trace_length(&n->x->trace); i++)
    pass_event(n, length, i);
}

/* The part of a node that is done, without the branch that took event e, and
 * the part that is in that branch. */
static void split(const struct naive *n, const struct event *e, double *before,
                  double *here) {
  double all = 0, alternative = n->weight.at[e->proc] / (double)e->choices;
  *before = alternative * e->choice;
  for (uint32_t p = 0; p < n->weight.size; p++) {
    all += n->weight.at[p];
    *before += p < e->proc ? n->weight.at[p] : 0;
  }
  *before /= all;
  *here = alternative / all;
}

/* Where less than this is left, it does not matter. */
#define LITTLE 1e-9

/* At the end of an execution. */
static double estimate(struct naive *n) {
  const struct trace *t = &n->x->trace;
  double done = 0, weight = 1;
  for (size_t i = 0; i < trace_length(t) && weight > LITTLE; i++) {
    const struct event *e = &t->events.at[i];
    uint64_t enabled = n->nodes.at[i].enabled;
    double before, here;
    if (!(enabled & (enabled - 1)) && e->choices == 1)
      continue;
    weigh(n, i);
    split(n, e, &before, &here);
    done += weight * before;
    weight *= here;
  }
  return done + weight;
}

static void estimate_if_due(struct naive *n) {
  uint64_t executions = n->x->counters->executions;
  if (executions <= n->done_at + n->done_at / 100 || n->is_part ||
      explorer_is_bounded(n->x))
    return;
  n->done = estimate(n);
  n->done_at = executions;
}

static double done(const void *state) {
  const struct naive *n = state;
  double executions = (double)n->x->counters->executions;
  if (!n->done_at || n->is_part)
    return -1;
  double now = n->done * executions / (double)n->done_at;
  return now < 1 ? now : 1;
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

static bool is_first(struct move m) {
  return !m.proc && !m.choice;
}

static uint64_t enabled_processes(const struct explorer *x) {
  uint64_t enabled = 0;
  for (uint32_t p = 0; p < x->system->processes && p < 64; p++)
    if (x->system->ops->enabled(x->system, p))
      enabled |= (uint64_t)1 << p;
  return enabled;
}

/* The node behind the newest event. */
static void push_node(struct naive *n) {
  struct move move = {0, 0};
  if (n->nodes.size < n->base)
    move = n->planned.at[n->nodes.size];
  else if (n->nodes.size == n->base)
    move = n->next;
  VEC_PUSH(n->nodes, (struct naive_node){.move = move,
                                         .enabled = enabled_processes(n->x)});
}

static enum pick pick(void *state, struct move *move) {
  struct naive *n = state;
  struct naive_node *node = &VEC_TOP(n->nodes);
  struct move from = node->move;
  uint64_t left_out = 0;
  *move = from;
  if (n->nodes.size <= n->base)
    return PICK_MOVE;
  if (!from.choice) /* if not 0: the next alternative of the same process */
    node->move.proc = next_allowed(n->x, from.proc, &left_out);
  explorer_leave_out(n->x, left_out);
  *move = node->move;
  if (node->move.proc != NOWHERE) {
    node->more = next_enabled(n->x, node->move.proc + 1) != NOWHERE;
    return PICK_MOVE;
  }
  if (left_out)
    return PICK_BOUND;
  return is_first(from) ? PICK_END : PICK_DROP;
}

static void stepped(void *state) {
  push_node(state);
}

static void ended(void *state, enum pick why) {
  struct naive *n = state;
  n->at_hand = false;
  if (why == PICK_END)
    count_trace(n);
  estimate_if_due(n);
}

/* The branch behind the one that took event e. */
static struct move next_branch(const struct naive_node *node,
                               const struct event *e) {
  if (node->move.choice + 1 < e->choices)
    return (struct move){node->move.proc, node->move.choice + 1};
  return (struct move){node->move.proc + 1, 0};
}

/* Moves the node that took event e on to its next branch; false if there is
 * none. */
static bool advance(struct naive_node *node, const struct event *e) {
  node->move = next_branch(node, e);
  return node->move.choice || node->more;
}

/* Begins with the unit on top of the stack.  Returns how much of its moves is
 * the execution at hand. */
static size_t begin_unit(struct naive *n) {
  const struct trace *t = &n->x->trace;
  struct naive_unit u = VEC_POP(n->left);
  size_t common = 0;
  n->base = n->moves.size - u.first_move;
  n->next = u.next;
  VEC_SIZED(n->planned, n->base);
  if (n->base)
    memcpy(n->planned.at, &n->moves.at[u.first_move],
           n->base * sizeof *n->planned.at);
  n->moves.size = u.first_move;
  while (common < n->base && common < trace_length(t) &&
         t->events.at[common].proc == n->planned.at[common].proc &&
         t->events.at[common].choice == n->planned.at[common].choice)
    common++;
  for (n->nodes.size = 0; n->nodes.size <= common;)
    push_node(n);
  return common;
}

static bool retreat(void *state, size_t *length) {
  struct naive *n = state;
  n->at_hand = true;
  while (n->nodes.size > n->base + 1) {
    n->nodes.size--;
    const struct event *e = &n->x->trace.events.at[n->nodes.size - 1];
    if (advance(&VEC_TOP(n->nodes), e)) {
      *length = n->nodes.size - 1;
      return true;
    }
  }
  n->nodes.size = 0;
  n->at_hand = n->left.size;
  if (n->left.size)
    *length = begin_unit(n);
  return n->at_hand;
}

/* ---- giving away -------------------------------------------------------- */

static void write_unit(struct naive *n, size_t length, struct move next,
                       struct packed *p) {
  VEC(struct move) moves = {0};
  for (size_t i = 0; i < length; i++)
    VEC_PUSH(moves, i < n->nodes.size ? n->nodes.at[i].move : n->planned.at[i]);
  size_t item = packed_open(p);
  PACKED_VEC(p, moves);
  PACKED(p, next);
  packed_close(p, item);
  VEC_FREE(moves);
}

/* The branches of the node behind the one that took its event. */
static bool give_rest(struct naive *n, size_t at, struct packed *p) {
  struct naive_node *node = &n->nodes.at[at];
  const struct event *e = &n->x->trace.events.at[at];
  struct move next = next_branch(node, e);
  if (!next.choice && !node->more)
    return false;
  write_unit(n, at, next, p);
  node->more = false;
  return true;
}

/* Units on the stack, the oldest first. */
static void give_left(struct naive *n, size_t count, struct packed *p) {
  for (size_t i = 0; i < count; i++) {
    size_t first = n->left.at[i].first_move;
    VEC(struct move) moves = {.at = &n->moves.at[first]};
    moves.size =
        (i + 1 < n->left.size ? n->left.at[i + 1].first_move : n->moves.size) -
        first;
    size_t item = packed_open(p);
    PACKED_VEC(p, moves);
    PACKED(p, n->left.at[i].next);
    packed_close(p, item);
  }
}

static bool give_half(struct naive *n, struct packed *p) {
  if (n->left.size) { /* the oldest one */
    give_left(n, 1, p);
    size_t moves = n->left.size > 1 ? n->left.at[1].first_move : n->moves.size;
    n->left.size--;
    n->moves.size -= moves;
    memmove(n->left.at, n->left.at + 1, n->left.size * sizeof *n->left.at);
    memmove(n->moves.at, n->moves.at + moves,
            n->moves.size * sizeof *n->moves.at);
    for (size_t i = 0; i < n->left.size; i++)
      n->left.at[i].first_move -= moves;
    return true;
  }
  for (size_t at = n->base; at + 1 < n->nodes.size; at++)
    if (n->nodes.at[at].move.choice + 1 >= n->x->trace.events.at[at].choices &&
        give_rest(n, at, p))
      return true;
  return false;
}

static void give_all(struct naive *n, struct packed *p) {
  give_left(n, n->left.size, p);
  for (size_t at = n->base; at + 1 < n->nodes.size; at++)
    give_rest(n, at, p);
  if (n->at_hand && n->nodes.size <= n->base)
    write_unit(n, n->base, n->next, p);
  else if (n->at_hand)
    write_unit(n, n->nodes.size - 1, VEC_TOP(n->nodes).move, p);
  n->left.size = n->moves.size = n->nodes.size = n->base = 0;
  n->at_hand = false;
}

static bool give(void *state, struct text *to, enum give how) {
  struct naive *n = state;
  struct packed p = packed_writer(to);
  if (how == GIVE_HALF)
    return give_half(n, &p);
  give_all(n, &p);
  return true;
}

static bool take_item(struct naive *n, const char *item, size_t size) {
  struct packed p = packed_reader(item, size);
  struct naive_unit u = {.first_move = n->moves.size};
  VEC(struct move) moves = {0};
  PACKED_VEC(&p, moves);
  PACKED(&p, u.next);
  bool good = packed_is_over(&p);
  for (size_t i = 0; i < moves.size && good; i++)
    VEC_PUSH(n->moves, moves.at[i]);
  if (good)
    VEC_PUSH(n->left, u);
  VEC_FREE(moves);
  return good;
}

static bool take(void *state, const char *unit, size_t size) {
  struct naive *n = state;
  struct packed p = packed_reader(unit, size);
  n->at_hand = false;
  n->is_part = true;
  while (!p.bad && p.at < p.end) {
    const char *item = NULL;
    size_t length = 0;
    packed_part(&p, &item, &length);
    p.bad = p.bad || !take_item(n, item, length);
  }
  return !p.bad;
}

/* What another process has counted as distinct may be known here. */
static void seen(void *state, struct packed *p) {
  struct naive *n = state;
  VEC(struct trace_hash) others = {0};
  if (p->to) {
    PACKED_VEC(p, n->seen);
    return;
  }
  PACKED_VEC(p, others);
  for (size_t i = 0; i < others.size; i++)
    if (!add_trace(n, others.at[i]))
      n->x->counters->traces--;
  VEC_FREE(others);
}

/* ---- life --------------------------------------------------------------- */

static void *create(struct explorer *x) {
  struct naive *n = calloc(1, sizeof *n);
  ensure(n);
  n->x = x;
  n->at_hand = true;
  push_node(n);
  return n;
}

static void destroy(void *state) {
  struct naive *n = state;
  VEC_FREE(n->nodes);
  VEC_FREE(n->planned);
  VEC_FREE(n->left);
  VEC_FREE(n->moves);
  VEC_FREE(n->leader);
  VEC_FREE(n->weight);
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
                                          .retreat = retreat,
                                          .done = done,
                                          .give = give,
                                          .take = take,
                                          .seen = seen};
