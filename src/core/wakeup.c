#include "core/wakeup.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

void wakeup_init(struct wakeup_pool *pool) {
  memset(pool, 0, sizeof *pool);
  VEC_PUSH(pool->nodes, (struct wakeup){0});
}

static uint32_t node_new(struct wakeup_pool *pool, const struct option *o) {
  uint32_t n = pool->unused;
  if (n) {
    pool->unused = pool->nodes.at[n].next;
  } else {
    n = (uint32_t)pool->nodes.size;
    VEC_PUSH(pool->nodes, (struct wakeup){0});
  }
  struct wakeup *w = &pool->nodes.at[n];
  *w = (struct wakeup){.proc = o->proc,
                       .index = o->index,
                       .choice = o->choice,
                       .accesses = o->accesses};
  if (o->accesses == 1) {
    w->one = o->access[0];
  } else if (o->accesses) {
    w->more = malloc(o->accesses * sizeof *w->more);
    ensure(w->more);
    memcpy(w->more, o->access, o->accesses * sizeof *w->more);
  }
  return n;
}

static void node_free(struct wakeup_pool *pool, uint32_t n) {
  free(pool->nodes.at[n].more);
  pool->nodes.at[n].more = NULL;
  pool->nodes.at[n].next = pool->unused;
  pool->unused = n;
}

static struct option node_option(const struct wakeup *w) {
  return (struct option){w->proc, w->index, w->choice, w->accesses,
                         w->more ? w->more : &w->one};
}

/* Writes out what is left of v as one branch; its first node. */
static uint32_t branch_new(struct wakeup_pool *pool, const struct reversal *v) {
  const struct trace *t = v->trace;
  uint32_t first = 0, last = 0;
  for (uint32_t i = v->at + 1; i <= t->events.size; i++) {
    struct option o = v->late; /* comes at the end */
    if (i < t->events.size) {
      if (!reversal_contains(v, i))
        continue;
      o = event_option(t, &t->events.at[i]);
    } else if (v->late_taken) {
      break;
    }
    uint32_t n = node_new(pool, &o);
    if (last)
      pool->nodes.at[last].child = n;
    else
      first = n;
    last = n;
  }
  return first;
}

static void append(struct wakeup_pool *pool, uint32_t parent, uint32_t *root,
                   uint32_t branch) {
  uint32_t n = parent ? pool->nodes.at[parent].child : *root;
  if (!n) {
    if (parent)
      pool->nodes.at[parent].child = branch;
    else
      *root = branch;
    return;
  }
  while (pool->nodes.at[n].next)
    n = pool->nodes.at[n].next;
  pool->nodes.at[n].next = branch;
}

/* The first of the siblings that is a weak initial of v, or 0. */
static uint32_t matching(const struct wakeup_pool *pool, uint32_t n,
                         struct reversal *v, uint32_t *depends_on) {
  for (; n; n = pool->nodes.at[n].next) {
    struct option o = node_option(&pool->nodes.at[n]);
    enum match match = reversal_match(v, &o, depends_on);
    if (match == MATCH_FIRST)
      reversal_take(v, &o);
    if (match != MATCH_NOT)
      return n;
  }
  return 0;
}

static uint32_t rests_on_late(const struct reversal *v) {
  return v->late_position == NOWHERE
             ? NOWHERE /* e' is pending, or an alternative */
             : v->late_position + 1;
}

uint32_t wakeup_insert(struct wakeup_pool *pool, uint32_t *root,
                       struct reversal *v) {
  uint32_t depends_on = rests_on_late(v);
  uint32_t parent = 0;
  for (;;) {
    uint32_t children = parent ? pool->nodes.at[parent].child : *root;
    if (parent && !children)
      return depends_on; /* a leaf */
    uint32_t n = matching(pool, children, v, &depends_on);
    if (!n && planted(INSERTION) && parent)
      return NOWHERE;
    if (!n) {
      append(pool, parent, root, branch_new(pool, v));
      return NOWHERE;
    }
    parent = n;
  }
}

uint32_t wakeup_begin(struct wakeup_pool *pool, uint32_t *root,
                      struct reversal *v) {
  uint32_t depends_on = rests_on_late(v);
  if (matching(pool, *root, v, &depends_on))
    return depends_on;
  struct option o = reversal_beginning(v);
  wakeup_append(pool, root, 0, &o);
  return NOWHERE;
}

uint32_t wakeup_children(const struct wakeup_pool *pool, uint32_t root,
                         uint32_t parent) {
  return parent ? pool->nodes.at[parent].child : root;
}

uint32_t wakeup_next(const struct wakeup_pool *pool, uint32_t node) {
  return pool->nodes.at[node].next;
}

struct option wakeup_option(const struct wakeup_pool *pool, uint32_t node) {
  return node_option(&pool->nodes.at[node]);
}

uint32_t wakeup_append(struct wakeup_pool *pool, uint32_t *root,
                       uint32_t parent, const struct option *o) {
  uint32_t n = node_new(pool, o);
  append(pool, parent, root, n);
  return n;
}

struct option wakeup_first(const struct wakeup_pool *pool, uint32_t root) {
  return node_option(&pool->nodes.at[root]);
}

uint32_t wakeup_take(struct wakeup_pool *pool, uint32_t *root) {
  uint32_t n = *root, child = pool->nodes.at[n].child;
  *root = pool->nodes.at[n].next;
  node_free(pool, n);
  return child;
}

void wakeup_drop(struct wakeup_pool *pool, uint32_t root) {
  while (root) {
    struct wakeup *w = &pool->nodes.at[root];
    if (w->child) { /* the children go before what follows: no recursion */
      uint32_t child = w->child, last = child;
      while (pool->nodes.at[last].next)
        last = pool->nodes.at[last].next;
      pool->nodes.at[last].next = w->next;
      w->next = child;
      w->child = 0;
    }
    uint32_t next = w->next;
    node_free(pool, root);
    root = next;
  }
}

void wakeup_free(struct wakeup_pool *pool) {
  for (size_t n = 1; n < pool->nodes.size; n++)
    free(pool->nodes.at[n].more);
  VEC_FREE(pool->nodes);
}
