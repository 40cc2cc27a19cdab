/* What a stack of `stateful` has besides that of its search
 * (explore/backtrack_stack.c): of each node the future as far as it was
 * explored, how far up cycles lead, and the futures of branches that are done.
 * What else belongs to a node is found again when its step is taken again.
 *
 * The first node of a search has the known states, too, in the form in which
 * they are told to other processes.  Unfinished states are left out: they are
 * explored again if they are met again.
 */
#include "explore/stateful/stateful.h"
#include "util/ensure.h"

struct written_node {
  uint64_t movable;
  uint32_t low;
  uint32_t heads; /* the first node of which it is told whether it is a head */
  bool known;
  bool restless;
  bool data; /* of the search */
  bool ordered;
};

/* ---- writing -------------------------------------------------------------
 */

/* Is this the first node of a part, which is another process's? */
static bool is_others(const struct stateful *s, size_t at) {
  return s->b->is_part && at == s->b->prefix.size;
}

static void pack_node(struct packed *p, struct written_node *w) {
  PACKED(p, w->movable);
  PACKED(p, w->low);
  PACKED(p, w->heads);
  PACKED(p, w->known);
  PACKED(p, w->restless);
  PACKED(p, w->data);
  PACKED(p, w->ordered);
}

static void write_branches(struct stateful *s, size_t at, struct packed *p) {
  size_t from = is_others(s, at) ? s->first_branch : s->nodes.at[at].branches;
  size_t end = at + 1 < s->depth ? s->nodes.at[at + 1].branches : s->branched;
  stateful_write_branches(s, p, from, end);
}

void stateful_write_node(void *context, size_t at, struct packed *p) {
  struct stateful *s = context;
  struct stateful_node *n = &s->nodes.at[at];
  struct written_node w = {.movable = n->movable,
                           .low = n->low,
                           .heads = is_others(s, at) ? 0 : (uint32_t)at,
                           .known = n->known,
                           .restless = n->restless,
                           .data = s->data,
                           .ordered = s->ordered};
  pack_node(p, &w);
  PACKED_VEC(p, s->objects.list);
  stateful_pack_heads(s, p, w.heads, at + 1);
  stateful_pack_future(s, p, &n->future, NULL);
  write_branches(s, at, p);
  if (!at && !s->b->is_part)
    exchange_write_all(&s->known, &s->objects, p);
}

/* ---- reading -------------------------------------------------------------
 */

/* Of the last node. */
static void read_node(struct stateful *s, struct packed *p) {
  struct stateful_node *n = stateful_top(s);
  struct written_node w = {0};
  struct objects told = {0};
  pack_node(p, &w);
  PACKED_VEC(p, told.list);
  stateful_pack_heads(s, p, w.heads, s->depth);
  n->movable |= w.movable;
  n->low = w.low < n->low ? w.low : n->low;
  n->known |= w.known;
  n->restless |= w.restless;
  s->data |= w.data;
  s->ordered |= w.ordered;
  future_clear(&s->scratch);
  stateful_pack_future(s, p, &s->scratch, &told);
  future_move(stateful_segments(s), &n->future, &s->scratch);
  stateful_read_branches(s, p, &told);
  if (p->at < p->end)
    p->bad |= !exchange_read_all(&s->known, &s->objects, p);
  VEC_FREE(told.list);
}

/* A node that is at hand, or whose step is just taken again. */
void stateful_read_node(void *context, struct packed *p) {
  struct stateful *s = context;
  if (s->depth == s->b->nodes.size) {
    read_node(s, p);
    return;
  }
  s->again.size = 0;
  text_add(&s->again, p->at, (size_t)(p->end - p->at));
}

void stateful_stepped_again(struct stateful *s) {
  struct packed p = packed_reader(s->again.at, s->again.size);
  read_node(s, &p);
  ensure(packed_is_over(&p));
  s->again.size = 0;
}
