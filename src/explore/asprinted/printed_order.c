#include "explore/asprinted/printed_order.h"

#include <stdlib.h>

#include "explore/asprinted/printed_sequence.h"

/* ---- touches ------------------------------------------------------------ */

static bool touch_reads(const struct trace *t, const struct touch *touch) {
  return access_reads(t->events.at[touch->event].op, touch->mode);
}

/* Where the touches of the event end. */
static uint32_t touches_end(const struct trace *t, uint32_t position) {
  return position + 1 < t->events.size ? t->events.at[position + 1].first_touch
                                       : (uint32_t)t->touches.size;
}

static void link_touches(struct printed_order *o) {
  const struct trace *t = o->trace;
  o->newer.size = o->newest.size = 0;
  VEC_RESERVE(o->newer, t->touches.size);
  VEC_RESERVE(o->newest, t->cells.size);
  o->newer.size = t->touches.size;
  for (size_t c = 0; c < t->cells.size; c++)
    VEC_PUSH(o->newest, NOWHERE);
  for (uint32_t r = (uint32_t)t->touches.size; r-- > 0;) {
    o->newer.at[r] = o->newest.at[t->touches.at[r].cell];
    o->newest.at[t->touches.at[r].cell] = r;
  }
}

/* Is one of these bytes, written by this touch, read before it is written
 * again? */
static bool bytes_observed(const struct printed_order *o, uint32_t touch,
                           uint8_t bytes) {
  const struct trace *t = o->trace;
  uint32_t self = t->touches.at[touch].event;
  for (uint32_t r = o->newer.at[touch]; r != NOWHERE && bytes;
       r = o->newer.at[r]) {
    const struct touch *later = &t->touches.at[r];
    if (!(later->mask & bytes) || later->event == self)
      continue;
    if (touch_reads(t, later))
      return true;
    bytes &= (uint8_t)~later->mask;
  }
  return false;
}

/* Does the event of the older touch happen before that of the newer one? */
static bool ordered(const struct printed_order *o, uint32_t newer,
                    uint32_t older) {
  const struct trace *t = o->trace;
  const struct touch *b = &t->touches.at[newer], *a = &t->touches.at[older];
  uint8_t common = a->mask & b->mask;
  if (!common || !((a->mode | b->mode) & ACCESS_WRITE))
    return false;
  return touch_reads(t, a) || touch_reads(t, b) ||
         bytes_observed(o, newer, common);
}

/* ---- clocks and races --------------------------------------------------- */

static uint32_t *clock_of(struct printed_order *o, uint32_t position) {
  return &o->clocks.at[(size_t)position * o->width];
}

static void join(struct printed_order *o, uint32_t to, uint32_t from) {
  uint32_t *a = clock_of(o, to);
  const uint32_t *b = clock_of(o, from);
  for (uint32_t p = 0; p < o->width; p++)
    a[p] = a[p] < b[p] ? b[p] : a[p];
}

static int later_first(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

/* Events of other processes that happen directly before this one, latest
 * first, some more than once. */
static void find_predecessors(struct printed_order *o, uint32_t position) {
  const struct trace *t = o->trace;
  uint32_t end = touches_end(t, position);
  o->before.list.size = 0;
  for (uint32_t r = t->events.at[position].first_touch; r < end; r++) {
    uint8_t bytes = t->touches.at[r].mask;
    for (uint32_t older = t->touches.at[r].older; older != NOWHERE && bytes;
         older = t->touches.at[older].older) {
      const struct touch *touch = &t->touches.at[older];
      uint32_t event = touch->event;
      if (event != position &&
          t->events.at[event].proc != t->events.at[position].proc &&
          ordered(o, r, older))
        VEC_PUSH(o->before.list, event);
      /* Touches older than an update of the bytes happen before the update. */
      if (event != position && (touch->mode & ACCESS_WRITE) &&
          touch_reads(t, touch))
        bytes &= (uint8_t)~touch->mask;
    }
  }
  if (o->before.list.size)
    qsort(o->before.list.at, o->before.list.size, sizeof *o->before.list.at,
          later_first);
}

/* Operations that wait have races of their own kind: see trace.h. */
static bool waits(const struct event *e) {
  return e->flags & (STEP_BLOCKING | STEP_AWAIT);
}

static void order_event(struct printed_order *o, uint32_t position) {
  const struct event *e = &o->trace->events.at[position];
  uint32_t *clock = clock_of(o, position);
  for (uint32_t p = 0; p < o->width; p++)
    clock[p] = 0;
  if (e->previous)
    join(o, position, e->previous - 1);
  if (e->cause)
    join(o, position, e->cause - 1);
  find_predecessors(o, position);
  for (size_t i = 0; i < o->before.list.size; i++) {
    uint32_t d = o->before.list.at[i];
    if (printed_order_before(o, d, position))
      continue; /* another event is between them, or it is a repetition */
    if (!waits(e))
      VEC_PUSH(o->races, (struct race){.first = d, .second = position});
    join(o, position, d);
  }
  clock[e->proc] = e->index;
}

void printed_order_find(struct printed_order *o, const struct trace *t,
                        bool observers) {
  o->trace = t;
  o->observers = observers;
  o->races.size = 0;
  for (size_t i = 0; i < t->races.size; i++) {
    const struct race *race = &t->races.at[i];
    if (!observers || race->kind == RACE_CHOICE ||
        waits(&t->events.at[race->second]))
      VEC_PUSH(o->races, *race);
  }
  if (!observers)
    return;
  o->width = (uint32_t)t->processes.size;
  o->clocks.size = 0;
  VEC_RESERVE(o->clocks, t->events.size * o->width);
  o->clocks.size = t->events.size * o->width;
  link_touches(o);
  for (uint32_t i = 0; i < t->events.size; i++)
    order_event(o, i);
}

void printed_order_free(struct printed_order *o) {
  VEC_FREE(o->races);
  VEC_FREE(o->clocks);
  VEC_FREE(o->newer);
  VEC_FREE(o->newest);
  VEC_FREE(o->before.list);
}

/* ---- observers ---------------------------------------------------------- */

/* Adds the events that read these bytes of the touch before they are written
 * again. */
static void add_readers(const struct printed_order *o, uint32_t touch,
                        uint8_t bytes, struct positions *found) {
  const struct trace *t = o->trace;
  uint32_t self = t->touches.at[touch].event;
  for (uint32_t r = o->newer.at[touch]; r != NOWHERE && bytes;
       r = o->newer.at[r]) {
    const struct touch *later = &t->touches.at[r];
    if (!(later->mask & bytes) || later->event == self)
      continue;
    if (touch_reads(t, later))
      VEC_PUSH(found->list, later->event);
    if (later->mode & ACCESS_WRITE)
      bytes &= (uint8_t)~later->mask;
  }
}

static int earlier_first(const void *a, const void *b) {
  return later_first(b, a);
}

/* Keeps the events that no other one of them happens before. */
static void keep_minimal(const struct printed_order *o,
                         struct positions *found) {
  size_t kept = 0;
  if (found->list.size)
    qsort(found->list.at, found->list.size, sizeof *found->list.at,
          earlier_first);
  for (size_t i = 0; i < found->list.size; i++) {
    bool minimal = true;
    for (size_t k = 0; k < kept && minimal; k++)
      minimal = !printed_order_before(o, found->list.at[k], found->list.at[i]);
    if (minimal)
      found->list.at[kept++] = found->list.at[i];
  }
  found->list.size = kept;
}

void printed_order_observers(const struct printed_order *o, uint32_t first,
                             uint32_t second, struct positions *found) {
  const struct trace *t = o->trace;
  uint32_t end = touches_end(t, second);
  found->list.size = 0;
  if (!o->observers || waits(&t->events.at[second]))
    return;
  for (uint32_t r = t->events.at[second].first_touch; r < end; r++)
    for (uint32_t older = t->touches.at[r].older; older != NOWHERE;
         older = t->touches.at[older].older) {
      const struct touch *a = &t->touches.at[older], *b = &t->touches.at[r];
      uint8_t common = a->mask & b->mask;
      if (a->event < first)
        break;
      if (a->event != first || !common || !((a->mode | b->mode) & ACCESS_WRITE))
        continue;
      if (touch_reads(t, a) || touch_reads(t, b)) {
        found->list.size = 0;
        return; /* one of the two reads: no observer is needed */
      }
      add_readers(o, r, common, found);
    }
  keep_minimal(o, found);
}
