/* Puts an occurrence together from the trace: one of its events, or one that
 * could come earlier.
 *
 * The configuration has an occurrence for each event of the trace, except
 * perhaps for the newest.  The past of a new event is first counted, as clocks
 * count.  When the counts are complete, they are turned into occurrences.  Then
 * the places that the new event visits follow.
 */
#ifndef EXPLORE_UNFOLDING_NEW_EVENT_H
#define EXPLORE_UNFOLDING_NEW_EVENT_H

#include "explore/unfolding/configuration.h"
#include "core/trace.h"

/* keep */
struct new_event_maker {
  struct trace *trace;
  struct configuration *configuration;
  struct new_event event;
  VEC(uint32_t) counts; /* its past: how many occurrences of each process */
};

void new_event_free(struct new_event_maker *);

/* Begins a new event.  Then either new_event_past() follows, or any number of
 * new_event_join() and new_event_close(). */
void new_event_begin(struct new_event_maker *, uint32_t proc, uint32_t choice,
                     uint32_t choices);

/* Gives the new event the past of this event. */
struct past_counts new_event_past(struct new_event_maker *,
                                  const struct event *);

/* Adds the event, which may be NULL, and all events before it to the past. */
void new_event_join(struct new_event_maker *, const struct event *);

/* The past is complete.  The new event has this index in its process. */
struct past_counts new_event_close(struct new_event_maker *, uint32_t index);

/* The new event makes this access. */
void new_event_access(struct new_event_maker *, const struct past_counts *,
                      const struct access *);

/* The new event has the footprint and the alternatives of this event. */
void new_event_like(struct new_event_maker *, const struct past_counts *,
                    const struct event *);

/* Alternatives of one step need not touch anything: they meet at a place of
 * their process.  Whether a step has alternatives may depend on its history. */
void new_event_choices(struct new_event_maker *, uint16_t op);

/* Has the occurrence the footprint of the event, which has the same name?  The
 * last writers of the bytes follow from the name. */
bool occurrence_is_like(const struct new_event_maker *, uint32_t x,
                        const struct event *);

static inline struct new_event_mode new_event_mode_of(const struct trace *t,
                                                      const struct touch *r) {
  return (struct new_event_mode){
      r->mode,
      update_name(&t->accesses.at[r->access], t->cells.at[r->cell].granule)};
}

/* Where the touches of the event end. */
static inline size_t touches_end(const struct trace *t, const struct event *e) {
  return e == &VEC_TOP(t->events) ? t->touches.size : e[1].first_touch;
}

#endif
