#include "explore/asprinted/printed_tree.h"

#include <string.h>

void printed_tree_init(struct printed_tree_pool *pool) {
  memset(pool, 0, sizeof *pool);
  VEC_PUSH(pool->nodes, (struct printed_branch){0});
}

static uint32_t node_new(struct printed_tree_pool *pool,
                         struct printed_sequence *of, uint32_t act) {
  uint32_t n = pool->unused;
  if (n) {
    pool->unused = pool->nodes.at[n].next;
  } else {
    n = (uint32_t)pool->nodes.size;
    VEC_PUSH(pool->nodes, (struct printed_branch){0});
  }
  pool->nodes.at[n] =
      (struct printed_branch){.of = printed_sequence_hold(of), .act = act};
  return n;
}

static void node_free(struct printed_tree_pool *pool, uint32_t n) {
  printed_sequence_drop(pool->nodes.at[n].of);
  pool->nodes.at[n] = (struct printed_branch){.next = pool->unused};
  pool->unused = n;
}

/* Makes one branch of the sequence; returns its first node. */
static uint32_t branch_new(struct printed_tree_pool *pool,
                           struct printed_sequence *v) {
  uint32_t first = 0;
  for (size_t i = v->acts.size; i-- > 0;) {
    uint32_t n = node_new(pool, v, (uint32_t)i);
    pool->nodes.at[n].child = first;
    first = n;
  }
  return first;
}

static void append(struct printed_tree_pool *pool, uint32_t parent,
                   uint32_t *root, uint32_t branch) {
  uint32_t n = parent ? pool->nodes.at[parent].child : *root;
  if (n) {
    while (pool->nodes.at[n].next)
      n = pool->nodes.at[n].next;
    pool->nodes.at[n].next = branch;
  } else if (parent) {
    pool->nodes.at[parent].child = branch;
  } else {
    *root = branch;
  }
}

/* The first of the siblings that is a weak initial of v, or 0.  Takes it out of
 * v, which has no other holder. */
static uint32_t matching(const struct printed_tree_pool *pool, uint32_t n,
                         struct printed_sequence *v, bool observers) {
  uint32_t at;
  for (; n; n = pool->nodes.at[n].next) {
    struct printed_act_of x = {pool->nodes.at[n].of, pool->nodes.at[n].act};
    if (!printed_sequence_weak_initial(v, 0, x, observers, &at))
      continue;
    if (at != NOWHERE) {
      memmove(&v->acts.at[at], &v->acts.at[at + 1],
              (v->acts.size - at - 1) * sizeof *v->acts.at);
      v->acts.size--;
    }
    return n;
  }
  return 0;
}

static struct printed_sequence *copy(const struct printed_sequence *s) {
  struct printed_sequence *c = printed_sequence_new();
  for (uint32_t i = 0; i < s->acts.size; i++)
    printed_sequence_add_act(c, s, i);
  return c;
}

void printed_tree_insert(struct printed_tree_pool *pool, uint32_t *root,
                         struct printed_sequence *v, bool observers) {
  struct printed_sequence *rest = copy(v);
  uint32_t parent = 0;
  for (;;) {
    uint32_t children = parent ? pool->nodes.at[parent].child : *root;
    if (parent && !children)
      break; /* a leaf */
    uint32_t n = matching(pool, children, rest, observers);
    if (!n) {
      append(pool, parent, root, branch_new(pool, rest));
      break;
    }
    parent = n;
  }
  printed_sequence_drop(rest);
}

void printed_tree_add(struct printed_tree_pool *pool, uint32_t *root,
                      struct printed_sequence *s) {
  append(pool, 0, root, node_new(pool, s, 0));
}

uint32_t printed_tree_take(struct printed_tree_pool *pool, uint32_t *root) {
  uint32_t n = *root, child = pool->nodes.at[n].child;
  *root = pool->nodes.at[n].next;
  node_free(pool, n);
  return child;
}

void printed_tree_drop(struct printed_tree_pool *pool, uint32_t root) {
  while (root) {
    uint32_t child = printed_tree_take(pool, &root);
    if (!child)
      continue;
    uint32_t last =
        child; /* moves the children before the siblings: no recursion */
    while (pool->nodes.at[last].next)
      last = pool->nodes.at[last].next;
    pool->nodes.at[last].next = root;
    root = child;
  }
}

void printed_tree_free(struct printed_tree_pool *pool) {
  for (size_t n = 1; n < pool->nodes.size; n++)
    printed_sequence_drop(pool->nodes.at[n].of);
  VEC_FREE(pool->nodes);
}
