#include "explore/dpor/reordered_footprint.h"

#include <stdlib.h>

#include "util/planted.h"

/* ---- compare-and-swap, trylock ------------------------------------------ */

enum written_part { NOTHING, SOMETHING, ALL };

/* How many of the bytes that e tests does d write?  SOMETHING, too, if several
 * accesses of d cover all of them together, or if d is an update that has no
 * order with others of its kind: some of these may be in v. */
static enum written_part writes_of_tested(const struct trace *t,
                                          const struct event *d,
                                          const struct event *e) {
  const struct access *a = event_access(t, d), *tested = event_access(t, e);
  enum written_part part = NOTHING;
  for (uint32_t i = 0; i < d->accesses; i++) {
    if (!(a[i].mode & ACCESS_WRITE) || !access_conflict(&a[i], tested))
      continue;
    bool alone = !(a[i].mode & ACCESS_KIND) || planted(UPDATE_TESTED);
    if (alone && a[i].addr <= tested->addr &&
        tested->addr + tested->size <= a[i].addr + a[i].size)
      return ALL;
    part = SOMETHING;
  }
  return part;
}

bool reordered_must_run(const struct trace *t, uint32_t first,
                        uint32_t second) {
  const struct event *d = &t->events.at[first], *e = &t->events.at[second];
  return (e->flags & STEP_BLOCK) || ((e->flags & STEP_CONDITIONAL) &&
                                     writes_of_tested(t, d, e) == SOMETHING);
}

/* The footprint of e', which tests its first access. */
static void set_footprint(struct reversal *v, const struct event *e,
                          bool writes, struct reordered_footprint *footprint) {
  footprint->list.size = 0;
  for (uint32_t i = 0; i < e->accesses; i++)
    VEC_PUSH(footprint->list, event_access(v->trace, e)[i]);
  footprint->list.at[0].mode &= ~(uint32_t)(ACCESS_WRITE | ACCESS_SILENT);
  if (writes)
    footprint->list.at[0].mode |= ACCESS_WRITE;
  v->last.access = footprint->list.at;
}

void reordered_look(struct reversal *v, const struct race *race,
                    struct reordered_footprint *footprint) {
  set_footprint(v, &v->trace->events.at[race->second],
                race->look == LOOK_WRITES, footprint);
}

void reordered_conditional(struct explorer *x, struct reversal *v,
                           uint32_t first, uint32_t second,
                           struct reordered_footprint *footprint) {
  struct trace *t = &x->trace;
  const struct event *e = &t->events.at[second];
  if (writes_of_tested(t, &t->events.at[first], e) == NOTHING)
    return;
  bool writes = x->system->ops->succeeds_before(x->system, second, first);
  set_footprint(v, e, writes, footprint);
}

/* ---- what is run -------------------------------------------------------- */

/* Takes the events of v that come before e'. */
static bool run_events(struct explorer *x, const struct reversal *v) {
  for (uint32_t i = v->at + 1; i < x->trace.events.size && !x->diverged; i++)
    if (reversal_contains(v, i))
      explorer_retake(x, i);
  return !x->diverged;
}

/* The event that step number `cause` of the run was; 0: none. */
static const struct event *event_of_run(const struct reversal *v,
                                        uint32_t cause) {
  if (!cause || cause <= v->at)
    return cause ? &v->trace->events.at[cause - 1] : NULL;
  uint32_t i = v->at, number = v->at;
  while (number < cause)
    number += reversal_contains(v, ++i);
  return &v->trace->events.at[i];
}

/* What made e' possible may be another event than in the trace: a thread that
 * is awaited has ended, or this one is cancelled. */
void reordered_run(struct explorer *x, struct reversal *v,
                   struct reordered_footprint *footprint) {
  struct step step;
  uint32_t choice = v->last.choice == ANY_CHOICE ? 0 : v->last.choice;
  if (run_events(x, v) && explorer_probe(x, v->last.proc, choice, &step)) {
    footprint->list.size = 0;
    footprint->op = step.op;
    for (uint32_t i = 0; i < step.accesses; i++)
      VEC_PUSH(footprint->list, step.access[i]);
    v->last.access = footprint->list.at;
    v->last.accesses = (uint32_t)footprint->list.size;
    v->cause = event_of_run(v, step.cause);
  }
  v->last_order = LAST_BY_FOOTPRINT;
  explorer_undo(x, v->at);
}

static int later_node_first(const void *a, const void *b) {
  const struct race *x = a, *y = b;
  return (x->first < y->first) - (x->first > y->first);
}

void reordered_visit(struct explorer *x, struct reordered_races *races,
                     void (*reverse)(void *, const struct race *),
                     void *context) {
  if (!races->list.size)
    return;
  qsort(races->list.at, races->list.size, sizeof *races->list.at,
        later_node_first);
  size_t at = trace_length(&x->trace);
  for (size_t i = 0; i < races->list.size && !x->diverged; i++) {
    at = races->list.at[i].first;
    explorer_undo(x, at);
    reverse(context, &races->list.at[i]);
  }
  for (; at < trace_length(&x->trace); at++)
    explorer_retake(x, at);
  races->list.size = 0;
}
