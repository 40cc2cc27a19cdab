#include "explore/printed_tree.h"

#include <string.h>

void tree_init(struct tree_pool *pool) {
  memset(pool, 0, sizeof *pool);
  VEC_PUSH(pool->nodes, (struct branch){0});
}

static uint32_t node_new(struct tree_pool *pool, struct sequence *of,
                         uint32_t act) {
  uint32_t n = pool->unused;
  if (n) {
    pool->unused = pool->nodes.at[n].next;
  } else {
    n = (uint32_t)pool->nodes.size;
    VEC_PUSH(pool->nodes, (struct branch){0});
  }
  pool->nodes.at[n] = (struct branch){.of = sequence_hold(of), .act = act};
  return n;
}

static void node_free(struct tree_pool *pool, uint32_t n) {
  sequence_drop(pool->nodes.at[n].of);
  pool->nodes.at[n] = (struct branch){.next = pool->unused};
  pool->unused = n;
}

/* The sequence as one branch; its first node. */
static uint32_t branch_new(struct tree_pool *pool, struct sequence *v) {
  uint32_t first = 0;
  for (size_t i = v->acts.size; i-- > 0;) {
    uint32_t n = node_new(pool, v, (uint32_t)i);
    pool->nodes.at[n].child = first;
    first = n;
  }
  return first;
}

static void append(struct tree_pool *pool, uint32_t parent, uint32_t *root,
                   uint32_t branch) {
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

/* The first of the siblings that is a weak initial of v, or 0.  It is taken
 * out of v, which nobody else holds. */
static uint32_t matching(const struct tree_pool *pool, uint32_t n,
                         struct sequence *v, bool observers) {
  uint32_t at;
  for (; n; n = pool->nodes.at[n].next) {
    struct act_of x = {pool->nodes.at[n].of, pool->nodes.at[n].act};
    if (!sequence_weak_initial(v, 0, x, observers, &at))
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

static struct sequence *copy(const struct sequence *s) {
  struct sequence *c = sequence_new();
  for (uint32_t i = 0; i < s->acts.size; i++)
    sequence_add_act(c, s, i);
  return c;
}

void tree_insert(struct tree_pool *pool, uint32_t *root, struct sequence *v,
                 bool observers) {
  struct sequence *rest = copy(v);
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
  sequence_drop(rest);
}

void tree_add(struct tree_pool *pool, uint32_t *root, struct sequence *s) {
  append(pool, 0, root, node_new(pool, s, 0));
}

uint32_t tree_take(struct tree_pool *pool, uint32_t *root) {
  uint32_t n = *root, child = pool->nodes.at[n].child;
  *root = pool->nodes.at[n].next;
  node_free(pool, n);
  return child;
}

void tree_drop(struct tree_pool *pool, uint32_t root) {
  while (root) {
    uint32_t child = tree_take(pool, &root);
    if (!child)
      continue;
    uint32_t last = child; /* the children go first: no recursion */
    while (pool->nodes.at[last].next)
      last = pool->nodes.at[last].next;
    pool->nodes.at[last].next = root;
    root = child;
  }
}

void tree_free(struct tree_pool *pool) {
  for (size_t n = 1; n < pool->nodes.size; n++)
    sequence_drop(pool->nodes.at[n].of);
  VEC_FREE(pool->nodes);
}
