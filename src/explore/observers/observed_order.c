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
  VEC_FREE(s->looks);
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

void observed_order_look(struct observed_order *s, const struct trace *t) {
  uint32_t self = (uint32_t)t->events.size - 1;
  while (s->looks.size && VEC_TOP(s->looks).look >= self)
    s->looks.size--;
  for (size_t i = 0; i < t->look.list.size; i++)
    VEC_PUSH(s->looks, (struct observed_look){self, t->look.list.at[i]});
}

/* What came, or would have come, of the look that is being entered. */
static enum look look_before(void *context, uint32_t proc, uint32_t position) {
  const struct observed_order *s = context;
  (void)proc;
  size_t low = 0, high = s->looks.size;
  while (low < high) { /* the looks before `low` are older */
    size_t middle = (low + high) / 2;
    if (s->looks.at[middle].look < s->entered)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < s->looks.size && s->looks.at[low].look == s->entered; low++)
    if (s->looks.at[low].write == position)
      return LOOK_READS;
  return LOOK_HELD;
}

static void enter_event(struct observed_order *s, uint32_t proc,
                        const struct step *step) {
  s->entered = (uint32_t)trace_length(&s->order);
  s->order.ask = (struct trace_ask){look_before, s};
  if (step->flags & STEP_LOOK)
    trace_before_look(&s->order, proc, step);
  trace_push(&s->order, proc, step);
}

/* Enters the events again, from the first one that is seen now and was not, or
 * was and is not. */
static void enter(struct observed_order *s, const struct trace *t,
                  size_t same) {
  trace_truncate(&s->order, first_change(s, same));
  s->order.rules.unseen = s->unseen.at;
  for (size_t i = trace_length(&s->order); i < t->events.size; i++) {
    struct step step = step_of(t, &t->events.at[i]);
    enter_event(s, t->events.at[i].proc, &step);
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
  s->order.ask = t->ask;
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
