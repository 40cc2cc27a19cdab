#include "explore/observers/observed_sleep.h"

#include "util/ensure.h"

static uint32_t range_size(struct observed_sleep_range r) {
  return r.end - r.start;
}

static uint32_t step_count(const struct observed_sleep_node *node) {
  return range_size(node->inherited) + range_size(node->own);
}

/* The i-th of the inherited sleepers, then of the node's own. */
static const struct observed_sleeper *
step_at(const struct observed_sleep *s, const struct observed_sleep_node *node,
        uint32_t i) {
  uint32_t inherited = range_size(node->inherited);
  return &s->sleepers.at[i < inherited ? node->inherited.start + i
                                       : node->own.start + (i - inherited)];
}

static struct option option_of(const struct observed_sleep *s,
                               const struct observed_sleeper *z) {
  return (struct option){z->proc, z->index, z->choice, z->accesses,
                         z->accesses == 1 ? &z->one_access
                                          : &s->accesses.at[z->first]};
}

/* Does the newest event make sure that the sleeper cannot come first, whatever
 * follows? */
static bool ruled_out(struct observed_sleep *s,
                      const struct observed_sleeper *z, const struct trace *t) {
  uint32_t last = (uint32_t)trace_length(t) - 1;
  const struct event *e = &t->events.at[last];
  struct option o = option_of(s, z);
  if (z->proc == e->proc && z->index == e->index)
    return z->choice != e->choice;
  if (!footprint_conflict_firm(o.access, o.accesses, event_access(t, e),
                               e->accesses))
    return false;
  if (z->index > process_length(t, z->proc))
    return true;
  observed_sequence_begin(&s->path, t, last + 1);
  return observed_sequence_waits(&s->path, z->at,
                                 process_event(t, z->proc, z->index));
}

void observed_sleep_child(struct observed_sleep *s,
                          const struct observed_sleep_node *parent,
                          const struct trace *t,
                          struct observed_sleep_node *child) {
  uint32_t top = (uint32_t)s->sleepers.size;
  VEC_RESERVE(s->sleepers, step_count(parent)); /* pointers stay valid */
  for (uint32_t i = 0; i < step_count(parent); i++) {
    const struct observed_sleeper *z = step_at(s, parent, i);
    if (!ruled_out(s, z, t))
      VEC_PUSH(s->sleepers, *z);
  }
  child->inherited =
      (struct observed_sleep_range){top, (uint32_t)s->sleepers.size};
  top = (uint32_t)s->sleepers.size;
  child->own = (struct observed_sleep_range){top, top};
  child->accesses_end = (uint32_t)s->accesses.size;
}

void observed_sleep_return(struct observed_sleep *s,
                           const struct observed_sleep_node *node) {
  s->sleepers.size = node->own.end;
  s->accesses.size = node->accesses_end;
}

void observed_sleep_add(struct observed_sleep *s,
                        struct observed_sleep_node *node, const struct trace *t,
                        uint32_t position) {
  const struct event *e = &t->events.at[position];
  const struct access *access = event_access(t, e);
  struct observed_sleeper z = {e->proc,     e->index, e->choice, position,
                               e->accesses, {0},      0};
  if (e->accesses == 1) {
    z.one_access = access[0];
  } else {
    z.first = (uint32_t)s->accesses.size;
    for (uint32_t i = 0; i < e->accesses; i++)
      VEC_PUSH(s->accesses, access[i]);
  }
  VEC_PUSH(s->sleepers, z);
  node->own.end = (uint32_t)s->sleepers.size;
  node->accesses_end = (uint32_t)s->accesses.size;
}

bool observed_sleep_get(const struct observed_sleep *s,
                        const struct observed_sleep_node *node, uint32_t i,
                        struct option *out, uint32_t *from) {
  if (i >= step_count(node))
    return false;
  *out = option_of(s, step_at(s, node, i));
  *from = step_at(s, node, i)->at;
  return true;
}

void observed_sleep_free(struct observed_sleep *s) {
  VEC_FREE(s->sleepers);
  VEC_FREE(s->accesses);
  observed_sequence_free(&s->path);
}

/* ---- checking ----------------------------------------------------------- */

static void check_sleeper(const struct observed_sleep *s,
                          const struct observed_sleeper *z,
                          const struct trace *t, uint32_t length) {
  struct option o = option_of(s, z);
  ensure(z->at <= length &&
         z->index == trace_count_before(t, z->proc, z->at) + 1); /* Z1 */
  if (z->index <= trace_count_before(t, z->proc, length))
    return;
  for (uint32_t i = z->at; i < length; i++)
    ensure(!footprint_conflict_firm(o.access, o.accesses,
                                    event_access(t, &t->events.at[i]),
                                    t->events.at[i].accesses)); /* Z3 */
}

void observed_sleep_check(const struct observed_sleep *s,
                          const struct observed_sleep_node *node,
                          const struct trace *t, uint32_t length) {
  ensure(node->inherited.start <= node->inherited.end &&
         node->inherited.end <= node->own.start &&
         node->own.start <= node->own.end && node->own.end <= s->sleepers.size);
  for (uint32_t i = 0; i < step_count(node); i++) {
    const struct observed_sleeper *z = step_at(s, node, i);
    check_sleeper(s, z, t, length);
    for (uint32_t j = 0; j < i; j++) {
      const struct observed_sleeper *y = step_at(s, node, j);
      ensure(y->proc != z->proc || y->index != z->index ||
             y->choice != z->choice || y->at != z->at); /* Z2 */
    }
  }
}
