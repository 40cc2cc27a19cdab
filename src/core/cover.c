#include "core/cover.h"

#include "util/planted.h"

void cover_init(struct cover *c, struct explorer *x, struct sleep *sleep,
                struct cover_node *(*node)(void *, size_t), void *state) {
  *c = (struct cover){.x = x, .sleep = sleep, .node = node, .state = state};
  x->trace.by_value = true;
  x->trace.orders_atomics = x->options->races != RACES_OFF;
  context_init(&c->context, x);
  future_init(&c->future, &c->context, &x->trace);
}

void cover_free(struct cover *c) {
  context_free(&c->context);
  future_free(&c->future);
  VEC_FREE(c->met.list);
}

/* ---- what z asks for ------------------------------------------------------
 */

/* Is the event before all that the sleeper's process does from now on? */
static bool before_sleeper(const struct cover *c, const struct event *e,
                           const struct sleeper *z) {
  const struct trace *t = &c->x->trace;
  uint32_t length = process_length(t, z->proc);
  if (e->proc == z->proc ||
      (z->cause && happens_before(t, e, &t->events.at[z->cause - 1])))
    return true;
  return length &&
         happens_before(t, e, &t->events.at[process_event(t, z->proc, length)]);
}

/* v = notdep(e) . z begins with z, which sleeps at its node, unless something
 * in v that came after z fell asleep conflicts with it. */
static bool begins_with_sleeper(const struct cover *c, const struct sleeper *z,
                                uint32_t position) {
  const struct trace *t = &c->x->trace;
  for (size_t i = 0; i < c->met.list.size; i++) {
    uint32_t later = c->met.list.at[i];
    if (later > position && later >= z->fell &&
        !happens_before(t, &t->events.at[position], &t->events.at[later]))
      return false;
  }
  return true;
}

/* Adds the events that conflict with the access to c->met. */
static void find_met(struct cover *c, const struct access *a) {
  const struct trace *t = &c->x->trace;
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older)
      if (access_conflict(&t->accesses.at[t->touches.at[r].access], a))
        VEC_PUSH(c->met.list, t->touches.at[r].event);
}

static void meet_sleeper(struct cover *c, const struct sleeper *z,
                         const struct option *o) {
  c->met.list.size = 0;
  for (uint32_t i = 0; i < o->accesses; i++)
    find_met(c, &o->access[i]);
  for (size_t i = 0; i < c->met.list.size; i++) {
    uint32_t position = c->met.list.at[i];
    struct cover_node *node = c->node(c->state, position);
    if (!node->everybody &&
        !before_sleeper(c, &c->x->trace.events.at[position], z) &&
        !begins_with_sleeper(c, z, position))
      node->everybody = true;
  }
}

/* ---- as if S.z had been explored ------------------------------------------
 */

static bool conflicts_later(struct cover *c, const struct sleeper *z,
                            const struct option *o) {
  const struct trace *t = &c->x->trace;
  bool by_value = z->stores && (z->op == OP_WRITE || !t->orders_atomics);
  return future_conflicts(&c->future, z->since, (uint32_t)trace_length(t), o,
                          by_value, z->value);
}

static void cover_sleeper(struct cover *c, const struct sleeper *z,
                          const struct option *o) {
  uint32_t length = (uint32_t)trace_length(&c->x->trace);
  for (uint32_t i = z->soft_from; i < length && !planted(CONTEXT_STACK); i++)
    if (!c->node(c->state, i)->everybody && future_races(&c->future, z, i))
      c->node(c->state, i)->everybody = true;
  meet_sleeper(c, z, o);
  struct cover_node *here = c->node(c->state, length);
  if (!here->goes_on || here->begun > z->since)
    here->begun = z->since;
  here->goes_on = true;
  if (conflicts_later(c, z, o))
    here->everybody = true;
  else
    here->covered = true;
}

static bool stays_asleep(void *context, struct sleeper *z) {
  struct cover *c = context;
  enum commute commute = context_commutes_instead(&c->context, z);
  if (commute == COMMUTE_HERE) {
    z->soft_from = z->soft;
    z->soft = (uint32_t)trace_length(&c->x->trace);
  }
  return commute != COMMUTE_NOT;
}

void cover_child(struct cover *c, const struct sleep_node *parent,
                 struct sleep_node *child) {
  uint32_t length = (uint32_t)trace_length(&c->x->trace);
  sleep_child_if(c->sleep, parent, &c->x->trace, child, stays_asleep, c);
  future_add(&c->future);
  uint64_t since = c->future.now;
  const struct sleeper *z;
  struct option o;
  for (uint32_t i = 0; (z = sleep_at(c->sleep, child, i)); i++) {
    since = since < z->since ? since : z->since;
    if (z->soft == length && sleep_get(c->sleep, child, i, &o))
      cover_sleeper(c, z, &o);
  }
  c->node(c->state, length - 1)->since = since;
}

void cover_add(struct cover *c, struct sleep_node *node,
               struct cover_node *branch, const struct event *e) {
  sleep_add(c->sleep, node, &c->x->trace, e);
  struct sleeper *z = &VEC_TOP(c->sleep->sleepers);
  z->since = branch->since;
  z->fell = (uint32_t)(e - c->x->trace.events.at);
  c->future.now++;
}

void cover_late(struct cover *c, uint32_t first, uint32_t second,
                const struct access *a, uint32_t accesses) {
  struct cover_node *before = c->node(c->state, first);
  uint32_t length =
      planted(CONTEXT_LATE) ? 0 : (uint32_t)trace_length(&c->x->trace);
  for (uint32_t i = second + 1; i <= length && !before->everybody; i++) {
    const struct cover_node *node = c->node(c->state, i);
    before->everybody = node->goes_on && future_meets(&c->future, node->begun,
                                                      i, first, a, accesses);
  }
}

void cover_pending(struct cover *c, uint32_t proc, const struct step *step) {
  future_add_pending(&c->future, proc, step);
}

/* ---- anticipated cuts -----------------------------------------------------
 */

/* As far as the system knows what is left of the other processes. */
static bool may_touch(struct cover *c, const struct event *e) {
  struct system *s = c->x->system;
  const struct trace *t = &c->x->trace;
  if (!s->ops->may_touch)
    return true;
  explorer_undo(c->x, (size_t)(e - t->events.at));
  return s->ops->may_touch(s, e->proc, event_access(t, e), e->accesses);
}

bool cover_is_done(struct cover *c, const struct cover_node *node,
                   const struct event *e) {
  const struct trace *t = &c->x->trace;
  struct option o = event_option(t, e);
  if (c->x->options->no_anticipate || e->choices > 1)
    return false;
  return planted(CONTEXT_FUTURE) ||
         !future_conflicts(&c->future, node->since,
                           (uint32_t)(e - t->events.at), &o,
                           event_by_value(t, e), e->value) ||
         !may_touch(c, e);
}
