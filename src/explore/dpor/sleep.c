#include "explore/dpor/sleep.h"

#include "util/ensure.h"
#include "util/planted.h"

static uint32_t range_size(struct sleep_range r) {
  return r.end - r.start;
}

void sleep_root(struct sleep *s, struct sleep_node *node) {
  s->sleepers.size = s->accesses.size = 0;
  *node = (struct sleep_node){{0, 0}, {0, 0}, 0};
}

void sleep_return(struct sleep *s, const struct sleep_node *node) {
  s->sleepers.size = node->done.end;
  s->accesses.size = node->accesses_end;
}

/* The i-th of the inherited sleepers, then of the node's own. */
static const struct sleeper *
sleeper_at(const struct sleep *s, const struct sleep_node *node, uint32_t i) {
  uint32_t inherited = range_size(node->inherited);
  uint32_t at = i < inherited ? node->inherited.start + i
                              : node->done.start + (i - inherited);
  return &s->sleepers.at[at];
}

static uint32_t sleeper_count(const struct sleep_node *node) {
  return range_size(node->inherited) + range_size(node->done);
}

static struct option option_of(const struct sleep *s, const struct sleeper *z) {
  return (struct option){z->proc, z->index, z->choice, z->accesses,
                         z->accesses == 1 ? &z->one_access
                                          : &s->accesses.at[z->first]};
}

static bool wakes(const struct sleep *s, const struct sleeper *z,
                  const struct trace *t, const struct event *e) {
  struct option o = option_of(s, z);
  if (planted(SLEEP) && o.accesses)
    o.accesses = 1;
  return z->proc == e->proc ||
         footprint_conflict(o.access, o.accesses, event_access(t, e),
                            e->accesses);
}

static bool some_sleeper_wakes(const struct sleep *s,
                               const struct sleep_node *node,
                               const struct trace *t, const struct event *e) {
  for (uint32_t i = 0; i < sleeper_count(node); i++)
    if (wakes(s, sleeper_at(s, node, i), t, e))
      return true;
  return false;
}

/* Inlined twice, so that the plain sleep set does not pay for `stays`. */
static inline __attribute__((always_inline)) void
enter_child(struct sleep *s, const struct sleep_node *parent,
            const struct trace *t, struct sleep_node *child,
            bool (*stays)(void *, struct sleeper *), void *context) {
  const struct event *e = &VEC_TOP(t->events);
  uint32_t top = (uint32_t)s->sleepers.size;
  child->inherited = parent->inherited;
  if (range_size(parent->done) || some_sleeper_wakes(s, parent, t, e)) {
    VEC_RESERVE(s->sleepers, sleeper_count(parent)); /* pointers stay valid */
    for (uint32_t i = 0; i < sleeper_count(parent); i++) {
      struct sleeper *z = &s->sleepers.at[s->sleepers.size];
      *z = *sleeper_at(s, parent, i);
      if (!wakes(s, z, t, e) || (stays && z->proc != e->proc &&
                                 (planted(CONTEXT_WAKE) || stays(context, z))))
        s->sleepers.size++;
    }
    child->inherited = (struct sleep_range){top, (uint32_t)s->sleepers.size};
  }
  top = (uint32_t)s->sleepers.size;
  child->done = (struct sleep_range){top, top};
  child->accesses_end = (uint32_t)s->accesses.size;
}

void sleep_child(struct sleep *s, const struct sleep_node *parent,
                 const struct trace *t, struct sleep_node *child) {
  enter_child(s, parent, t, child, NULL, NULL);
}

void sleep_child_if(struct sleep *s, const struct sleep_node *parent,
                    const struct trace *t, struct sleep_node *child,
                    bool (*stays)(void *, struct sleeper *), void *context) {
  enter_child(s, parent, t, child, stays, context);
}

void sleep_add(struct sleep *s, struct sleep_node *node, const struct trace *t,
               const struct event *e) {
  struct sleeper z = {.proc = e->proc,
                      .index = e->index,
                      .choice = e->choice,
                      .choices = e->choices,
                      .cause = e->cause,
                      .accesses = e->accesses,
                      .history = e->history,
                      .value = e->value,
                      .stores = event_stores(t, e),
                      .op = e->op};
  const struct access *access = event_access(t, e);
  if (e->accesses == 1) {
    z.one_access = access[0];
  } else {
    z.first = (uint32_t)s->accesses.size;
    for (uint32_t i = 0; i < e->accesses; i++)
      VEC_PUSH(s->accesses, access[i]);
  }
  VEC_PUSH(s->sleepers, z);
  node->done.end = (uint32_t)s->sleepers.size;
  node->accesses_end = (uint32_t)s->accesses.size;
}

const struct sleeper *sleep_at(const struct sleep *s,
                               const struct sleep_node *node, uint32_t i) {
  return i < sleeper_count(node) ? sleeper_at(s, node, i) : NULL;
}

bool sleep_get(const struct sleep *s, const struct sleep_node *node, uint32_t i,
               struct option *out) {
  if (i >= sleeper_count(node))
    return false;
  *out = option_of(s, sleeper_at(s, node, i));
  return true;
}

bool sleep_contains(const struct sleep *s, const struct sleep_node *node,
                    uint32_t proc) {
  for (uint32_t i = 0; i < sleeper_count(node); i++)
    if (sleeper_at(s, node, i)->proc == proc)
      return true;
  return false;
}

bool sleep_has(const struct sleep *s, const struct sleep_node *node,
               uint32_t proc, uint32_t choice) {
  for (uint32_t i = 0; i < sleeper_count(node); i++)
    if (sleeper_at(s, node, i)->proc == proc &&
        sleeper_at(s, node, i)->choice == choice)
      return true;
  return false;
}

bool sleep_alternative(const struct sleep *s, const struct sleep_node *node,
                       uint32_t proc, uint32_t *choice) {
  uint32_t choices = 0;
  for (uint32_t i = 0; i < sleeper_count(node); i++)
    if (sleeper_at(s, node, i)->proc == proc)
      choices = sleeper_at(s, node, i)->choices;
  *choice = 0;
  if (!choices)
    return true; /* no alternative of it sleeps */
  for (*choice = 0; *choice < choices; ++*choice)
    if (!sleep_has(s, node, proc, *choice))
      return true;
  return false;
}

/* ---- other processes ----------------------------------------------------
 */

void sleep_write(const struct sleep *s, const struct sleep_node *node,
                 uint32_t from, struct packed *p) {
  uint32_t count = sleeper_count(node) - from;
  PACKED(p, count);
  for (uint32_t i = from; i < from + count; i++) {
    struct sleeper z = *sleeper_at(s, node, i);
    PACKED(p, z);
    for (uint32_t k = 0; z.accesses != 1 && k < z.accesses; k++) {
      struct access access = s->accesses.at[z.first + k];
      PACKED(p, access);
    }
  }
}

void sleep_read(struct sleep *s, struct sleep_node *node, struct packed *p) {
  uint32_t count = 0;
  PACKED(p, count);
  sleep_return(s, node);
  for (uint32_t i = 0; i < count && !p->bad; i++) {
    struct sleeper z = {0};
    struct access access = {0};
    PACKED(p, z);
    if (z.accesses != 1)
      z.first = (uint32_t)s->accesses.size;
    for (uint32_t k = 0; z.accesses != 1 && k < z.accesses && !p->bad; k++) {
      PACKED(p, access);
      VEC_PUSH(s->accesses, access);
    }
    if (sleep_has(s, node, z.proc, z.choice))
      continue;
    VEC_PUSH(s->sleepers, z);
    node->done.end = (uint32_t)s->sleepers.size;
  }
  node->done.end = (uint32_t)s->sleepers.size;
  node->accesses_end = (uint32_t)s->accesses.size;
}

void sleep_free(struct sleep *s) {
  VEC_FREE(s->sleepers);
  VEC_FREE(s->accesses);
}

/* ---- checking ----------------------------------------------------------- */

static void check_ranges(const struct sleep *s, const struct sleep_node *node) {
  ensure(node->inherited.start <= node->inherited.end &&
         node->inherited.end <= node->done.start &&
         node->done.start <= node->done.end &&
         node->done.end <= s->sleepers.size &&
         node->accesses_end <= s->accesses.size);
}

static void check_independent(const struct sleep *s, const struct sleeper *z,
                              const struct trace *t, const struct event *e) {
  struct option o = option_of(s, z);
  ensure(z->proc != e->proc &&
         !footprint_conflict(o.access, o.accesses, event_access(t, e),
                             e->accesses));
}

void sleep_check(const struct sleep *s, const struct sleep_node *node,
                 const struct trace *t, uint32_t length, bool strict) {
  check_ranges(s, node);
  for (uint32_t i = 0; i < sleeper_count(node); i++) {
    const struct sleeper *z = sleeper_at(s, node, i);
    ensure(z->index == trace_count_before(t, z->proc, length) + 1); /* S1 */
    for (uint32_t j = 0; j < i; j++)
      ensure(sleeper_at(s, node, j)->proc != z->proc ||
             sleeper_at(s, node, j)->choice != z->choice); /* S2 */
    if (strict && i < range_size(node->inherited))
      check_independent(s, z, t, &t->events.at[length - 1]); /* S3 */
  }
}
