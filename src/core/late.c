#include "core/late.h"

#include <stdlib.h>

/* ---- compare-and-swap, trylock --------------------------------------------
 */

enum part { NOTHING, SOMETHING, ALL };

/* How much of what e tests does d write?  No more than something if it takes
 * several of d's accesses. */
static enum part writes_of_tested(const struct trace *t, const struct event *d,
                                  const struct event *e) {
  const struct access *a = event_access(t, d), *tested = event_access(t, e);
  enum part part = NOTHING;
  for (uint32_t i = 0; i < d->accesses; i++) {
    if (!(a[i].mode & ACCESS_WRITE) || !access_conflict(&a[i], tested))
      continue;
    if (a[i].addr <= tested->addr &&
        tested->addr + tested->size <= a[i].addr + a[i].size)
      return ALL;
    part = SOMETHING;
  }
  return part;
}

bool late_must_run(const struct trace *t, uint32_t first, uint32_t second) {
  const struct event *d = &t->events.at[first], *e = &t->events.at[second];
  return (e->flags & STEP_BLOCK) || ((e->flags & STEP_CONDITIONAL) &&
                                     writes_of_tested(t, d, e) == SOMETHING);
}

void late_conditional(struct explorer *x, struct reversal *v, uint32_t first,
                      uint32_t second, struct late_footprint *late) {
  struct trace *t = &x->trace;
  const struct event *e = &t->events.at[second];
  if (writes_of_tested(t, &t->events.at[first], e) == NOTHING)
    return;
  bool writes = x->system->ops->succeeds_before(x->system, second, first);
  late->list.size = 0;
  for (uint32_t i = 0; i < e->accesses; i++)
    VEC_PUSH(late->list, event_access(t, e)[i]);
  late->list.at[0].mode &= ~(uint32_t)(ACCESS_WRITE | ACCESS_SILENT);
  if (writes)
    late->list.at[0].mode |= ACCESS_WRITE;
  v->late.access = late->list.at;
}

/* ---- what is run ----------------------------------------------------------
 */

/* Takes the events of v that come before e'. */
static bool run_events(struct explorer *x, const struct reversal *v) {
  for (uint32_t i = v->at + 1; i < x->trace.events.size && !x->diverged; i++)
    if (reversal_contains(v, i))
      explorer_retake(x, i);
  return !x->diverged;
}

void late_run(struct explorer *x, struct reversal *v,
              struct late_footprint *late) {
  struct system *s = x->system;
  struct step step;
  uint32_t choice = v->late.choice == ANY_CHOICE ? 0 : v->late.choice;
  if (run_events(x, v) && s->ops->enabled(s, v->late.proc) &&
      s->ops->step(s, v->late.proc, choice, &step) != STEP_REFUSED) {
    late->list.size = 0;
    for (uint32_t i = 0; i < step.accesses; i++)
      VEC_PUSH(late->list, step.access[i]);
    v->late.access = late->list.at;
    v->late.accesses = (uint32_t)late->list.size;
  }
  v->late_order = LATE_BY_FOOTPRINT;
  explorer_undo(x, v->at);
}

static int later_node_first(const void *a, const void *b) {
  const struct race *x = a, *y = b;
  return (x->first < y->first) - (x->first > y->first);
}

void late_visit(struct explorer *x, struct late_races *races,
                void (*reverse)(void *, const struct race *), void *context) {
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
