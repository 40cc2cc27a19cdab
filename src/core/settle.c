#include "core/settle.h"

#include <string.h>

void settled_init(struct settled *s) {
  memset(s, 0, sizeof *s);
  trace_init(&s->order, true);
}

void settled_free(struct settled *s) {
  trace_free(&s->order);
  VEC_FREE(s->unseen);
  VEC_FREE(s->before);
  VEC_FREE(s->open);
}

/* ---- who is seen ----------------------------------------------------------
 */

/* Everybody who touched these bytes last is now followed by this touch. */
static void follow(struct settled *s, const struct trace *t, size_t touch) {
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

static void find_unseen(struct settled *s, const struct trace *t) {
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

/* The first event, not after `same`, that is seen otherwise than before. */
static size_t first_change(const struct settled *s, size_t same) {
  for (size_t i = 0; i < same; i++)
    if (s->unseen.at[i] != s->before.at[i])
      return i;
  return same;
}

/* ---- the second trace -----------------------------------------------------
 */

static struct step step_of(const struct trace *t, const struct event *e) {
  return (struct step){.op = e->op,
                       .flags = e->flags,
                       .order = e->order,
                       .wants = e->wants,
                       .offers = e->offers,
                       .choice = e->choice,
                       .choices = e->choices,
                       .cause = e->cause,
                       .accesses = e->accesses,
                       .access = event_access(t, e),
                       .pc = e->pc};
}

/* Enters the events again from the first that is seen otherwise. */
static void enter(struct settled *s, const struct trace *t, size_t same) {
  trace_truncate(&s->order, first_change(s, same));
  s->order.unseen = s->unseen.at;
  for (size_t i = trace_length(&s->order); i < t->events.size; i++) {
    struct step step = step_of(t, &t->events.at[i]);
    trace_push(&s->order, t->events.at[i].proc, &step);
  }
  s->before.size = 0;
  VEC_RESERVE(s->before, s->unseen.size);
  if (s->unseen.size) /* not if all wait from the start */
    memcpy(s->before.at, s->unseen.at, s->unseen.size * sizeof *s->unseen.at);
  s->before.size = s->unseen.size;
}

/* Whoever comes later may see what is left. */
static void expose_open(struct settled *s, const struct trace *t) {
  for (size_t r = 0; r < t->touches.size; r++)
    if (s->open.at[r] && (t->touches.at[r].mode & ACCESS_BLIND))
      s->unseen.at[t->touches.at[r].event] = false;
}

void settle(struct settled *s, const struct trace *t, size_t same, bool cut) {
  find_unseen(s, t);
  if (cut)
    expose_open(s, t);
  enter(s, t, same);
}
