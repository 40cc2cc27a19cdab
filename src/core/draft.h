/* Puts an occurrence together from the trace: one of its events, or one that
 * could come earlier.
 *
 * The front has an occurrence for each event of the trace, but perhaps for the
 * newest.  So the past of a draft is counted first, as clocks count, and named
 * when it is complete; then what the draft touches can be told.
 */
#ifndef CORE_DRAFT_H
#define CORE_DRAFT_H

#include "core/front.h"
#include "core/trace.h"

/* keep */
struct drafting {
  struct trace *trace;
  struct front *front;
  struct draft draft;
  VEC(uint32_t) counts; /* its past: how many of each process */
};

void drafting_free(struct drafting *);

/* A draft without a past: either that of an event follows, or what is joined
 * until it is closed. */
void draft_begin(struct drafting *, uint32_t proc, uint32_t choice,
                 uint32_t choices);

/* The past is that of this event. */
struct count draft_past(struct drafting *, const struct event *);

/* The event, which may be NULL, is in the past, with all that is before it. */
void draft_join(struct drafting *, const struct event *);

/* What was joined is all, and the draft has this index in its process. */
struct count draft_close(struct drafting *, uint32_t index);

/* It touches what the access does. */
void draft_access(struct drafting *, const struct count *,
                  const struct access *);

/* It touches what the event does, and has its alternatives. */
void draft_like(struct drafting *, const struct count *, const struct event *);

/* Alternatives of one step need not touch anything: they meet at a place of
 * their process.  Whether there are any may depend on the history. */
void draft_choices(struct drafting *, uint16_t op);

/* Does the occurrence touch what the event of the same name does?  Who wrote
 * the bytes last follows from the name. */
bool occurrence_is_like(const struct drafting *, uint32_t x,
                        const struct event *);

/* Where the touches of the event end. */
static inline size_t touches_end(const struct trace *t, const struct event *e) {
  return e == &VEC_TOP(t->events) ? t->touches.size : e[1].first_touch;
}

#endif
