#include "explore/stateful/foreseen_races.h"

#include "util/planted.h"

/* ---- what a carrier knows -------------------------------------------------
 *
 * In one of two orders: happens-before of the trace, or synchronisation, which
 * is a part of it (core/datarace.h).
 */

enum order { ORDER_OF_TRACE, ORDER_OF_SYNCHRONISATION };

static bool clock_knows(const struct datarace *d, uint32_t clock,
                        const struct event *e) {
  return clock_get(&d->clocks, clock, e->proc) >= e->index;
}

/* Does e happen before, or is it, the event at this position? */
static bool is_before(const struct explorer *x, enum order order,
                      const struct event *e, uint32_t position) {
  const struct event *last = &x->trace.events.at[position];
  if (order == ORDER_OF_TRACE)
    return happens_before(&x->trace, e, last);
  return (e->proc == last->proc && e->index <= last->index) ||
         clock_knows(&x->datarace, x->datarace.states.at[position].thread, e);
}

static bool process_knows(const struct explorer *x, enum order order,
                          uint32_t p, const struct event *e) {
  const struct trace *t = &x->trace;
  struct step next;
  uint32_t length = process_length(t, p);
  if (p == e->proc ||
      (length && is_before(x, order, e, process_event(t, p, length))))
    return true;
  return x->system->ops->pending(x->system, p, &next) && next.cause &&
         is_before(x, order, e, next.cause - 1);
}

/* The last write to the object, or NOWHERE. */
static uint32_t last_write(const struct trace *t, const struct object *o) {
  for (uint32_t r = trace_newest(t, o->granule); r != NOWHERE;
       r = t->touches.at[r].older)
    if ((t->touches.at[r].mode & ACCESS_WRITE) &&
        (t->touches.at[r].mask & o->bytes))
      return t->touches.at[r].event;
  return NOWHERE;
}

static bool object_knows(const struct explorer *x, enum order order,
                         const struct object *o, const struct event *e) {
  uint32_t w = last_write(&x->trace, o);
  if (w == NOWHERE)
    return false;
  if (order == ORDER_OF_TRACE)
    return happens_before(&x->trace, e, &x->trace.events.at[w]);
  const struct sync_state *s = &x->datarace.states.at[w];
  return clock_knows(&x->datarace, o->readers ? s->readers : s->message, e);
}

static bool carried(const struct foreseen *f, enum order order,
                    struct carriers c, const struct event *e) {
  for (; c.processes; c.processes &= c.processes - 1)
    if (process_knows(f->x, order, (uint32_t)__builtin_ctzll(c.processes), e))
      return true;
  for (; c.objects; c.objects &= c.objects - 1)
    if (object_knows(f->x, order,
                     &f->objects->list.at[__builtin_ctzll(c.objects)], e))
      return true;
  return false;
}

static bool has_races(const struct future_access *a) {
  return a->wants != WANTS_EVENTS && a->wants != WANTS_CAUSE;
}

bool foreseen_knows(const struct foreseen *f, uint32_t p,
                    const struct event *e) {
  return process_knows(f->x, ORDER_OF_TRACE, p, e);
}

/* Is the event before the access whatever happens? */
static bool settled(const struct foreseen *f, enum order order,
                    const struct future_access *a, const struct event *e) {
  return e->proc == a->proc || process_knows(f->x, order, a->proc, e) ||
         carried(f, order, a->carriers, e);
}

bool foreseen_settled(const struct foreseen *f, const struct future_access *a,
                      const struct event *e) {
  return settled(f, ORDER_OF_TRACE, a, e);
}

/* ---- races ----------------------------------------------------------------
 */

static bool before_some(const struct trace *t, const struct event *e,
                        const struct positions *later) {
  for (size_t i = 0; i < later->list.size; i++)
    if (happens_before(t, e, &t->events.at[later->list.at[i]]))
      return true;
  return false;
}

/* Goes back over the touches to those that are not hidden by a write. */
static void nearest_conflicts(const struct foreseen *f,
                              const struct future_access *a,
                              struct positions *found) {
  const struct trace *t = &f->x->trace;
  uint8_t bytes = a->bytes;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE && bytes;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *e = &t->events.at[touch->event];
    bool wrote = touch->mode & ACCESS_WRITE;
    if (!(touch->mask & bytes) || (!wrote && !(a->mode & ACCESS_WRITE)))
      continue;
    if (!before_some(t, e, found) && !settled(f, ORDER_OF_TRACE, a, e))
      VEC_PUSH(found->list, touch->event);
    if (wrote)
      bytes &= (uint8_t)~touch->mask;
  }
}

/* As in core/trace.c, where the offer at the end is not known. */
static void nearest_offers(const struct foreseen *f,
                           const struct future_access *a,
                           struct positions *found) {
  const struct trace *t = &f->x->trace;
  uint8_t offers = UINT8_MAX;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    const struct event *e = &t->events.at[touch->event];
    if (!(touch->mask & a->bytes))
      continue;
    bool is_settled = settled(f, ORDER_OF_TRACE, a, e);
    if (!(e->offers & OFFER_SAME))
      offers = e->offers;
    if (!is_settled && (offers & a->wants)) {
      if (!before_some(t, e, found))
        VEC_PUSH(found->list, touch->event);
      is_settled = true;
    }
    if (is_settled && (touch->mode & ACCESS_WRITE))
      return;
  }
}

/* A look may pass before any of the events, and write or not. */
static void all_looks(const struct foreseen *f, const struct future_access *a,
                      struct positions *found) {
  const struct trace *t = &f->x->trace;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    if (!(touch->mask & a->bytes))
      continue;
    if (!settled(f, ORDER_OF_TRACE, a, &t->events.at[touch->event]))
      VEC_PUSH(found->list, touch->event);
    else if (touch->mode & ACCESS_WRITE)
      return;
  }
}

void foreseen_races(struct foreseen *f, const struct future_access *a,
                    struct positions *found) {
  found->list.size = 0;
  if (!has_races(a))
    return;
  if (a->wants == WANTS_LOOK)
    all_looks(f, a, found);
  else if (a->wants)
    nearest_offers(f, a, found);
  else
    nearest_conflicts(f, a, found);
}

/* ---- data races -----------------------------------------------------------
 */

bool foreseen_in_order(struct foreseen *f, const struct future_access *a) {
  const struct trace *t = &f->x->trace;
  if (!has_races(a))
    return true;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE;
       r = t->touches.at[r].live) {
    const struct touch *touch = &t->touches.at[r];
    if ((touch->mask & a->bytes) && ((touch->mode | a->mode) & ACCESS_WRITE) &&
        !(touch->mode & a->mode & ACCESS_ATOMIC) &&
        !settled(f, ORDER_OF_SYNCHRONISATION, a, &t->events.at[touch->event]))
      return false;
  }
  return true;
}
