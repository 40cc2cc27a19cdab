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

static const struct standing *process_standing(struct foreseen *f, uint32_t p) {
  while (f->processes.size <= p)
    VEC_PUSH(f->processes, (struct standing){0});
  struct standing *s = &f->processes.at[p];
  if (s->cut == f->cut)
    return s;
  const struct trace *t = &f->x->trace;
  struct outline next;
  uint32_t length = process_length(t, p);
  bool caused = system_outline(f->x->system, p, &next) && next.cause;
  *s = (struct standing){f->cut, length ? process_event(t, p, length) : NOWHERE,
                         caused ? next.cause - 1 : NOWHERE};
  return s;
}

static bool process_knows(struct foreseen *f, enum order order, uint32_t p,
                          const struct event *e) {
  if (p == e->proc)
    return true;
  const struct standing *s = process_standing(f, p);
  return (s->last != NOWHERE && is_before(f->x, order, e, s->last)) ||
         (s->cause != NOWHERE && is_before(f->x, order, e, s->cause));
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

static const struct standing *object_standing(struct foreseen *f, unsigned n) {
  while (f->writes.size <= n)
    VEC_PUSH(f->writes, (struct standing){0});
  struct standing *s = &f->writes.at[n];
  if (s->cut != f->cut)
    *s = (struct standing){
        f->cut, last_write(&f->x->trace, &f->objects->list.at[n]), NOWHERE};
  return s;
}

static bool object_knows(struct foreseen *f, enum order order, unsigned n,
                         const struct event *e) {
  const struct explorer *x = f->x;
  const struct object *o = &f->objects->list.at[n];
  uint32_t w = object_standing(f, n)->last;
  if (w == NOWHERE)
    return false;
  if (o->kind == OBJECT_BLOCKS && x->trace.events.at[w].op != OP_BLOCK)
    return false; /* it hands nothing on to blocks */
  if (order == ORDER_OF_TRACE)
    return happens_before(&x->trace, e, &x->trace.events.at[w]);
  const struct sync_state *s = &x->datarace.states.at[w];
  return clock_knows(&x->datarace,
                     o->kind == OBJECT_READERS ? s->readers : s->message, e);
}

static bool carried(struct foreseen *f, enum order order, struct carriers c,
                    const struct event *e) {
  for (; c.processes; c.processes &= c.processes - 1)
    if (process_knows(f, order, (uint32_t)__builtin_ctzll(c.processes), e))
      return true;
  for (; c.objects; c.objects &= c.objects - 1)
    if (object_knows(f, order, (unsigned)__builtin_ctzll(c.objects), e))
      return true;
  return false;
}

static bool has_races(const struct future_access *a) {
  return a->wants != WANTS_EVENTS && a->wants != WANTS_CAUSE;
}

bool foreseen_knows(struct foreseen *f, uint32_t p, const struct event *e) {
  return process_knows(f, ORDER_OF_TRACE, p, e);
}

/* Is the event before the access whatever happens? */
static bool settled(struct foreseen *f, enum order order,
                    const struct future_access *a, const struct event *e) {
  return e->proc == a->proc || process_knows(f, order, a->proc, e) ||
         carried(f, order, a->carriers, e);
}

bool foreseen_settled(struct foreseen *f, const struct future_access *a,
                      const struct event *e) {
  return settled(f, ORDER_OF_TRACE, a, e);
}

/* ---- races ----------------------------------------------------------------
 *
 * A planned event need not be looked at: it is in a race, or all events before
 * it are settled, too.
 */

/* keep: what foreseen_races() is about. */
struct race_search {
  struct foreseen *f;
  const struct future_access *access;
  bool (*planned)(const void *, uint32_t position);
  const void *context;
  struct positions *found;
};

static bool is_settled(const struct race_search *s, uint32_t position) {
  return settled(s->f, ORDER_OF_TRACE, s->access,
                 &s->f->x->trace.events.at[position]);
}

static bool before_some(const struct trace *t, const struct event *e,
                        const struct positions *later) {
  for (size_t i = 0; i < later->list.size; i++)
    if (happens_before(t, e, &t->events.at[later->list.at[i]]))
      return true;
  return false;
}

static bool is_nearest(const struct race_search *s, uint32_t position) {
  const struct trace *t = &s->f->x->trace;
  return !before_some(t, &t->events.at[position], s->found);
}

/* Goes back over the touches to those that are not hidden by a write. */
static void nearest_conflicts(const struct race_search *s) {
  const struct trace *t = &s->f->x->trace;
  const struct future_access *a = s->access;
  uint8_t bytes = a->bytes;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE && bytes;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    uint32_t e = touch->event;
    bool wrote = touch->mode & ACCESS_WRITE;
    if (!(touch->mask & bytes) || (!wrote && !(a->mode & ACCESS_WRITE)))
      continue;
    if (is_nearest(s, e) && (s->planned(s->context, e) || !is_settled(s, e)))
      VEC_PUSH(s->found->list, e);
    if (wrote)
      bytes &= (uint8_t)~touch->mask;
  }
}

/* As in core/trace.c, where the offer at the end is not known. */
static void nearest_offers(const struct race_search *s) {
  const struct trace *t = &s->f->x->trace;
  const struct future_access *a = s->access;
  uint8_t offers = UINT8_MAX;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    uint32_t e = touch->event;
    if (!(touch->mask & a->bytes))
      continue;
    if (!(t->events.at[e].offers & OFFER_SAME))
      offers = t->events.at[e].offers;
    bool meets = offers & a->wants;
    bool done = !(meets && s->planned(s->context, e)) && is_settled(s, e);
    if (!done && meets) {
      if (is_nearest(s, e))
        VEC_PUSH(s->found->list, e);
      done = true;
    }
    if (done && (touch->mode & ACCESS_WRITE))
      return;
  }
}

/* A look may pass before any of the events, and write or not. */
static void all_looks(const struct race_search *s) {
  const struct trace *t = &s->f->x->trace;
  for (uint32_t r = trace_newest(t, s->access->granule); r != NOWHERE;
       r = t->touches.at[r].older) {
    const struct touch *touch = &t->touches.at[r];
    if (!(touch->mask & s->access->bytes))
      continue;
    if (!is_settled(s, touch->event))
      VEC_PUSH(s->found->list, touch->event);
    else if (touch->mode & ACCESS_WRITE)
      return;
  }
}

void foreseen_races(struct foreseen *f, const struct future_access *a,
                    bool (*planned)(const void *, uint32_t position),
                    const void *context, struct positions *found) {
  const struct race_search s = {f, a, planned, context, found};
  found->list.size = 0;
  if (!has_races(a))
    return;
  if (a->wants == WANTS_LOOK)
    all_looks(&s);
  else if (a->wants)
    nearest_offers(&s);
  else
    nearest_conflicts(&s);
}

/* ---- data races -----------------------------------------------------------
 */

/* May there be a data race between the touch and the access if they have no
 * order? */
static bool may_race(const struct trace *t, const struct touch *touch,
                     const struct future_access *a) {
  bool is_block = t->events.at[touch->event].op == OP_BLOCK;
  bool blocks = (a->mode & FUTURE_BLOCK) && (is_block || planted(STATE_BLOCKS));
  return (touch->mask & a->bytes) && ((touch->mode | a->mode) & ACCESS_WRITE) &&
         !(touch->mode & a->mode & ACCESS_ATOMIC) && !blocks;
}

bool foreseen_in_order(struct foreseen *f, const struct future_access *a) {
  const struct trace *t = &f->x->trace;
  if (!has_races(a))
    return true;
  for (uint32_t r = trace_newest(t, a->granule); r != NOWHERE;
       r = t->touches.at[r].live) {
    const struct touch *touch = &t->touches.at[r];
    if (may_race(t, touch, a) &&
        !settled(f, ORDER_OF_SYNCHRONISATION, a, &t->events.at[touch->event]))
      return false;
  }
  return true;
}

/* ---- life -----------------------------------------------------------------
 */

void foreseen_begin(struct foreseen *f) {
  f->cut++;
}

void foreseen_free(struct foreseen *f) {
  VEC_FREE(f->processes);
  VEC_FREE(f->writes);
}
