#include "core/demand.h"

#include "util/ensure.h"
#include "util/planted.h"

void demand_init(struct demand *d, const struct trace *order,
                 const struct trace *taken, bool by_context) {
  d->order = order;
  d->taken = taken;
  d->by_context = d->v.cautious = by_context;
  d->v.stored = by_context ? taken : NULL;
}

void demand_free(struct demand *d) {
  course_free(&d->v);
  VEC_FREE(d->observers.list);
  VEC_FREE(d->after);
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
    if (observer != itself && happens_weakly_before(t, &t->events.at[observer],
                                                    &t->events.at[position]))
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
         happens_weakly_before(t, &t->events.at[first], &t->events.at[i]) &&
         !after_observer(d, i, NOWHERE) &&
         (d->shape != SHAPE_EARLY ||
          happens_weakly_before(t, &t->events.at[i],
                                &t->events.at[choose_observer(d)]));
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

/* Must the event at i come before the observer, or something that it needs? */
static bool before_observed(const struct demand *d, uint32_t first,
                            uint32_t second, uint32_t i) {
  const struct trace *t = d->order;
  uint32_t observer = choose_observer(d);
  for (uint32_t k = i + 1; k < t->events.size; k++)
    if ((k == observer || is_mid(d, first, second, k)) &&
        happens_weakly_before(t, &t->events.at[i], &t->events.at[k]))
      return true;
  return false;
}

/* ---- v in its shapes
 * ----------------------------------------------------------------
 */

/* Does an event touch what depends on the state it is taken in?  A
 * compare-and-swap that comes first alone is not run: settle_conditional(). */
static bool varies(const struct event *e) {
  return e->flags & (STEP_BLOCK | STEP_CONDITIONAL);
}

/* e sees at several places what was written there, and races at one. */
static bool sees_more(const struct event *e) {
  return e->accesses > 1 && e->choices == 1 && !(e->flags & STEP_BLOCKING);
}

/* Does e look at what e' writes? */
static bool sees(const struct trace *t, uint32_t first, uint32_t second) {
  const struct event *e = &t->events.at[first], *late = &t->events.at[second];
  if (e->choices != 1 || (e->flags & (STEP_BLOCKING | STEP_AWAIT)))
    return false;
  for (uint32_t i = 0; i < late->accesses; i++)
    for (uint32_t k = 0; k < e->accesses; k++) {
      const struct access *a = &event_access(t, late)[i];
      const struct access *b = &event_access(t, e)[k];
      if ((a->mode & ACCESS_WRITE) && !(b->mode & ACCESS_BLIND) &&
          access_conflict(a, b))
        return true;
    }
  return false;
}

/* The events after e that do not happen after it. */
enum part {
  PART_ALL,
  PART_NEEDED, /* those that e' needs */
  PART_MIDDLE, /* of the others, those that must come before the observer */
  PART_REST,
};

static enum part part_of(const struct demand *d, uint32_t first,
                         uint32_t second, uint32_t i) {
  const struct trace *t = d->order;
  if (happens_weakly_before(t, &t->events.at[i], &t->events.at[second]))
    return PART_NEEDED;
  return demand_observed(d) && before_observed(d, first, second, i)
             ? PART_MIDDLE
             : PART_REST;
}

static void add_independent(struct demand *d, uint32_t first, uint32_t second,
                            enum part part) {
  const struct trace *t = d->order;
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (i != second &&
        !happens_weakly_before(t, &t->events.at[first], &t->events.at[i]) &&
        !after_observer(d, i, NOWHERE) &&
        (part == PART_ALL || part == part_of(d, first, second, i)))
      course_add_event(&d->v, i);
}

bool demand_has_two_orders(const struct demand *d, uint32_t first,
                           uint32_t second) {
  const struct trace *t = d->order;
  const struct event *e = &t->events.at[first], *late = &t->events.at[second];
  if (!d->by_context || (late->flags & STEP_BLOCKING))
    return false;
  for (uint32_t i = first + 1; i < t->events.size; i++) {
    const struct event *k = &t->events.at[i];
    if (i != second && !happens_weakly_before(t, e, k) &&
        !happens_weakly_before(t, k, late) &&
        footprint_conflict(event_access(t, k), k->accesses,
                           event_access(t, late), late->accesses))
      return true;
  }
  return false;
}

static bool is_soft(const struct trace *t, uint32_t first, uint32_t second) {
  size_t end = second + 1 < t->events.size ? t->events.at[second + 1].first_race
                                           : t->races.size;
  for (size_t i = t->events.at[second].first_race; i < end; i++)
    if (t->races.at[i].kind == RACE_SOFT && t->races.at[i].first == first)
      return true;
  return false;
}

static bool same_store(const struct demand *d, uint32_t k, uint32_t i) {
  const struct trace *t = d->taken;
  const struct event *a = &t->events.at[k], *b = &t->events.at[i];
  return a->accesses == 1 && b->accesses == 1 &&
         access_rivals(event_access(t, a), event_access(t, b)) &&
         event_stores(t, a) && event_stores(t, b) && a->value == b->value;
}

/* Does the event at i depend on the one at k, which touches the same bytes, if
 * e's rivals do not depend on e? */
static bool depends(const struct demand *d, uint32_t first, uint32_t k,
                    uint32_t i) {
  const struct trace *t = d->order;
  const struct event *a = &t->events.at[k], *b = &t->events.at[i];
  const struct access *p = event_access(t, a), *q = event_access(t, b);
  if (is_soft(t, k, i))
    return false;
  return footprint_conflict_firm(p, a->accesses, q, b->accesses) ||
         (k != first && !t->unseen[i] &&
          d->taken->events.at[k].value != d->taken->events.at[i].value);
}

static bool is_after(const struct demand *d, uint32_t first, uint32_t k) {
  return k >= first && d->after.at[k];
}

/* Does somebody before i that is after e touch what this access touches? */
static bool touches_after(const struct demand *d, uint32_t first, uint32_t i,
                          const struct access *a) {
  const struct trace *t = d->order;
  uint64_t last = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= last; g++)
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      if (touch->event < first)
        break; /* T3 */
      if (touch->event < i && d->after.at[touch->event] &&
          (touch->mask & access_mask(a, g)) &&
          ((touch->mode | a->mode) & ACCESS_WRITE) &&
          depends(d, first, touch->event, i))
        return true;
    }
  return false;
}

static bool comes_after(const struct demand *d, uint32_t first, uint32_t i) {
  const struct trace *t = d->order;
  const struct event *e = &t->events.at[i];
  if ((e->previous && is_after(d, first, e->previous - 1)) ||
      (e->cause && is_after(d, first, e->cause - 1)))
    return true;
  for (uint32_t k = 0; k < e->accesses; k++)
    if (touches_after(d, first, i, &event_access(t, e)[k]))
      return true;
  return false;
}

static void begin_after(struct demand *d, uint32_t first) {
  size_t events = d->order->events.size;
  d->after.size = 0;
  VEC_RESERVE(d->after, events);
  d->after.size = events;
  d->after.at[first] = true;
}

static void find_after(struct demand *d, uint32_t first) {
  const struct trace *t = d->order;
  begin_after(d, first);
  for (uint32_t i = first + 1; i < t->events.size; i++)
    d->after.at[i] =
        happens_weakly_before(t, &t->events.at[first], &t->events.at[i]) &&
        comes_after(d, first, i);
}

/* What the items touch is known up to the first that varies. */
static void find_known(struct demand *d, size_t from) {
  const struct trace *t = d->order;
  for (d->known = from; d->known < d->v.items.size; d->known++)
    if (varies(&t->events.at[d->v.items.at[d->known].position]))
      return;
}

/* All that need not come after e, then e and somebody who sees it. */
static void course_of_last(struct demand *d, uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  find_observers(d, first, second);
  find_after(d, first);
  course_begin(&d->v, t, first);
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (!d->after.at[i])
      course_add_event(&d->v, i);
  course_add_event(&d->v, first);
  uint32_t observer = choose_observer(d);
  for (uint32_t i = first + 1; i <= observer; i++)
    if (d->after.at[i] && d->after.at[observer] &&
        happens_weakly_before(t, &t->events.at[i], &t->events.at[observer]))
      course_add_event(&d->v, i);
  find_known(d, 0);
}

/* Must the event at i, in the order in which they were taken, come after the
 * one at k? */
static bool comes_behind(const struct demand *d, uint32_t k, uint32_t i) {
  const struct trace *t = d->order;
  const struct event *a = &t->events.at[k], *b = &t->events.at[i];
  if (a->proc == b->proc || b->cause == k + 1)
    return true;
  return footprint_conflict(event_access(t, a), a->accesses, event_access(t, b),
                            b->accesses) &&
         !is_soft(t, k, i) && !same_store(d, k, i);
}

static void find_behind(struct demand *d, uint32_t first) {
  const struct trace *t = d->order;
  begin_after(d, first);
  for (uint32_t i = first + 1; i < t->events.size; i++) {
    d->after.at[i] = false;
    for (uint32_t k = first; k < i && !d->after.at[i]; k++)
      d->after.at[i] = d->after.at[k] && comes_behind(d, k, i);
  }
}

/* What e' needs and what is not behind e as they were taken, e', e. */
static void course_of_taken(struct demand *d, uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  find_observers(d, first, second);
  find_behind(d, first);
  course_begin(&d->v, t, first);
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (i != second &&
        (!d->after.at[i] ||
         happens_weakly_before(t, &t->events.at[i], &t->events.at[second])))
      course_add_event(&d->v, i);
  course_add_event(&d->v, second);
  course_add_event(&d->v, first);
  find_known(d, 0);
}

/* e' first, then what comes after it in v. */
static void course_of_early(struct demand *d, uint32_t first, uint32_t second) {
  find_observers(d, first, second);
  course_begin(&d->v, d->order, first);
  add_independent(d, first, second, PART_NEEDED);
  size_t needed = d->v.items.size;
  course_add_event(&d->v, second);
  add_independent(d, first, second, PART_MIDDLE);
  if (demand_observed(d))
    add_observed(d, first, second);
  add_independent(d, first, second, PART_REST);
  find_known(d, needed);
}

static void course_of_late(struct demand *d, uint32_t first, uint32_t second) {
  const struct trace *t = d->order;
  find_observers(d, first, second);
  course_begin(&d->v, t, first);
  add_independent(d, first, second, PART_ALL);
  course_add_event(&d->v, second);
  if (t->events.at[second].choices > 1)
    VEC_TOP(d->v.items).step.choice = ANY_CHOICE;
  d->known = d->v.items.size;
  if (demand_observed(d)) {
    add_observed(d, first, second);
    d->known = d->v.items.size;
    if (varies(&t->events.at[VEC_TOP(d->v.items).position]))
      d->known--;
  } else if (sees_more(&t->events.at[first])) {
    d->known--;
    course_add_event(&d->v, first);
  } else if (d->by_context && sees(t, first, second)) {
    course_add_event(&d->v, first);
    if (varies(&t->events.at[first]))
      d->known--;
    else
      d->known++;
  } else if (t->events.at[second].flags & STEP_BLOCK) {
    d->known--;
  }
}

void demand_of_race(struct demand *d, uint32_t first, uint32_t second,
                    enum shape shape) {
  d->shape = shape;
  if (shape == SHAPE_LATE)
    course_of_late(d, first, second);
  else if (shape == SHAPE_EARLY)
    course_of_early(d, first, second);
  else if (shape == SHAPE_TAKEN)
    course_of_taken(d, first, second);
  else
    course_of_last(d, first, second);
}

void demand_of_postponing(struct demand *d, uint32_t at) {
  course_begin(&d->v, d->order, at);
  course_add_independent(&d->v, at);
}

void demand_of_choice(struct demand *d, uint32_t at, uint32_t choice) {
  demand_of_postponing(d, at);
  course_add_event(&d->v, at);
  VEC_TOP(d->v.items).step.choice = choice;
}

void demand_of_pending(struct demand *d, uint32_t at, uint32_t proc,
                       const struct step *step) {
  demand_of_postponing(d, at);
  course_add(&d->v,
             (struct item){.step = {.proc = proc,
                                    .index = process_length(d->order, proc) + 1,
                                    .accesses = step->accesses,
                                    .access = step->access},
                           .position = NOWHERE,
                           .cause = step->cause});
}
