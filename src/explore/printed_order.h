/* Happens-before and races of a whole execution, with or without observers.
 *
 * Without, they are the trace's.  With observers, the order of two writes is
 * settled only at the end of the execution: they are ordered if the later one
 * is observed, that is, if who touches the bytes next reads them.
 */
#ifndef EXPLORE_PRINTED_ORDER_H
#define EXPLORE_PRINTED_ORDER_H

#include "core/trace.h"

/* keep */
struct order {
  const struct trace *trace;
  bool observers;
  VEC(struct race) races;
  /* With observers: */
  VEC(uint32_t) clocks; /* `width` counts for each event */
  uint32_t width;
  VEC(uint32_t) newer;     /* per touch: the next one of its granule */
  VEC(uint32_t) newest;    /* scratch: per cell, going back */
  struct positions before; /* scratch: direct predecessors */
};

/* Settles the order of the trace as it is now. */
void order_settle(struct order *, const struct trace *, bool observers);
void order_free(struct order *);

/* How many events of process p happen before the event, or are it. */
static inline uint32_t order_count(const struct order *o, uint32_t position,
                                   uint32_t p) {
  const struct event *e = &o->trace->events.at[position];
  if (!o->observers)
    return events_before(o->trace, e, p);
  return p < o->width ? o->clocks.at[(size_t)position * o->width + p] : 0;
}

/* Does the event at i happen before that at j, or is it that? */
static inline bool order_before(const struct order *o, uint32_t i, uint32_t j) {
  const struct event *e = &o->trace->events.at[i];
  return order_count(o, j, e->proc) >= e->index;
}

/* Who observes the race of two writes: the first to read what the later one
 * wrote where the earlier one wrote, too.  None: it is another kind of race. */
void order_observers(const struct order *, uint32_t first, uint32_t second,
                     struct positions *);

#endif
