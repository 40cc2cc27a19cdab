#include "core/demand.h"

#include "core/late.h"
#include "util/ensure.h"
#include "util/planted.h"

void demand_init(struct demand *d, const struct trace *order) {
  d->order = order;
}

void demand_free(struct demand *d) {
  course_free(&d->v);
  VEC_FREE(d->observers.list);
}

bool demand_observed(const struct demand *d) {
  return d->observers.list.size;
}

/* ---- observers ------------------------------------------------------------
 */

/* The write in which two events are rivals; NULL: there is none, or they are
 * ordered anyway. */
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

/* Who sees what `second` wrote, where the order of the two rests on that. */
static void find_observers(struct demand *d, uint32_t first, uint32_t second) {
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

/* Does an observer happen before this event, or is it one?  `itself` is not
 * counted. */
static bool after_observer(const struct demand *d, uint32_t position,
                           uint32_t itself) {
  const struct trace *t = d->order;
  for (size_t i = 0; i < d->observers.list.size; i++) {
    uint32_t observer = d->observers.list.at[i];
    if (observer != itself &&
        happens_before(t, &t->events.at[observer], &t->events.at[position]))
      return true;
  }
  return false;
}

/* The latest that no other happens before. */
static uint32_t choose_observer(const struct demand *d) {
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

/* What the observer needs of what comes after e. */
static bool is_mid(const struct demand *d, uint32_t first, uint32_t second,
                   uint32_t i) {
  const struct trace *t = d->order;
  return i != first && i != second &&
         happens_before(t, &t->events.at[first], &t->events.at[i]) &&
         !after_observer(d, i, NOWHERE);
}

/* e again, now after e', and what the observer needs, then the observer. */
static void add_observed(struct demand *d, uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  course_add_event(&d->v, first);
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (is_mid(d, first, second, i))
      course_add_event(&d->v, i);
  course_add_event(&d->v, choose_observer(d));
}

/* ---- v --------------------------------------------------------------------
 */

/* Does an event touch what depends on the state it is taken in?  Most
 * compare-and-swaps that come first alone are not run: settle_conditional(). */
static bool varies(const struct event *e) {
  return e->flags & (STEP_BLOCK | STEP_CONDITIONAL);
}

static bool touches_all(const struct trace *t, const struct event *e,
                        const struct access *a) {
  const struct access *b = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses; i++)
    if (b[i].addr <= a->addr && a->addr + a->size <= b[i].addr + b[i].size)
      return true;
  return false;
}

/* e sees at several places what was written there, and races with e' at one of
 * them, or at a part of the only one. */
static bool sees_more(const struct trace *t, const struct event *e,
                      const struct event *late) {
  return e->choices == 1 && !(e->flags & STEP_BLOCKING) &&
         (e->accesses > 1 || !touches_all(t, late, event_access(t, e)));
}

/* All that comes after neither e nor an observer. */
static void add_independent(struct demand *d, uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (i != second &&
        !happens_before(t, &t->events.at[first], &t->events.at[i]) &&
        !after_observer(d, i, NOWHERE))
      course_add_event(&d->v, i);
}

void demand_of_race(struct demand *d, uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  find_observers(d, first, second);
  course_begin(&d->v, t, first);
  add_independent(d, first, second);
  course_add_event(&d->v, second);
  if (t->events.at[second].choices > 1)
    VEC_TOP(d->v.items).step.choice = ANY_CHOICE;
  d->known = d->v.items.size;
  if (demand_observed(d)) {
    add_observed(d, first, second);
    d->known = d->v.items.size;
    if (varies(&t->events.at[VEC_TOP(d->v.items).position]))
      d->known--;
  } else if (sees_more(t, &t->events.at[first], &t->events.at[second])) {
    d->known--;
    course_add_event(&d->v, first);
  } else if (late_must_run(t, first, second)) {
    d->known--;
  }
}

static void begin_behind(struct demand *d, uint32_t at) {
  course_begin(&d->v, d->order, at);
  course_add_independent(&d->v, at);
}

void demand_of_choice(struct demand *d, uint32_t at, uint32_t choice) {
  begin_behind(d, at);
  course_add_event(&d->v, at);
  VEC_TOP(d->v.items).step.choice = choice;
}

void demand_of_pending(struct demand *d, uint32_t at, uint32_t proc,
                       const struct step *step) {
  begin_behind(d, at);
  course_add(&d->v,
             (struct item){.step = {.proc = proc,
                                    .index = process_length(d->order, proc) + 1,
                                    .accesses = step->accesses,
                                    .access = step->access},
                           .position = NOWHERE,
                           .cause = step->cause});
}
