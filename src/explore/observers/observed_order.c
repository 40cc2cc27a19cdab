#include "explore/observers/observed_order.h"

#include <string.h>

#include "util/ensure.h"

void observed_order_init(struct observed_order *s) {
  memset(s, 0, sizeof *s);
  trace_init(&s->order, (struct order_rules){.races = true});
}

void observed_order_free(struct observed_order *s) {
  trace_free(&s->order);
  VEC_FREE(s->unseen);
  VEC_FREE(s->before);
  VEC_FREE(s->open);
}

/* which writes are seen */

/* The last touch of each of these bytes is now followed by this one. */
static void follow(struct observed_order *s, const struct trace *t,
                   size_t touch) {
  const struct touch *next = &t->touches.at[touch];
  uint8_t bytes = next->mask;
  for (uint32_t r = next->older; r != NOWHERE && bytes;
       r = t->touches.at[r].older) {
    const struct touch *old = &t->touches.at[r];
    if (!(old->mask & bytes) || old->event == next->event)
      continue;
    if ((old->mode & ACCESS_BLIND) && (s->open.at[r] & bytes) &&
        !access_rivals(&t->accesses.at[old->access],
                       &t->accesses.at[next->access]))
      s->unseen.at[old->event] = false;
    s->open.at[r] &= (uint8_t)~bytes;
    bytes &= (uint8_t)~old->mask;
  }
}

static void find_unseen(struct observed_order *s, const struct trace *t) {
  s->unseen.size = s->open.size = 0;
  VEC_RESERVE(s->unseen, t->events.size);
  VEC_RESERVE(s->open, t->touches.size);
  for (size_t i = 0; i < t->events.size; i++)
    s->unseen.at[s->unseen.size++] = true;
  for (size_t r = 0; r < t->touches.size; r++) {
    s->open.at[s->open.size++] = t->touches.at[r].mask;
    follow(s, t, r);
  }
}

/* The first event, at most `same`, that is seen now and was not, or was and is
 * not. */
static size_t first_change(const struct observed_order *s, size_t same) {
  for (size_t i = 0; i < same; i++)
    if (s->unseen.at[i] != s->before.at[i])
      return i;
  return same;
}

/* ---- the second trace --------------------------------------------------- */

static struct step step_of(const struct trace *t, const struct event *e) {
  return (struct step){.op = e->op,
                       .flags = e->flags,
                       .order = e->order,
                       .wants = e->wants,
                       .offers = e->offers,
                       .choice = e->choice,
                       .choices = e->choices,
                       .cause = e->cause,
                       .round = e->round,
                       .accesses = e->accesses,
                       .access = event_access(t, e),
                       .pc = e->pc};
}

/* Enters the events again, from the first one that is seen now and was not, or
 * was and is not. */
static void enter(struct observed_order *s, const struct trace *t,
                  size_t same) {
  trace_truncate(&s->order, first_change(s, same));
  s->order.rules.unseen = s->unseen.at;
  for (size_t i = trace_length(&s->order); i < t->events.size; i++) {
    struct step step = step_of(t, &t->events.at[i]);
    trace_push(&s->order, t->events.at[i].proc, &step);
  }
  s->before.size = 0;
  VEC_RESERVE(s->before, s->unseen.size);
  if (s->unseen.size) /* there is none if all processes wait from the start */
    memcpy(s->before.at, s->unseen.at, s->unseen.size * sizeof *s->unseen.at);
  s->before.size = s->unseen.size;
}

/* A later event may see the writes that are still there. */
static void expose_open(struct observed_order *s, const struct trace *t) {
  for (size_t r = 0; r < t->touches.size; r++)
    if (s->open.at[r] && (t->touches.at[r].mode & ACCESS_BLIND))
      s->unseen.at[t->touches.at[r].event] = false;
}

void observed_order_find(struct observed_order *s, const struct trace *t,
                         size_t same, bool cut) {
  find_unseen(s, t);
  if (cut)
    expose_open(s, t);
  enter(s, t, same);
}

/* ---- checking ----------------------------------------------------------- */

void observed_order_check(const struct observed_order *s,
                          const struct trace *t) {
  const struct trace *o = &s->order;
  ensure(trace_length(o) == trace_length(t));
  for (size_t j = 0; j < t->events.size; j++) {
    const struct event *e = &o->events.at[j];
    ensure(e->proc == t->events.at[j].proc &&
           e->index == t->events.at[j].index);
    for (size_t i = 0; i < j; i++) {
      const struct event *d = &o->events.at[i];
      if (footprint_conflict_firm(event_access(o, d), d->accesses,
                                  event_access(o, e), e->accesses))
        ensure(happens_before(o, d, e));
    }
  }
}
