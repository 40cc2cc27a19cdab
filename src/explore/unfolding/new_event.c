#include "explore/unfolding/new_event.h"

void new_event_free(struct new_event_maker *g) {
  VEC_FREE(g->counts);
  VEC_FREE(g->event.past);
  VEC_FREE(g->event.visits);
}

/* ---- its past ----------------------------------------------------------- */

void new_event_begin(struct new_event_maker *g, uint32_t proc, uint32_t choice,
                     uint32_t choices) {
  g->event.proc = proc;
  g->event.choice = choice;
  g->event.choices = choices;
  g->event.same_past = false;
  g->event.visits.size = g->counts.size = 0;
}

struct past_counts new_event_past(struct new_event_maker *g,
                                  const struct event *e) {
  const struct trace *t = g->trace;
  const uint32_t *clock = &t->clocks.words.at[e->clock];
  struct past_counts count = {e->index, clock[0], &clock[1]};
  g->event.same_past =
      e->previous && t->events.at[e->previous - 1].clock == e->clock;
  configuration_past(g->configuration, &g->event, &count);
  return count;
}

static void reach(struct new_event_maker *g, uint32_t width) {
  VEC_RESERVE(g->counts, width);
  while (g->counts.size < width)
    g->counts.at[g->counts.size++] = 0;
}

static void raise(struct new_event_maker *g, uint32_t proc, uint32_t count) {
  if (g->counts.at[proc] < count)
    g->counts.at[proc] = count;
}

void new_event_join(struct new_event_maker *g, const struct event *e) {
  if (!e)
    return;
  const uint32_t *clock = &g->trace->clocks.words.at[e->clock];
  reach(g, clock[0] > e->proc ? clock[0] : e->proc + 1);
  for (uint32_t p = 0; p < clock[0]; p++)
    raise(g, p, clock[1 + p]);
  raise(g, e->proc, e->index);
}

struct past_counts new_event_close(struct new_event_maker *g, uint32_t index) {
  struct past_counts count = {index, (uint32_t)g->counts.size, g->counts.at};
  configuration_past(g->configuration, &g->event, &count);
  return count;
}

/* ---- what it touches ---------------------------------------------------- */

void new_event_access(struct new_event_maker *g,
                      const struct past_counts *count, const struct access *a) {
  uint64_t last = access_last_granule(a);
  for (uint64_t granule = access_first_granule(a); granule <= last; granule++)
    configuration_visit(
        g->configuration, &g->event, count, trace_cell(g->trace, granule),
        access_mask(a, granule),
        (struct new_event_mode){a->mode, update_name(a, granule)});
}

static bool has_choices(uint16_t op, uint32_t choices) {
  return op_table[op].varies || choices > 1;
}

void new_event_choices(struct new_event_maker *g, uint16_t op) {
  struct new_event *d = &g->event;
  if (has_choices(op, d->choices))
    new_event_visit(d, trace_cell(g->trace, UINT64_MAX - d->proc), d->previous,
                    0xff, (struct new_event_mode){ACCESS_WRITE, 0});
}

/* A link is left out of the history: every event that touches it has an order
 * with the step for another reason, too (see `expose` in core/system.h). */
static bool is_link(const struct trace *t, size_t touch) {
  return t->accesses.at[t->touches.at[touch].access].mode & ACCESS_LINK;
}

void new_event_like(struct new_event_maker *g, const struct past_counts *count,
                    const struct event *e) {
  const struct trace *t = g->trace;
  size_t end = touches_end(t, e);
  for (size_t r = e->first_touch; r < end; r++)
    if (!is_link(t, r))
      configuration_visit(g->configuration, &g->event, count,
                          t->touches.at[r].cell, t->touches.at[r].mask,
                          new_event_mode_of(t, &t->touches.at[r]));
  new_event_choices(g, e->op);
}

/* ---- comparing ---------------------------------------------------------- */

/* Do the occurrence's visits from *at on cover the bytes of this touch of the
 * trace, whatever their places? */
static bool visits_cover(const struct unfolding *u, const struct occurrence *x,
                         uint32_t *at, const struct trace *t,
                         const struct touch *touch) {
  uint8_t bytes = touch->mask;
  uint16_t update = new_event_mode_of(t, touch).update;
  for (; bytes && *at < x->visit_count; ++*at) {
    const struct unfolding_visit *v = &u->visits.at[x->visits + *at];
    if (u->places.at[v->place].cell != touch->cell || (v->mask & ~bytes) ||
        v->mode != (touch->mode & ACCESS_WRITE) || v->update != update)
      return false;
    bytes &= (uint8_t)~v->mask;
  }
  return !bytes;
}

bool occurrence_is_like(const struct new_event_maker *g, uint32_t number,
                        const struct event *e) {
  const struct trace *t = g->trace;
  const struct unfolding *u = g->configuration->u;
  const struct occurrence *x = occurrence_at(u, number);
  uint32_t at = 0;
  size_t end = touches_end(t, e);
  for (size_t r = e->first_touch; r < end; r++)
    if (!is_link(t, r) && !visits_cover(u, x, &at, t, &t->touches.at[r]))
      return false;
  return at + has_choices(e->op, e->choices) == x->visit_count;
}
