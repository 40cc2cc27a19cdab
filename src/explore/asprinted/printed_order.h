/* Happens-before and races of a whole execution, with or without observers.
 *
 * Without observers they are those of the trace.  With observers, the order of
 * two writes is known only at the end of the execution: they are ordered if the
 * later one is observed, that is, if the next event that touches the bytes
 * reads them.
 */
#ifndef EXPLORE_ASPRINTED_PRINTED_ORDER_H
#define EXPLORE_ASPRINTED_PRINTED_ORDER_H

#include "core/trace.h"

/* keep */
struct printed_order {
  const struct trace *trace;
  bool observers;
  VEC(struct race) races;
  /* With observers: */
  VEC(uint32_t) clocks; /* `width` counts for each event */
  uint32_t width;
  VEC(uint32_t) newer;     /* by touch: the next one of its granule */
  VEC(uint32_t) newest;    /* scratch: by cell, going back */
  struct positions before; /* scratch: direct predecessors */
};

/* Finds the order of the trace as it is now. */
void printed_order_find(struct printed_order *, const struct trace *,
                        bool observers);
void printed_order_free(struct printed_order *);

/* How many events of process p happen before the event, or are it. */
static inline uint32_t printed_order_count(const struct printed_order *o,
                                           uint32_t position, uint32_t p) {
  const struct event *e = &o->trace->events.at[position];
  if (!o->observers)
    return events_before(o->trace, e, p);
  return p < o->width ? o->clocks.at[(size_t)position * o->width + p] : 0;
}

/* Does the event at i happen before the event at j, or is i = j? */
static inline bool printed_order_before(const struct printed_order *o,
                                        uint32_t i, uint32_t j) {
  const struct event *e = &o->trace->events.at[i];
  return printed_order_count(o, j, e->proc) >= e->index;
}

/* The observers of a race of two writes: the first events that read bytes of
 * the later one which the earlier one wrote, too.  None if it is another kind
 * of race. */
void printed_order_observers(const struct printed_order *, uint32_t first,
                             uint32_t second, struct positions *);

#endif
