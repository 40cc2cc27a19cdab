#include "explore/dpor/reversal.h"

#include "util/ensure.h"

/* ---- building ----------------------------------------------------------- */

static void begin(struct reversal *v, const struct trace *t, uint32_t at) {
  v->trace = t;
  v->at = at;
  v->last_taken = v->before_known = v->needs_known = false;
  v->last_position = NOWHERE;
  v->last_order = LAST_BY_FOOTPRINT;
  v->previous = v->cause = NULL;
  while (v->touched.size)
    v->taken.at[VEC_POP(v->touched)] = 0;
  while (v->taken.size < t->processes.size)
    VEC_PUSH(v->taken, 0);
}

static const struct event *event_or_null(const struct trace *t,
                                         uint32_t one_more) {
  return one_more ? &t->events.at[one_more - 1] : NULL;
}

void reversal_of_race(struct reversal *v, const struct trace *t, uint32_t first,
                      uint32_t second) {
  begin(v, t, first);
  const struct event *e = &t->events.at[second];
  v->last = (struct option){.proc = e->proc,
                            .index = e->index,
                            .choice = e->choices > 1 ? ANY_CHOICE : e->choice,
                            .accesses = e->accesses,
                            .access = event_access(t, e)};
  v->last_position = second;
  v->last_order = e->flags & (STEP_BLOCKING | STEP_LOOK) ? LAST_BY_FOOTPRINT
                                                         : LAST_BY_CLOCK;
  v->previous = event_or_null(t, e->previous);
  v->cause = event_or_null(t, e->cause);
}

void reversal_of_pending(struct reversal *v, const struct trace *t,
                         uint32_t first, uint32_t proc,
                         const struct step *step) {
  begin(v, t, first);
  uint32_t length = process_length(t, proc);
  v->last = (struct option){.proc = proc,
                            .index = length + 1,
                            .choice = 0,
                            .accesses = step->accesses,
                            .access = step->access};
  v->previous = length ? &t->events.at[process_event(t, proc, length)] : NULL;
  v->cause = event_or_null(t, step->cause);
}

void reversal_of_choice(struct reversal *v, const struct trace *t, uint32_t at,
                        uint32_t choice) {
  begin(v, t, at);
  const struct event *e = &t->events.at[at];
  v->last = (struct option){.proc = e->proc,
                            .index = e->index,
                            .choice = choice,
                            .accesses = e->accesses,
                            .access = event_access(t, e)};
}

void reversal_of_unknown(struct reversal *v, const struct trace *t,
                         uint32_t first) {
  begin(v, t, first);
  v->last = (struct option){.proc = NOWHERE};
  v->last_taken = true;
}

/* ---- what is in it ------------------------------------------------------ */

static inline bool contains(const struct reversal *v, uint32_t position) {
  const struct event *e = &v->trace->events.at[v->at];
  const struct event *x = &v->trace->events.at[position];
  return position > v->at && x->index > v->taken.at[x->proc] &&
         events_before(v->trace, x, e->proc) < e->index;
}

bool reversal_contains(const struct reversal *v, uint32_t position) {
  return contains(v, position);
}

/* All that happens before y, and y, must come before e'. */
static void need(struct reversal *v, const struct event *y) {
  const uint32_t *clock = &v->trace->clocks.words.at[y->clock];
  for (uint32_t p = 0; p < clock[0]; p++)
    if (v->needs.at[p] < clock[1 + p])
      v->needs.at[p] = clock[1 + p];
  if (v->needs.at[y->proc] < y->index)
    v->needs.at[y->proc] = y->index;
}

/* Needs the events of v that conflict with this access of e'. */
static void need_conflicts(struct reversal *v, const struct access *a) {
  const struct trace *t = v->trace;
  uint64_t end = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= end; g++)
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      const struct event *y = &t->events.at[touch->event];
      const struct access *b = &t->accesses.at[touch->access];
      if (touch->event <= v->at)
        break; /* T3 */
      if (y->index > v->needs.at[y->proc] && touch->event != v->last_position &&
          !(b->mode & ACCESS_LINK) && access_conflict(b, a) &&
          contains(v, touch->event))
        need(v, y);
    }
}

static void find_needs(struct reversal *v) {
  VEC_CLEARED(v->needs, v->trace->processes.size);
  v->needs_known = true;
  if (v->last_order == LAST_BY_CLOCK) {
    need(v, &v->trace->events.at[v->last_position]);
    return;
  }
  if (v->previous)
    need(v, v->previous);
  if (v->cause)
    need(v, v->cause);
  for (uint32_t i = 0; i < v->last.accesses; i++)
    need_conflicts(v, &v->last.access[i]);
}

bool reversal_needs(struct reversal *v, uint32_t position) {
  const struct event *x = &v->trace->events.at[position];
  if (!v->needs_known)
    find_needs(v);
  return x->index <= v->needs.at[x->proc];
}

/* How many events of process p must come before e', at least. */
static uint32_t last_needs(const struct reversal *v, uint32_t p) {
  const struct trace *t = v->trace;
  if (v->last_order == LAST_BY_CLOCK)
    return events_before(t, &t->events.at[v->last_position], p);
  uint32_t needs = v->previous ? events_before(t, v->previous, p) : 0;
  uint32_t more = v->cause ? events_before(t, v->cause, p) : 0;
  return needs > more ? needs : more;
}

uint32_t reversal_first_index(const struct reversal *v, uint32_t p) {
  return trace_count_before(v->trace, p, v->at) + 1;
}

/* Is one of the first `count` events of process p still in v?  The events of p
 * in v are consecutive: the first ones after E', without those taken. */
static bool some_left(const struct reversal *v, uint32_t p, uint32_t count) {
  if (count <= v->taken.at[p] || process_event(v->trace, p, count) < v->at)
    return false;
  uint32_t next =
      v->taken.at[p] ? v->taken.at[p] + 1 : reversal_first_index(v, p);
  return contains(v, process_event(v->trace, p, next));
}

/* Must an event that is still in v come before x, which is in v?  An event
 * before x does not happen after e, so it is in v unless it was taken. */
static bool event_waits(const struct reversal *v, const struct event *x) {
  const uint32_t *clock = &v->trace->clocks.words.at[x->clock];
  for (uint32_t p = 0; p < clock[0]; p++)
    if (p != x->proc && clock[1 + p] > v->taken.at[p] &&
        process_event(v->trace, p, clock[1 + p]) > v->at)
      return true;
  return false;
}

/* Does an event of v conflict with this access?  Only the events after e that
 * touched the same granules are looked at. */
static bool access_meets(const struct reversal *v, const struct access *a) {
  const struct trace *t = v->trace;
  uint64_t last = access_last_granule(a);
  for (uint64_t g = access_first_granule(a); g <= last; g++) {
    uint8_t bytes = access_mask(a, g);
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      if (touch->event <= v->at)
        break; /* T3 */
      if ((touch->mask & bytes) &&
          ((touch->mode | a->mode) & ACCESS_WRITE) && /* as a rule, it is not */
          access_conflict(&t->accesses.at[touch->access], a) &&
          contains(v, touch->event))
        return true;
    }
  }
  return false;
}

/* Is an event that happens before x, in another process than e', still in v? */
static bool some_left_before(const struct reversal *v, const struct event *x) {
  const uint32_t *clock = &v->trace->clocks.words.at[x->clock];
  for (uint32_t p = 0; p < clock[0]; p++)
    if (clock[1 + p] && p != v->last.proc && p != x->proc &&
        some_left(v, p, clock[1 + p]))
      return true;
  return x->proc != v->last.proc && some_left(v, x->proc, x->index);
}

static bool not_after(const struct reversal *v, const struct event *x) {
  const struct event *e = &v->trace->events.at[v->at];
  return events_before(v->trace, x, e->proc) < e->index;
}

/* An event of v that happens before e' in the trace has all those of its
 * process in v before it.  So of each process the first one says whether there
 * is any. */
static void find_before(struct reversal *v) {
  const struct trace *t = v->trace;
  const uint32_t *clock =
      &t->clocks.words.at[t->events.at[v->last_position].clock];
  v->before.size = 0;
  for (uint32_t p = 0; p < clock[0]; p++) {
    uint32_t count = clock[1 + p];
    if (!count || p == v->last.proc || process_event(t, p, count) <= v->at)
      continue;
    bool only = count == 1 || process_event(t, p, count - 1) <= v->at;
    uint32_t first = only ? count : reversal_first_index(v, p);
    if (not_after(v, &t->events.at[process_event(t, p, first)]))
      VEC_PUSH(v->before, (struct reversal_before){p, count});
  }
  v->before_known = true;
}

/* Is an event that happens before e' in the trace still in v? */
static bool some_before_left(struct reversal *v) {
  const struct trace *t = v->trace;
  if (!v->before_known)
    find_before(v);
  for (size_t i = 0; i < v->before.size; i++) {
    const struct reversal_before *b = &v->before.at[i];
    uint32_t taken = v->taken.at[b->proc];
    if (b->count > taken &&
        (!taken ||
         not_after(v, &t->events.at[process_event(t, b->proc, taken + 1)])))
      return true;
  }
  return false;
}

/* Must an event that is still in v come before e'? */
static bool last_waits(struct reversal *v) {
  if (v->last_order == LAST_BY_CLOCK)
    return some_before_left(v);
  for (uint32_t i = 0; i < v->last.accesses; i++)
    if (access_meets(v, &v->last.access[i]))
      return true;
  return (v->previous && some_left_before(v, v->previous)) ||
         (v->cause && some_left_before(v, v->cause));
}

static bool option_meets(const struct reversal *v, const struct option *o) {
  if (!v->last_taken && footprint_conflict(o->access, o->accesses,
                                           v->last.access, v->last.accesses))
    return true;
  for (uint32_t i = 0; i < o->accesses; i++)
    if (access_meets(v, &o->access[i]))
      return true;
  return false;
}

static void raise(uint32_t *to, uint32_t value) {
  if (*to < value)
    *to = value;
}

enum match reversal_match(struct reversal *v, const struct option *o,
                          uint32_t *depends_on) {
  const struct trace *t = v->trace;
  if (!v->last_taken && o->proc == v->last.proc && o->index == v->last.index) {
    if (!choices_agree(o->choice, v->last.choice) || last_waits(v))
      return MATCH_NOT;
    return MATCH_FIRST;
  }
  if (o->index <= process_length(t, o->proc)) {
    uint32_t position = process_event(t, o->proc, o->index);
    if (contains(v, position)) {
      const struct event *x = &t->events.at[position];
      if (!choices_agree(o->choice, x->choice) || event_waits(v, x))
        return MATCH_NOT;
      raise(depends_on, position + 1);
      return MATCH_FIRST;
    }
  }
  if (v->members_only || option_meets(v, o))
    return MATCH_NOT;
  *depends_on = NOWHERE; /* depends on the whole trace */
  return MATCH_INDEPENDENT;
}

bool reversal_is_initial(struct reversal *v, uint32_t p) {
  uint32_t index = reversal_first_index(v, p);
  bool in_v = (p == v->last.proc && index == v->last.index) ||
              (index <= process_length(v->trace, p) &&
               contains(v, process_event(v->trace, p, index)));
  struct option o = {p, index, ANY_CHOICE, 0, NULL};
  uint32_t ignored = 0;
  return in_v && reversal_match(v, &o, &ignored) == MATCH_FIRST;
}

void reversal_take(struct reversal *v, const struct option *o) {
  v->needs_known = false;
  if (!v->last_taken && o->proc == v->last.proc && o->index == v->last.index) {
    v->last_taken = true;
    return;
  }
  if (!v->taken.at[o->proc])
    VEC_PUSH(v->touched, o->proc);
  v->taken.at[o->proc] = o->index;
}

struct option reversal_beginning(struct reversal *v) {
  const struct trace *t = v->trace;
  uint32_t first = NOWHERE;
  if (reversal_is_initial(v, v->last.proc) &&
      reversal_first_index(v, v->last.proc) == v->last.index)
    return v->last;
  for (uint32_t i = v->at + 1; i < t->events.size; i++) {
    if (!contains(v, i))
      continue;
    const struct event *e = &t->events.at[i];
    if (e->index <= last_needs(v, e->proc))
      return event_option(t, e);
    if (first == NOWHERE)
      first = i;
  }
  ensure(first != NOWHERE); /* e' waits for an event of v */
  return event_option(t, &t->events.at[first]);
}

void reversal_free(struct reversal *v) {
  VEC_FREE(v->taken);
  VEC_FREE(v->touched);
  VEC_FREE(v->before);
}
