#include "core/draft.h"

void drafting_free(struct drafting *g) {
  VEC_FREE(g->counts);
  VEC_FREE(g->draft.past);
  VEC_FREE(g->draft.visits);
}

/* ---- its past -------------------------------------------------------------
 */

void draft_begin(struct drafting *g, uint32_t proc, uint32_t choice,
                 uint32_t choices) {
  g->draft.proc = proc;
  g->draft.choice = choice;
  g->draft.choices = choices;
  g->draft.alike = false;
  g->draft.visits.size = g->counts.size = 0;
}

struct count draft_past(struct drafting *g, const struct event *e) {
  const struct trace *t = g->trace;
  const uint32_t *clock = &t->clocks.words.at[e->clock];
  struct count count = {e->index, clock[0], &clock[1]};
  g->draft.alike =
      e->previous && t->events.at[e->previous - 1].clock == e->clock;
  front_past(g->front, &g->draft, &count);
  return count;
}

static void reach(struct drafting *g, uint32_t width) {
  VEC_RESERVE(g->counts, width);
  while (g->counts.size < width)
    g->counts.at[g->counts.size++] = 0;
}

static void raise(struct drafting *g, uint32_t proc, uint32_t count) {
  if (g->counts.at[proc] < count)
    g->counts.at[proc] = count;
}

void draft_join(struct drafting *g, const struct event *e) {
  if (!e)
    return;
  const uint32_t *clock = &g->trace->clocks.words.at[e->clock];
  reach(g, clock[0] > e->proc ? clock[0] : e->proc + 1);
  for (uint32_t p = 0; p < clock[0]; p++)
    raise(g, p, clock[1 + p]);
  raise(g, e->proc, e->index);
}

struct count draft_close(struct drafting *g, uint32_t index) {
  struct count count = {index, (uint32_t)g->counts.size, g->counts.at};
  front_past(g->front, &g->draft, &count);
  return count;
}

/* ---- what it touches ------------------------------------------------------
 */

void draft_access(struct drafting *g, const struct count *count,
                  const struct access *a) {
  uint64_t last = access_last_granule(a);
  for (uint64_t granule = access_first_granule(a); granule <= last; granule++)
    front_visit(g->front, &g->draft, count, trace_cell(g->trace, granule),
                access_mask(a, granule), a->mode);
}

static bool has_choices(uint16_t op, uint32_t choices) {
  return op == OP_CHOOSE || op == OP_SIGNAL || op == OP_BLOCK || choices > 1;
}

void draft_choices(struct drafting *g, uint16_t op) {
  struct draft *d = &g->draft;
  if (has_choices(op, d->choices))
    draft_visit(d, trace_cell(g->trace, UINT64_MAX - d->proc), d->previous,
                0xff, ACCESS_WRITE);
}

void draft_like(struct drafting *g, const struct count *count,
                const struct event *e) {
  const struct trace *t = g->trace;
  size_t end = touches_end(t, e);
  for (size_t r = e->first_touch; r < end; r++)
    front_visit(g->front, &g->draft, count, t->touches.at[r].cell,
                t->touches.at[r].mask, t->touches.at[r].mode);
  draft_choices(g, e->op);
}

/* ---- comparing ------------------------------------------------------------
 */

/* Of the occurrence's visits from *at on: are these the bytes, in whatever
 * places, that a touch of the trace says? */
static bool visits_cover(const struct unfolding *u, const struct occurrence *x,
                         uint32_t *at, const struct touch *touch) {
  uint8_t bytes = touch->mask;
  for (; bytes && *at < x->visit_count; ++*at) {
    const struct visit *v = &u->visits.at[x->visits + *at];
    if (u->places.at[v->place].cell != touch->cell || (v->mask & ~bytes) ||
        v->mode != (touch->mode & ACCESS_WRITE))
      return false;
    bytes &= (uint8_t)~v->mask;
  }
  return !bytes;
}

bool occurrence_is_like(const struct drafting *g, uint32_t number,
                        const struct event *e) {
  const struct trace *t = g->trace;
  const struct unfolding *u = g->front->u;
  const struct occurrence *x = occurrence_at(u, number);
  uint32_t at = 0;
  size_t end = touches_end(t, e);
  for (size_t r = e->first_touch; r < end; r++)
    if (!visits_cover(u, x, &at, &t->touches.at[r]))
      return false;
  return at + has_choices(e->op, e->choices) == x->visit_count;
}
