#include "core/cone.h"

#include <stdlib.h>

#include "util/ensure.h"

static bool looks(const struct event *e, const struct touch *touch) {
  return !(touch->mode & ACCESS_WRITE) ||
         !(e->overwrites || (touch->mode & ACCESS_BLIND));
}

/* Marks the writes whose values the event found in these bytes. */
static void mark_writers(const struct trace *t, const struct event *e,
                         const struct touch *touch, bool *marked) {
  bool all = e->flags & STEP_AWAIT;
  uint8_t bytes = touch->mask;
  for (uint32_t r = touch->older; r != NOWHERE && bytes;
       r = t->touches.at[r].older) {
    const struct touch *old = &t->touches.at[r];
    if (!(old->mode & ACCESS_WRITE) || !(old->mask & bytes) ||
        &t->events.at[old->event] == e)
      continue;
    marked[old->event] = true;
    if (!all)
      bytes &= (uint8_t)~old->mask;
  }
}

static void mark_causes(const struct trace *t, size_t position, bool *marked) {
  const struct event *e = &t->events.at[position];
  size_t end =
      position + 1 < t->events.size ? e[1].first_touch : t->touches.size;
  if (e->previous)
    marked[e->previous - 1] = true;
  if (e->cause)
    marked[e->cause - 1] = true;
  uint32_t count;
  const uint32_t *more = event_more(t, (uint32_t)position, &count);
  for (uint32_t i = 0; i < count; i++)
    marked[more[i] - 1] = true;
  for (size_t r = e->first_touch; r < end; r++)
    if (looks(e, &t->touches.at[r]))
      mark_writers(t, e, &t->touches.at[r], marked);
}

bool cone_has(const struct trace *t, const uint32_t *positions, size_t count) {
  size_t last = t->events.size - 1;
  if (!count)
    return false;
  bool found = false, *marked = calloc(t->events.size, sizeof *marked);
  ensure(marked);
  marked[last] = true;
  for (size_t i = t->events.size; i-- > 0;) /* causes have smaller positions */
    if (marked[i])
      mark_causes(t, i, marked);
  for (size_t i = 0; i < count; i++)
    found |= positions[i] != last && marked[positions[i]];
  free(marked);
  return found;
}
