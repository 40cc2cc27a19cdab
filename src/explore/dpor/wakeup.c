#include "explore/dpor/wakeup.h"

#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"
#include "util/rng.h"

void wakeup_init(struct wakeup_pool *pool) {
  memset(pool, 0, sizeof *pool);
  VEC_PUSH(pool->nodes, (struct wakeup){0});
}

/* ---- steps --------------------------------------------------------------- */

static struct option step_option(const struct wakeup_pool *pool, uint32_t n) {
  const struct wakeup_step *s = &pool->steps.at[n];
  return (struct option){s->proc, s->index, s->choice, s->accesses,
                         &pool->accesses.at[s->first]};
}

static uint32_t hash_of(const struct option *o) {
  uint64_t hash = (uint64_t)o->proc << 32 | o->index;
  hash = rng_mix(hash ^ (uint64_t)o->choice << 32 ^ o->accesses);
  for (uint32_t i = 0; i < o->accesses; i++) {
    const struct access *a = &o->access[i];
    hash = rng_mix(hash ^ a->addr ^ (uint64_t)a->size << 48 ^
                   (uint64_t)a->mode << 32);
  }
  return (uint32_t)hash;
}

/* Accesses have no gaps between their members. */
static bool same(const struct option *a, const struct option *b) {
  return a->proc == b->proc && a->index == b->index && a->choice == b->choice &&
         a->accesses == b->accesses &&
         (!a->accesses ||
          !memcmp(a->access, b->access, a->accesses * sizeof *a->access));
}

static uint32_t step_number(struct wakeup_pool *pool, const struct option *o) {
  uint32_t hash = hash_of(o);
  for (TABLE_EACH(n, &pool->by_contents, hash)) {
    struct option known = step_option(pool, (uint32_t)n);
    if (same(&known, o))
      return (uint32_t)n;
  }
  struct wakeup_step added = {o->proc, o->index, o->choice, o->accesses,
                              pool->accesses.size};
  for (uint32_t i = 0; i < o->accesses; i++)
    VEC_PUSH(pool->accesses, o->access[i]);
  table_add(&pool->by_contents, hash, pool->steps.size);
  VEC_PUSH(pool->steps, added);
  return (uint32_t)pool->steps.size - 1;
}

/* ---- nodes --------------------------------------------------------------- */

static uint32_t node_new(struct wakeup_pool *pool, const struct option *o) {
  uint32_t n = pool->unused;
  if (n) {
    pool->unused = pool->nodes.at[n].next;
  } else {
    n = (uint32_t)pool->nodes.size;
    VEC_PUSH(pool->nodes, (struct wakeup){0});
  }
  pool->nodes.at[n] = (struct wakeup){.step = step_number(pool, o)};
  return n;
}

static void node_free(struct wakeup_pool *pool, uint32_t n) {
  pool->nodes.at[n].next = pool->unused;
  pool->unused = n;
}

static struct option node_option(const struct wakeup_pool *pool, uint32_t n) {
  return step_option(pool, pool->nodes.at[n].step);
}

/* Writes out the rest of v as one branch, and returns its first node. */
static uint32_t branch_new(struct wakeup_pool *pool, const struct reversal *v) {
  const struct trace *t = v->trace;
  uint32_t first = 0, last = 0;
  for (uint32_t i = v->at + 1; i <= t->events.size; i++) {
    struct option o = v->last; /* comes at the end */
    if (i < t->events.size) {
      if (!reversal_contains(v, i))
        continue;
      o = event_option(t, &t->events.at[i]);
    } else if (v->last_taken) {
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
    struct option o = node_option(pool, n);
    enum match match = reversal_match(v, &o, depends_on);
    if (match == MATCH_FIRST)
      reversal_take(v, &o);
    if (match != MATCH_NOT)
      return n;
  }
  return 0;
}

static uint32_t rests_on_last(const struct reversal *v) {
  return v->last_position == NOWHERE
             ? NOWHERE /* e' is pending, or another alternative */
             : v->last_position + 1;
}

uint32_t wakeup_insert(struct wakeup_pool *pool, uint32_t *root,
                       struct reversal *v) {
  uint32_t depends_on = rests_on_last(v);
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
  uint32_t depends_on = rests_on_last(v);
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

size_t wakeup_count(const struct wakeup_pool *pool, uint32_t root) {
  size_t count = 0;
  for (uint32_t n = root; n; n = wakeup_next(pool, n))
    count++;
  return count;
}

uint32_t wakeup_next(const struct wakeup_pool *pool, uint32_t node) {
  return pool->nodes.at[node].next;
}

struct option wakeup_option(const struct wakeup_pool *pool, uint32_t node) {
  return node_option(pool, node);
}

uint32_t wakeup_append(struct wakeup_pool *pool, uint32_t *root,
                       uint32_t parent, const struct option *o) {
  uint32_t n = node_new(pool, o);
  append(pool, parent, root, n);
  return n;
}

struct option wakeup_first(const struct wakeup_pool *pool, uint32_t root) {
  return node_option(pool, root);
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
    if (w->child) { /* moves the children before the siblings: no recursion */
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
  VEC_FREE(pool->nodes);
  VEC_FREE(pool->steps);
  VEC_FREE(pool->accesses);
  table_free(&pool->by_contents);
}

size_t wakeup_bytes(const struct wakeup_pool *pool) {
  return pool->nodes.size * sizeof *pool->nodes.at +
         pool->steps.size * sizeof *pool->steps.at +
         pool->accesses.size * sizeof *pool->accesses.at;
}

/* ---- checking ----------------------------------------------------------- */

struct wakeup_walk {
  const struct wakeup_pool *pool;
  VEC(bool) seen;     /* by tree node */
  VEC(uint32_t) next; /* by process: the index of its next step */
};

static uint32_t *next_index(struct wakeup_walk *w, uint32_t proc) {
  while (w->next.size <= proc)
    VEC_PUSH(w->next, 1);
  return &w->next.at[proc];
}

static bool same_step(const struct option *a, const struct option *b) {
  return a->proc == b->proc && a->index == b->index && a->choice == b->choice;
}

static void walk_siblings(struct wakeup_walk *w, uint32_t first) {
  const struct wakeup *nodes = w->pool->nodes.at;
  for (uint32_t n = first; n; n = nodes[n].next) {
    ensure(!w->seen.at[n]); /* W1 */
    w->seen.at[n] = true;
    struct option step = node_option(w->pool, n);
    for (uint32_t m = first; m != n; m = nodes[m].next) {
      struct option other = node_option(w->pool, m);
      ensure(!same_step(&other, &step)); /* W2 */
    }
    ensure(step.index == *next_index(w, step.proc)); /* W3 */
    ++*next_index(w, step.proc);
    walk_siblings(w, nodes[n].child);
    --*next_index(w, step.proc);
  }
}

static void walk_unused(struct wakeup_walk *w) {
  for (uint32_t n = w->pool->unused; n; n = w->pool->nodes.at[n].next) {
    ensure(!w->seen.at[n]); /* W1 */
    w->seen.at[n] = true;
  }
}

void wakeup_check(const struct wakeup_pool *pool, const struct trace *t,
                  uint32_t (*root)(const void *, size_t), const void *search) {
  struct wakeup_walk w = {.pool = pool};
  VEC_CLEARED(w.seen, pool->nodes.size);
  for (size_t length = 0; length <= trace_length(t); length++) {
    walk_siblings(&w, root(search, length));
    if (length < trace_length(t))
      ++*next_index(&w, t->events.at[length].proc);
  }
  walk_unused(&w);
  for (size_t n = 1; n < pool->nodes.size; n++)
    ensure(w.seen.at[n]); /* W1 */
  VEC_FREE(w.seen);
  VEC_FREE(w.next);
}
