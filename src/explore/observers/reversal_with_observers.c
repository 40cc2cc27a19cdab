#include "explore/observers/reversal_with_observers.h"

#include "explore/dpor/reordered_footprint.h"
#include "util/ensure.h"
#include "util/planted.h"

void reversal_with_observers_init(struct reversal_with_observers *d,
                                  const struct trace *order) {
  d->order = order;
}

void reversal_with_observers_free(struct reversal_with_observers *d) {
  observed_sequence_free(&d->v);
  VEC_FREE(d->observers.list);
}

bool reversal_with_observers_is_observed(
    const struct reversal_with_observers *d) {
  return d->observers.list.size;
}

/* ---- observers ---------------------------------------------------------- */

/* The write in which two events are rivals; NULL if there is none, or if they
 * are ordered for another reason. */
static const struct access *
rivalry(const struct trace *t, const struct event *c, const struct event *e) {
  const struct access *a = event_access(t, c), *b = event_access(t, e);
  if (footprint_conflict_firm(a, c->accesses, b, e->accesses))
    return NULL;
  for (uint32_t i = 0; i < c->accesses; i++)
    for (uint32_t k = 0; k < e->accesses; k++)
      if (access_rivals(&a[i], &b[k]))
        return &b[k];
  return NULL;
}

/* Finds the events that see the write of `second`, if the two are ordered only
 * because of that. */
static void find_observers(struct reversal_with_observers *d, uint32_t first,
                           uint32_t second) {
  const struct trace *t = d->order;
  const struct access *written =
      rivalry(t, &t->events.at[first], &t->events.at[second]);
  d->observers.list.size = 0;
  if (planted(OBSERVER))
    return;
  for (uint32_t i = second + 1; written && i < t->events.size; i++) {
    const struct event *e = &t->events.at[i];
    const struct access *a = event_access(t, e);
    for (uint32_t k = 0; k < e->accesses; k++) {
      if (!access_conflict(written, &a[k]))
        continue;
      if (access_rivals(written, &a[k]))
        return;
      VEC_PUSH(d->observers.list, i);
      break;
    }
  }
}

/* Does an observer other than `itself` happen before this event, or is the
 * event one? */
static bool after_observer(const struct reversal_with_observers *d,
                           uint32_t position, uint32_t itself) {
  const struct trace *t = d->order;
  for (size_t i = 0; i < d->observers.list.size; i++) {
    uint32_t observer = d->observers.list.at[i];
    if (observer != itself &&
        happens_before(t, &t->events.at[observer], &t->events.at[position]))
      return true;
  }
  return false;
}

/* The latest observer that no other observer happens before. */
static uint32_t choose_observer(const struct reversal_with_observers *d) {
  uint32_t chosen = NOWHERE;
  for (size_t i = 0; i < d->observers.list.size; i++) {
    uint32_t observer = d->observers.list.at[i];
    if (!after_observer(d, observer, observer) &&
        (chosen == NOWHERE || chosen < observer))
      chosen = observer;
  }
  ensure(chosen != NOWHERE);
  return chosen;
}

/* Is this one of the events after e that the observer needs? */
static bool is_mid(const struct reversal_with_observers *d, uint32_t first,
                   uint32_t second, uint32_t i) {
  const struct trace *t = d->order;
  return i != first && i != second &&
         happens_before(t, &t->events.at[first], &t->events.at[i]) &&
         !after_observer(d, i, NOWHERE);
}

/* Adds e, now after e', the events that the observer needs, and the observer.
 */
static void add_observed(struct reversal_with_observers *d, uint32_t first,
                         uint32_t second) {
  const struct trace *t = d->order;
  observed_sequence_add_event(&d->v, first);
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (is_mid(d, first, second, i))
      observed_sequence_add_event(&d->v, i);
  observed_sequence_add_event(&d->v, choose_observer(d));
}

/* ---- v ------------------------------------------------------------------ */

/* Does the footprint of the event depend on the state?  Most compare-and-swaps
 * that are only moved before e are not run: see reorder_conditional(). */
static bool varies(const struct event *e) {
  return e->flags & (STEP_BLOCK | STEP_CONDITIONAL | STEP_LOOK);
}

static bool touches_all(const struct trace *t, const struct event *e,
                        const struct access *a) {
  const struct access *b = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++)
    if (b[i].addr <= a->addr && a->addr + a->size <= b[i].addr + b[i].size)
      return true;
  return false;
}

/* Does e see the writes of several places, while it races with e' at one of
 * them, or at a part of the only one? */
static bool sees_more(const struct trace *t, const struct event *e,
                      const struct event *second) {
  return e->choices == 1 && !(e->flags & STEP_BLOCKING) &&
         (e->accesses > 1 || !touches_all(t, second, event_access(t, e)));
}

/* Adds the events that happen neither after e nor after an observer. */
static void add_independent(struct reversal_with_observers *d, uint32_t first,
                            uint32_t second) {
  const struct trace *t = d->order;
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (i != second &&
        !happens_before(t, &t->events.at[first], &t->events.at[i]) &&
        !after_observer(d, i, NOWHERE))
      observed_sequence_add_event(&d->v, i);
}

void reversal_with_observers_of_race(struct reversal_with_observers *d,
                                     uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  find_observers(d, first, second);
  observed_sequence_begin(&d->v, t, first);
  add_independent(d, first, second);
  observed_sequence_add_event(&d->v, second);
  if (t->events.at[second].choices > 1)
    VEC_TOP(d->v.items).step.choice = ANY_CHOICE;
  d->known = d->v.items.size;
  if (reversal_with_observers_is_observed(d)) {
    add_observed(d, first, second);
    d->known = d->v.items.size;
    if (varies(&t->events.at[VEC_TOP(d->v.items).position]))
      d->known--;
  } else if (sees_more(t, &t->events.at[first], &t->events.at[second])) {
    d->known--;
    observed_sequence_add_event(&d->v, first);
  } else if (reordered_must_run(t, first, second) ||
             (t->events.at[second].flags & STEP_LOOK)) {
    d->known--;
  }
}

static void begin_behind(struct reversal_with_observers *d, uint32_t at) {
  observed_sequence_begin(&d->v, d->order, at);
  observed_sequence_add_independent(&d->v, at);
}

void reversal_with_observers_of_choice(struct reversal_with_observers *d,
                                       uint32_t at, uint32_t choice) {
  begin_behind(d, at);
  observed_sequence_add_event(&d->v, at);
  VEC_TOP(d->v.items).step.choice = choice;
}

void reversal_with_observers_of_pending(struct reversal_with_observers *d,
                                        uint32_t at, uint32_t proc,
                                        const struct step *step) {
  begin_behind(d, at);
  observed_sequence_add(
      &d->v, (struct observed_sequence_item){
                 .step = {.proc = proc,
                          .index = process_length(d->order, proc) + 1,
                          .accesses = step->accesses,
                          .access = step->access},
                 .position = NOWHERE,
                 .cause = step->cause});
}
