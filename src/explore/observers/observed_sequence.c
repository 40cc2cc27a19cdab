#include "explore/observers/observed_sequence.h"

#include "util/ensure.h"

/* ---- building ----------------------------------------------------------- */

void observed_sequence_begin(struct observed_sequence *v, const struct trace *t,
                             uint32_t at) {
  for (size_t i = 0; i < v->items.size; i++)
    v->processes.at[v->items.at[i].step.proc].first = 0;
  v->trace = t;
  v->at = at;
  v->items.size = 0;
}

void observed_sequence_add(struct observed_sequence *v,
                           struct observed_sequence_item item) {
  uint32_t p = item.step.proc, number = (uint32_t)v->items.size + 1;
  while (v->processes.size <= p) {
    VEC_RESERVE(v->processes, 1);
    v->processes.at[v->processes.size++].first = 0;
  }
  if (v->processes.at[p].first)
    v->items.at[v->processes.at[p].last - 1].next = number;
  else
    v->processes.at[p].first = number;
  v->processes.at[p].last = number;
  VEC_PUSH(v->items, item);
}

void observed_sequence_cut(struct observed_sequence *v, size_t count) {
  size_t size = v->items.size;
  for (size_t i = 0; i < size; i++)
    v->processes.at[v->items.at[i].step.proc].first = 0;
  v->items.size = 0;
  for (size_t i = 0; i < count; i++) {
    v->items.at[i].next = 0;
    observed_sequence_add(v, v->items.at[i]);
  }
}

static struct observed_sequence_item item_of(const struct trace *t,
                                             uint32_t position) {
  const struct event *e = &t->events.at[position];
  return (struct observed_sequence_item){.step = {.proc = e->proc,
                                                  .index = e->index,
                                                  .choice = e->choice,
                                                  .accesses = e->accesses,
                                                  .access = event_access(t, e)},
                                         .position = position,
                                         .cause = e->cause};
}

void observed_sequence_add_event(struct observed_sequence *v,
                                 uint32_t position) {
  observed_sequence_add(v, item_of(v->trace, position));
}

void observed_sequence_add_independent(struct observed_sequence *v,
                                       uint32_t first) {
  const struct trace *t = v->trace;
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (!happens_before(t, &t->events.at[first], &t->events.at[i]))
      observed_sequence_add_event(v, i);
}

void observed_sequence_free(struct observed_sequence *v) {
  VEC_FREE(v->items);
  VEC_FREE(v->processes);
}

/* ---- places: the events up to `at`, then the items ---------------------- */

static uint32_t places(const struct observed_sequence *v) {
  return v->at + (uint32_t)v->items.size;
}

/* The item at place k.  For an event it is written to *room. */
static const struct observed_sequence_item *
place(const struct observed_sequence *v, uint32_t k,
      struct observed_sequence_item *room) {
  if (k >= v->at)
    return &v->items.at[k - v->at];
  *room = item_of(v->trace, k);
  return room;
}

/* ---- order -------------------------------------------------------------- */

/* Is the blind write of place k seen: does another place touch its bytes before
 * a rival does? */
static bool seen(const struct observed_sequence *v, uint32_t k,
                 const struct access *a) {
  for (uint32_t j = k + 1; j < places(v); j++) {
    struct observed_sequence_item room;
    const struct observed_sequence_item *x = place(v, j, &room);
    for (uint32_t i = 0; i < x->step.accesses && !x->taken; i++)
      if (access_conflict(&x->step.access[i], a))
        return !access_rivals(&x->step.access[i], a);
  }
  return false;
}

/* Must y come before x, which is at place k, because of their footprints?  If
 * not, and only because x is unseen, *rivals becomes true. */
static bool ordered(const struct observed_sequence *v,
                    const struct observed_sequence_item *y,
                    const struct observed_sequence_item *x, uint32_t k,
                    bool *rivals) {
  for (uint32_t i = 0; i < y->step.accesses; i++)
    for (uint32_t j = 0; j < x->step.accesses; j++) {
      const struct access *a = &y->step.access[i], *b = &x->step.access[j];
      if (!access_conflict(a, b))
        continue;
      if (!access_rivals(a, b) || seen(v, k, b))
        return true;
      *rivals = true;
    }
  return false;
}

/* Must a place from `from` on come before place k?  Place k is the first one
 * there of its process. */
static bool waits(const struct observed_sequence *v, uint32_t from, uint32_t k,
                  bool *rivals) {
  struct observed_sequence_item room_x, room_y;
  const struct observed_sequence_item *x = place(v, k, &room_x);
  for (uint32_t j = from; j < k; j++) {
    const struct observed_sequence_item *y = place(v, j, &room_y);
    bool made_possible = x->cause && x->cause == y->position + 1;
    if (!y->taken && (made_possible || ordered(v, y, x, k, rivals)))
      return true;
  }
  return false;
}

bool observed_sequence_waits(const struct observed_sequence *v, uint32_t from,
                             uint32_t position) {
  bool rivals = false;
  return waits(v, from, position, &rivals);
}

/* ---- weak initials ------------------------------------------------------ */

/* The place of the option, or NOWHERE. */
static uint32_t find(const struct observed_sequence *v,
                     const struct option *o) {
  const struct trace *t = v->trace;
  if (o->index <= process_length(t, o->proc) &&
      process_event(t, o->proc, o->index) < v->at)
    return process_event(t, o->proc, o->index);
  uint32_t first =
      o->proc < v->processes.size ? v->processes.at[o->proc].first : 0;
  if (first && v->items.at[first - 1].step.index == o->index)
    return v->at + first - 1;
  return NOWHERE;
}

static bool meets_some(const struct observed_sequence *v,
                       const struct option *o, uint32_t from) {
  for (uint32_t k = from; k < places(v); k++) {
    struct observed_sequence_item room;
    const struct observed_sequence_item *x = place(v, k, &room);
    if (!x->taken && footprint_conflict_firm(o->access, o->accesses,
                                             x->step.access, x->step.accesses))
      return true;
  }
  return false;
}

/* A step that is not in the sequence and comes before it is ordered only with
 * steps that read what it writes, or write what it reads.  If a write to the
 * same bytes is seen, the event that sees it is ordered with the step, too. */
enum match observed_sequence_match(const struct observed_sequence *v,
                                   const struct option *o, uint32_t from,
                                   uint32_t *rests_on) {
  uint32_t k = find(v, o);
  bool rivals = false;
  if (k == NOWHERE) {
    if (meets_some(v, o, from))
      return MATCH_NOT;
    *rests_on = NOWHERE;
    return MATCH_INDEPENDENT;
  }
  struct observed_sequence_item room;
  const struct observed_sequence_item *x = place(v, k, &room);
  if (!choices_agree(o->choice, x->step.choice) || waits(v, from, k, &rivals))
    return MATCH_NOT;
  /* The places before x came before it in the trace, too, or do not touch its
   * bytes. */
  if (rivals || x->position == NOWHERE)
    *rests_on = NOWHERE;
  else if (*rests_on <= x->position)
    *rests_on = x->position + 1;
  return MATCH_FIRST;
}

void observed_sequence_take(struct observed_sequence *v,
                            const struct option *o) {
  uint32_t k = find(v, o);
  ensure(k != NOWHERE && k >= v->at);
  v->items.at[k - v->at].taken = true;
  v->processes.at[o->proc].first = v->items.at[k - v->at].next;
}
