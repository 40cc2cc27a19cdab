#include "core/course.h"

#include "util/ensure.h"

/* ---- building -------------------------------------------------------------
 */

void course_begin(struct course *v, const struct trace *t, uint32_t at) {
  for (size_t i = 0; i < v->items.size; i++)
    v->processes.at[v->items.at[i].step.proc].first = 0;
  v->trace = t;
  v->at = at;
  v->items.size = 0;
}

void course_add(struct course *v, struct item item) {
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

void course_cut(struct course *v, size_t count) {
  size_t size = v->items.size;
  for (size_t i = 0; i < size; i++)
    v->processes.at[v->items.at[i].step.proc].first = 0;
  v->items.size = 0;
  for (size_t i = 0; i < count; i++) {
    v->items.at[i].next = 0;
    course_add(v, v->items.at[i]);
  }
}

static struct item item_of(const struct trace *t, uint32_t position) {
  const struct event *e = &t->events.at[position];
  return (struct item){.step = {.proc = e->proc,
                                .index = e->index,
                                .choice = e->choice,
                                .accesses = e->accesses,
                                .access = event_access(t, e)},
                       .position = position,
                       .cause = e->cause};
}

void course_add_event(struct course *v, uint32_t position) {
  course_add(v, item_of(v->trace, position));
}

void course_add_independent(struct course *v, uint32_t first) {
  const struct trace *t = v->trace;
  for (uint32_t i = first + 1; i < t->events.size; i++)
    if (!happens_before(t, &t->events.at[first], &t->events.at[i]))
      course_add_event(v, i);
}

void course_free(struct course *v) {
  VEC_FREE(v->items);
  VEC_FREE(v->processes);
}

/* ---- places: the events up to `at`, then the items ------------------------
 */

static uint32_t places(const struct course *v) {
  return v->at + (uint32_t)v->items.size;
}

/* An event is described in *room. */
static const struct item *place(const struct course *v, uint32_t k,
                                struct item *room) {
  if (k >= v->at)
    return &v->items.at[k - v->at];
  *room = item_of(v->trace, k);
  return room;
}

/* ---- order ----------------------------------------------------------------
 */

/* Is what the place k writes blindly seen: does somebody touch it before a
 * rival does? */
static bool seen(const struct course *v, uint32_t k, const struct access *a) {
  for (uint32_t j = k + 1; j < places(v); j++) {
    struct item room;
    const struct item *x = place(v, j, &room);
    for (uint32_t i = 0; i < x->step.accesses && !x->taken; i++)
      if (access_conflict(&x->step.access[i], a))
        return !access_rivals(&x->step.access[i], a);
  }
  return false;
}

/* Must y come before x, which is at place k, because of what they touch?
 * *rivals: if not, then because nobody sees x. */
static bool ordered(const struct course *v, const struct item *y,
                    const struct item *x, uint32_t k, bool *rivals) {
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

/* Must something from place `from` on come before what is at place k?  That is
 * the first there of its process. */
static bool waits(const struct course *v, uint32_t from, uint32_t k,
                  bool *rivals) {
  struct item room_x, room_y;
  const struct item *x = place(v, k, &room_x);
  for (uint32_t j = from; j < k; j++) {
    const struct item *y = place(v, j, &room_y);
    bool made_possible = x->cause && x->cause == y->position + 1;
    if (!y->taken && (made_possible || ordered(v, y, x, k, rivals)))
      return true;
  }
  return false;
}

bool course_waits(const struct course *v, uint32_t from, uint32_t position) {
  bool rivals = false;
  return waits(v, from, position, &rivals);
}

/* ---- weak initials --------------------------------------------------------
 */

/* The place of the option, or NOWHERE. */
static uint32_t find(const struct course *v, const struct option *o) {
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

static bool meets_some(const struct course *v, const struct option *o,
                       uint32_t from) {
  for (uint32_t k = from; k < places(v); k++) {
    struct item room;
    const struct item *x = place(v, k, &room);
    if (!x->taken && footprint_conflict_firm(o->access, o->accesses,
                                             x->step.access, x->step.accesses))
      return true;
  }
  return false;
}

static bool choices_agree(uint32_t a, uint32_t b) {
  return a == b || a == ANY_CHOICE || b == ANY_CHOICE;
}

/* A step that is not in the sequence and comes before it is ordered only with
 * what reads what it writes or writes what it reads: if a write to the same
 * byte is seen, then by one who is ordered with the step, too. */
enum match course_match(const struct course *v, const struct option *o,
                        uint32_t from, uint32_t *rests_on) {
  uint32_t k = find(v, o);
  bool rivals = false;
  if (k == NOWHERE) {
    if (meets_some(v, o, from))
      return MATCH_NOT;
    *rests_on = NOWHERE;
    return MATCH_INDEPENDENT;
  }
  struct item room;
  const struct item *x = place(v, k, &room);
  if (!choices_agree(o->choice, x->step.choice) || waits(v, from, k, &rivals))
    return MATCH_NOT;
  /* What comes before x here came before it in the trace, too, or does not
   * touch what it touches. */
  if (rivals || x->position == NOWHERE)
    *rests_on = NOWHERE;
  else if (*rests_on <= x->position)
    *rests_on = x->position + 1;
  return MATCH_FIRST;
}

void course_take(struct course *v, const struct option *o) {
  uint32_t k = find(v, o);
  ensure(k != NOWHERE && k >= v->at);
  v->items.at[k - v->at].taken = true;
  v->processes.at[o->proc].first = v->items.at[k - v->at].next;
}
