#include "explore/context/covered_sleep.h"

#include "util/planted.h"

void covered_init(struct covered_sleep *c, struct explorer *x,
                  struct sleep *sleep,
                  struct covered_node *(*node)(void *, size_t), void *state) {
  *c = (struct covered_sleep){
      .x = x, .sleep = sleep, .node = node, .state = state};
  commute_init(&c->commute, x);
  seen_init(&c->seen, &c->commute, &x->trace);
}

void covered_free(struct covered_sleep *c) {
  commute_free(&c->commute);
  seen_free(&c->seen);
  VEC_FREE(c->met.list);
}

/* ---- what z asks for ---------------------------------------------------- */

/* Does the event happen before every later step of the sleeper's process? */
static bool before_sleeper(const struct covered_sleep *c, const struct event *e,
                           const struct sleeper *z) {
  const struct trace *t = &c->x->trace;
  uint32_t length = process_length(t, z->proc);
  if (e->proc == z->proc ||
      (z->cause && happens_before(t, e, &t->events.at[z->cause - 1])))
    return true;
  return length &&
         happens_before(t, e, &t->events.at[process_event(t, z->proc, length)]);
}

/* v = notdep(e) . z begins with z, which sleeps at the node before e, unless an
 * event of v after z fell asleep conflicts with z. */
static bool begins_with_sleeper(const struct covered_sleep *c,
                                const struct sleeper *z, uint32_t position) {
  const struct trace *t = &c->x->trace;
  for (size_t i = 0; i < c->met.list.size; i++) {
    uint32_t later = c->met.list.at[i];
    if (later > position && later >= z->asleep_at &&
        !happens_before(t, &t->events.at[position], &t->events.at[later]))
      return false;
  }
  return true;
}

/* Adds the events that conflict with the access to c->met. */
static void find_met(struct covered_sleep *c, const struct access *a) {
  const struct trace *t = &c->x->trace;
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older)
      if (access_conflict(&t->accesses.at[t->touches.at[r].access], a))
        VEC_PUSH(c->met.list, t->touches.at[r].event);
}

static void meet_sleeper(struct covered_sleep *c, const struct sleeper *z,
                         const struct option *o) {
  c->met.list.size = 0;
  for (uint32_t i = 0; i < o->accesses; i++)
    find_met(c, &o->access[i]);
  for (size_t i = 0; i < c->met.list.size; i++) {
    uint32_t position = c->met.list.at[i];
    struct covered_node *node = c->node(c->state, position);
    if (!node->try_all &&
        !before_sleeper(c, &c->x->trace.events.at[position], z) &&
        !begins_with_sleeper(c, z, position))
      node->try_all = true;
  }
}

/* ---- as if S.z had been explored ---------------------------------------- */

static bool conflicts_later(struct covered_sleep *c, const struct sleeper *z,
                            const struct option *o) {
  const struct trace *t = &c->x->trace;
  bool by_value =
      z->stores && (op_is(z->op, OPCLASS_PLAIN) || !t->rules.synchronise);
  return seen_conflicts(&c->seen, z->since, (uint32_t)trace_length(t), o,
                        by_value, z->value);
}

static void cover_sleeper(struct covered_sleep *c, const struct sleeper *z,
                          const struct option *o) {
  uint32_t length = (uint32_t)trace_length(&c->x->trace);
  for (uint32_t i = z->commuted_before; i < length && !planted(CONTEXT_STACK);
       i++)
    if (!c->node(c->state, i)->try_all && seen_races(&c->seen, z, i))
      c->node(c->state, i)->try_all = true;
  meet_sleeper(c, z, o);
  struct covered_node *here = c->node(c->state, length);
  if (!here->as_if_explored || here->explored_since > z->since)
    here->explored_since = z->since;
  here->as_if_explored = true;
  if (conflicts_later(c, z, o))
    here->try_all = true;
  else
    here->cut = true;
}

static bool stays_asleep(void *context, struct sleeper *z) {
  struct covered_sleep *c = context;
  enum commute commute = commute_instead(&c->commute, z);
  if (commute == COMMUTE_HERE) {
    z->commuted_before = z->commuted_at;
    z->commuted_at = (uint32_t)trace_length(&c->x->trace);
  }
  return commute != COMMUTE_NOT;
}

void covered_child(struct covered_sleep *c, const struct sleep_node *parent,
                   struct sleep_node *child) {
  uint32_t length = (uint32_t)trace_length(&c->x->trace);
  sleep_child_if(c->sleep, parent, &c->x->trace, child, stays_asleep, c);
  seen_add(&c->seen);
  uint64_t since = c->seen.now;
  const struct sleeper *z;
  struct option o;
  for (uint32_t i = 0; (z = sleep_at(c->sleep, child, i)); i++) {
    since = since < z->since ? since : z->since;
    if (z->commuted_at == length && sleep_get(c->sleep, child, i, &o))
      cover_sleeper(c, z, &o);
  }
  c->node(c->state, length - 1)->since = since;
}

void covered_add(struct covered_sleep *c, struct sleep_node *node,
                 struct covered_node *branch, const struct event *e) {
  sleep_add(c->sleep, node, &c->x->trace, e);
  struct sleeper *z = &VEC_TOP(c->sleep->sleepers);
  z->since = branch->since;
  z->asleep_at = (uint32_t)(e - c->x->trace.events.at);
  c->seen.now++;
}

void covered_reordered(struct covered_sleep *c, uint32_t first, uint32_t second,
                       const struct access *a, uint32_t accesses) {
  struct covered_node *before = c->node(c->state, first);
  uint32_t length =
      planted(CONTEXT_LATE) ? 0 : (uint32_t)trace_length(&c->x->trace);
  for (uint32_t i = second + 1; i <= length && !before->try_all; i++) {
    const struct covered_node *node = c->node(c->state, i);
    before->try_all =
        node->as_if_explored &&
        seen_meets(&c->seen, node->explored_since, i, first, a, accesses);
  }
}

void covered_pending(struct covered_sleep *c, uint32_t proc,
                     const struct step *step) {
  seen_add_pending(&c->seen, proc, step);
}

/* ---- anticipated cuts --------------------------------------------------- */

/* May another process still touch the footprint of the event?  The system may
 * know. */
static bool may_touch(struct covered_sleep *c, const struct event *e) {
  struct system *s = c->x->system;
  const struct trace *t = &c->x->trace;
  if (!s->ops->may_touch)
    return true;
  explorer_undo(c->x, (size_t)(e - t->events.at));
  return s->ops->may_touch(s, e->proc, event_access(t, e), e->accesses);
}

bool covered_is_done(struct covered_sleep *c, const struct covered_node *node,
                     const struct event *e) {
  const struct trace *t = &c->x->trace;
  struct option o = event_option(t, e);
  if (c->x->options->no_anticipate || e->choices > 1)
    return false;
  return planted(CONTEXT_FUTURE) ||
         !seen_conflicts(&c->seen, node->since, (uint32_t)(e - t->events.at),
                         &o, event_by_value(t, e), e->value) ||
         !may_touch(c, e);
}
