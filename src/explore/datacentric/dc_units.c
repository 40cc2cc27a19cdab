/* Parts of the data-centric search that can be explored elsewhere.
 *
 * What is below a node depends on its run, its annotation A and the clauses N
 * that it began with, on nothing else.  The siblings behind a child have the
 * child's B in their N, and B is known as soon as the child is: so the rest of
 * a node can be explored while the child is.  An *item* is such a rest, written
 * down: the moves of the run, A, N with B, and the event to go on with.  Pairs
 * are written out, since other processes have other numbers.
 *
 * To take an item up, the run is taken again, which counts as no execution.  An
 * observation that was explored before is in N, so the options of the event can
 * be looked at from the first one.
 *
 * The bytes that are ordered, and who looks where (struct rf_maker), come with
 * each item: the run must have the same pairs.
 */
#include <string.h>

#include "explore/datacentric/dc.h"
#include "util/ensure.h"

/* An item whose search is to begin at the start has no moves, and neither A nor
 * N. */
struct item {
  bool whole;
  VEC(struct move) moves;
  VEC(uint32_t) fixed;
  uint32_t next;
};

static void item_free(struct item *i) {
  VEC_FREE(i->moves);
  VEC_FREE(i->fixed);
}

/* ---- writing and reading ------------------------------------------------ */

static void pack(struct packed *p, struct item *i) {
  PACKED(p, i->whole);
  PACKED(p, i->next);
  PACKED_VEC(p, i->moves);
  PACKED_VEC(p, i->fixed);
}

static bool is_new_range(const struct rf_maker *m, const struct access *a) {
  for (size_t i = 0; i < m->ordered.size; i++)
    if (m->ordered.at[i].addr == a->addr && m->ordered.at[i].size == a->size)
      return false;
  return true;
}

static bool is_new_looker(const struct rf_maker *m, const struct rf_looker *l) {
  for (size_t i = 0; i < m->lookers.size; i++)
    if (m->lookers.at[i].addr == l->addr && m->lookers.at[i].size == l->size &&
        m->lookers.at[i].proc == l->proc)
      return false;
  return true;
}

static void pack_maker(struct packed *p, struct rf_maker *m) {
  VEC(struct access) ordered = {0};
  VEC(struct rf_looker) lookers = {0};
  if (p->to) {
    PACKED_VEC(p, m->ordered);
    PACKED_VEC(p, m->lookers);
    return;
  }
  PACKED_VEC(p, ordered);
  PACKED_VEC(p, lookers);
  for (size_t i = 0; i < ordered.size; i++)
    if (is_new_range(m, &ordered.at[i]))
      VEC_PUSH(m->ordered, ordered.at[i]);
  for (size_t i = 0; i < lookers.size; i++)
    if (is_new_looker(m, &lookers.at[i]))
      VEC_PUSH(m->lookers, lookers.at[i]);
  VEC_FREE(ordered);
  VEC_FREE(lookers);
}

static void write_clause(struct dc *d, struct packed *p, const uint32_t *pairs,
                         uint32_t count) {
  PACKED(p, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t pair = pairs[i];
    annotation_pack(&d->maker.pairs, p, &pair);
  }
}

/* Writes the first `count` clauses, and the B of the child if there is one. */
static void write_clauses(struct dc *d, struct packed *p, size_t count,
                          const struct dc_node *child) {
  uint32_t all = (uint32_t)count + (child ? 1 : 0);
  PACKED(p, all);
  for (size_t c = 0; c < count; c++)
    write_clause(d, p, d->clause_pairs.at + d->clauses.at[c].first,
                 d->clauses.at[c].count);
  if (child)
    write_clause(d, p, child->clause.at, (uint32_t)child->clause.size);
}

static void read_clauses(struct dc *d, struct packed *p) {
  uint32_t all = 0, count = 0, pair = 0;
  PACKED(p, all);
  d->clauses.size = d->clause_pairs.size = 0;
  for (uint32_t c = 0; c < all && !p->bad; c++) {
    PACKED(p, count);
    VEC_PUSH(d->clauses, (struct dc_clause){d->clause_pairs.size, count});
    for (uint32_t i = 0; i < count && !p->bad; i++) {
      annotation_pack(&d->maker.pairs, p, &pair);
      VEC_PUSH(d->clause_pairs, pair);
    }
  }
}

static void write_item(struct dc *d, struct packed *p, struct item *item,
                       size_t clauses, const struct dc_node *child) {
  size_t opened = packed_open(p);
  pack(p, item);
  pack_maker(p, &d->maker);
  write_clauses(d, p, clauses, child);
  packed_close(p, opened);
}

/* The rest of the node: without the child, which is being explored, or if that
 * is NULL with the execution at hand. */
static void write_node(struct dc *d, struct packed *p,
                       const struct dc_node *node,
                       const struct dc_node *child) {
  struct item item = {.next = node->next ? node->next - 1 : 0};
  for (uint32_t i = 0; i < node->run.length; i++)
    VEC_PUSH(item.moves, (struct move){node->run.events.at[i].proc,
                                       node->run.events.at[i].choice});
  for (size_t i = 0; i < node->fixed.size; i++)
    VEC_PUSH(item.fixed, node->fixed.at[i]);
  write_item(d, p, &item, child ? child->clauses : d->clauses.size, child);
  item_free(&item);
}

/* ---- giving ------------------------------------------------------------- */

static bool has_more(const struct dc_node *node) {
  return node->option < node->options.size || node->next < dc_last_event(node);
}

static void give_left(struct dc *d, struct packed *p, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *at = d->left.at[i].at;
    size_t size = d->left.at[i].size;
    packed_part(p, &at, &size);
    VEC_FREE(d->left.at[i]);
  }
  d->left.size -= count;
  memmove(d->left.at, d->left.at + count, d->left.size * sizeof *d->left.at);
}

/* The shallowest rest is the largest, as a rule. */
static bool give_half(struct dc *d, struct packed *p) {
  if (d->left.size) {
    give_left(d, p, 1);
    return true;
  }
  if (d->synced != trace_length(&d->x->trace))
    return false; /* the child of a fork would not know where the system is */
  for (size_t k = 0; k + 1 < d->depth; k++) {
    struct dc_node *node = &d->nodes.at[k];
    if (!has_more(node))
      continue;
    write_node(d, p, node, node + 1);
    node->next = dc_last_event(node);
    node->option = node->options.size = 0;
    return true;
  }
  return false;
}

static void give_tree(struct dc *d, struct packed *p) {
  bool pending = d->at_hand || d->has_covered;
  for (size_t k = 0; k + 1 < d->depth; k++)
    if (has_more(&d->nodes.at[k]))
      write_node(d, p, &d->nodes.at[k], &d->nodes.at[k + 1]);
  const struct dc_node *last = &d->nodes.at[d->depth - 1];
  if (pending || has_more(last))
    write_node(d, p, last, NULL);
}

static void give_all(struct dc *d, struct packed *p) {
  struct item item = {.whole = !d->restores, .next = d->again_next};
  give_left(d, p, d->left.size);
  for (size_t i = 0; d->restores && i < d->again.size; i++)
    VEC_PUSH(item.moves, d->again.at[i]);
  for (size_t i = 0; d->restores && i < d->nodes.at[0].fixed.size; i++)
    VEC_PUSH(item.fixed, d->nodes.at[0].fixed.at[i]);
  if (d->depth)
    give_tree(d, p);
  else if (d->at_hand)
    write_item(d, p, &item, d->clauses.size, NULL);
  item_free(&item);
  d->depth = d->clauses.size = d->clause_pairs.size = d->plan.size = 0;
  d->at_hand = d->restores = d->has_covered = false;
}

bool dc_give(void *state, struct text *to, enum give how) {
  struct dc *d = state;
  struct packed p = packed_writer(to);
  if (d->restart)
    return false;
  if (how == GIVE_HALF)
    return give_half(d, &p);
  give_all(d, &p);
  return true;
}

/* ---- taking ------------------------------------------------------------- */

bool dc_take(void *state, const char *unit, size_t size) {
  struct dc *d = state;
  struct packed p = packed_reader(unit, size);
  d->at_hand = false;
  while (!p.bad && p.at < p.end) {
    const char *at = NULL;
    size_t length = 0;
    packed_part(&p, &at, &length);
    struct text item = {0};
    text_add(&item, at, p.bad ? 0 : length);
    VEC_PUSH(d->left, item);
  }
  return !p.bad;
}

void dc_forget_left(struct dc *d) {
  for (size_t i = 0; i < d->left.size; i++)
    VEC_FREE(d->left.at[i]);
  d->left.size = 0;
}

/* How much of the item's run is the execution at hand? */
static size_t in_common(const struct dc *d) {
  const struct trace *t = &d->x->trace;
  size_t i = 0;
  while (i < d->again.size && i < d->synced && i < trace_length(t) &&
         t->events.at[i].proc == d->again.at[i].proc &&
         t->events.at[i].choice == d->again.at[i].choice)
    i++;
  return i;
}

static void set_again(struct dc *d, const struct item *item) {
  struct dc_node *node = &d->nodes.at[0];
  d->again.size = node->fixed.size = node->clause.size = 0;
  for (size_t i = 0; i < item->moves.size; i++)
    VEC_PUSH(d->again, item->moves.at[i]);
  for (size_t i = 0; i < item->fixed.size; i++)
    VEC_PUSH(node->fixed, item->fixed.at[i]);
  d->again_next = item->next;
  d->restores = !item->whole;
}

size_t dc_begin_item(struct dc *d) {
  struct text text = VEC_POP(d->left);
  struct packed p = packed_reader(text.at, text.size);
  struct item item = {0};
  if (!d->nodes.size)
    VEC_PUSH(d->nodes, (struct dc_node){0});
  pack(&p, &item);
  pack_maker(&p, &d->maker);
  read_clauses(d, &p);
  ensure(packed_is_over(&p));
  set_again(d, &item);
  d->plan.size = 0;
  d->has_covered = d->order_known = false;
  d->synced = in_common(d);
  item_free(&item);
  VEC_FREE(text);
  return d->synced;
}

enum pick dc_again(struct dc *d, struct move *move) {
  struct system *s = d->x->system;
  *move = d->again.at[trace_length(&d->x->trace)];
  if (s->ops->enabled(s, move->proc))
    return PICK_MOVE;
  explorer_impossible(d->x, move->proc);
  return PICK_DROP;
}
