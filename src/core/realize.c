#include "core/realize.h"

#include <string.h>

#include "util/ensure.h"

void realizer_free(struct realizer *z) {
  VEC_FREE(z->before);
  VEC_FREE(z->saved);
  VEC_FREE(z->sights);
  VEC_FREE(z->open);
  VEC_FREE(z->untouched);
  VEC_FREE(z->last);
  VEC_FREE(z->done);
  VEC_FREE(z->schedule);
}

/* ---- what is wanted -------------------------------------------------------
 */

static uint32_t *before(const struct realizer *z, uint32_t deed) {
  return &z->before.at[(size_t)deed * z->flow->processes];
}

static uint32_t proc_of(const struct realizer *z, uint32_t deed) {
  return z->flow->deeds.at[deed].proc;
}

static uint32_t index_of(const struct realizer *z, uint32_t deed) {
  return z->flow->deeds.at[deed].index;
}

/* a is b, or comes before it. */
static bool comes_before(const struct realizer *z, uint32_t a, uint32_t b) {
  return before(z, b)[proc_of(z, a)] >= index_of(z, a);
}

static const struct item *items_of(const struct realizer *z, uint32_t deed,
                                   uint32_t *count) {
  if (deed == z->change.deed) {
    *count = z->change.count;
    return z->change.items;
  }
  *count = z->flow->deeds.at[deed].items;
  return &z->flow->items.at[z->flow->deeds.at[deed].first_item];
}

static bool change_writes(const struct realizer *z, uint32_t atom) {
  for (uint32_t i = 0; i < z->change.count; i++)
    if (z->change.items[i].atom == atom && z->change.items[i].writes)
      return true;
  return false;
}

/* The writes of a process to an atom, in its order; the change apart. */
static const uint32_t *writes_of(const struct realizer *z, uint32_t atom,
                                 uint32_t p, uint32_t *count) {
  const struct flow *r = z->flow;
  const uint32_t *first = &r->first_write.at[atom * r->processes + p];
  *count = first[1] - first[0];
  return r->writes.at + first[0];
}

/* How many of these writes belong to the first `most` events of their process.
 */
static uint32_t writes_within(const struct realizer *z, const uint32_t *writes,
                              uint32_t count, uint32_t most) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t deed = z->flow->items.at[writes[middle]].event;
    if (index_of(z, deed) <= most)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Events of p that can write as they did: the change is the last one of its
 * process. */
static uint32_t unchanged(const struct realizer *z, uint32_t p) {
  return z->wanted[p] - (p == z->late_proc);
}

/* ---- edges ----------------------------------------------------------------
 */

/* Adds to an event all that comes before another; false if nothing is new. */
static bool raise(const struct realizer *z, uint32_t *row,
                  const uint32_t *more) {
  bool changed = false;
  for (uint32_t p = 0; p < z->flow->processes; p++)
    if (row[p] < more[p]) {
      row[p] = more[p];
      changed = true;
    }
  return changed;
}

/* The first wanted event of p that comes after this one, or is it. */
static uint32_t first_after(const struct realizer *z, uint32_t deed,
                            uint32_t p) {
  uint32_t low = 1, high = z->wanted[p] + 1;
  if (p == proc_of(z, deed))
    return index_of(z, deed);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (comes_before(z, deed, flow_deed(z->flow, p, middle)))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Puts a before b; false: that is a circle. */
static bool add_edge(struct realizer *z, uint32_t a, uint32_t b,
                     bool *changed) {
  if (comes_before(z, b, a))
    return false;
  if (comes_before(z, a, b))
    return true;
  *changed = true;
  const uint32_t *more = before(z, a);
  for (uint32_t p = 0; p < z->flow->processes; p++)
    for (uint32_t k = first_after(z, b, p); k <= z->wanted[p]; k++)
      if (!raise(z, before(z, flow_deed(z->flow, p, k)), more))
        break; /* who comes later knows it, too */
  return true;
}

/* ---- saturation -----------------------------------------------------------
 */

/* The first write of p to the atom that comes after the sight's, or NOWHERE. */
static uint32_t next_write(const struct realizer *z, const struct sight *s,
                           uint32_t p) {
  uint32_t count, low = 0;
  const uint32_t *writes = writes_of(z, s->atom, p, &count);
  uint32_t high = writes_within(z, writes, count, unchanged(z, p));
  uint32_t end = high;
  while (low < high && s->writer) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t deed = z->flow->items.at[writes[middle]].event;
    if (deed != s->writer - 1 && comes_before(z, s->writer - 1, deed))
      high = middle;
    else
      low = middle + 1;
  }
  if (low < end)
    return z->flow->items.at[writes[low]].event;
  uint32_t late = z->change.deed;
  if (p == z->late_proc && change_writes(z, s->atom) &&
      (!s->writer || comes_before(z, s->writer - 1, late)))
    return late;
  return NOWHERE;
}

/* The last write of p to the atom that comes before the reader, or NOWHERE. */
static uint32_t previous_write(const struct realizer *z, const struct sight *s,
                               uint32_t p) {
  uint32_t count, most = before(z, s->reader)[p];
  const uint32_t *writes = writes_of(z, s->atom, p, &count);
  uint32_t late = z->change.deed;
  if (p == proc_of(z, s->reader))
    most--;
  if (p == z->late_proc && most == index_of(z, late)) {
    if (change_writes(z, s->atom))
      return late;
    most--;
  }
  uint32_t within = writes_within(z, writes, count, most);
  return within ? z->flow->items.at[writes[within - 1]].event : NOWHERE;
}

/* What the sight says about the writes of one process. */
static bool saturate_sight(struct realizer *z, const struct sight *s,
                           uint32_t p, bool *changed) {
  uint32_t count;
  writes_of(z, s->atom, p, &count);
  if (!count && p != z->late_proc)
    return true; /* mostly */
  uint32_t next = next_write(z, s, p);
  if (next != NOWHERE && next != s->reader &&
      !add_edge(z, s->reader, next, changed))
    return false;
  uint32_t previous = previous_write(z, s, p);
  if (previous == NOWHERE || previous + 1 == s->writer)
    return true;
  return s->writer && add_edge(z, previous, s->writer - 1, changed);
}

static bool saturate_once(struct realizer *z, bool *changed) {
  for (size_t i = 0; i < z->sights.size; i++)
    for (uint32_t p = 0; p < z->flow->processes; p++)
      if (!saturate_sight(z, &z->sights.at[i], p, changed))
        return false;
  return true;
}

static bool saturate(struct realizer *z) {
  bool changed = true;
  while (changed) {
    changed = false;
    if (!saturate_once(z, &changed))
      return false;
  }
  return true;
}

/* ---- an order of the events -----------------------------------------------
 */

/* Who is still to observe what is there now. */
static uint32_t *watched(struct realizer *z, uint32_t atom) {
  return z->last.at[atom] ? &z->open.at[z->last.at[atom] - 1]
                          : &z->untouched.at[atom];
}

static void start_schedule(struct realizer *z) {
  const struct flow *r = z->flow;
  z->schedule.size = z->left = 0;
  memset(z->done.at, 0, z->done.size * sizeof *z->done.at);
  memset(z->last.at, 0, z->last.size * sizeof *z->last.at);
  memset(z->open.at, 0, z->open.size * sizeof *z->open.at);
  memset(z->untouched.at, 0, z->untouched.size * sizeof *z->untouched.at);
  for (uint32_t p = 0; p < r->processes; p++)
    for (uint32_t k = 1; k <= z->wanted[p]; k++) {
      uint32_t count;
      z->left++;
      const struct item *items = items_of(z, flow_deed(r, p, k), &count);
      for (uint32_t i = 0; i < count; i++)
        if (items[i].reads)
          ++*(items[i].from ? &z->open.at[items[i].from - 1]
                            : &z->untouched.at[items[i].atom]);
    }
}

/* Is all done that these counts say? */
static bool is_done(const struct realizer *z, uint32_t p, const uint32_t *row) {
  for (uint32_t q = 0; q < z->flow->processes; q++)
    if (q != p && row[q] > z->done.at[q])
      return false;
  return true;
}

/* The atom that it would overwrite too early, or NOWHERE. */
static uint32_t obstacle(struct realizer *z, uint32_t deed) {
  uint32_t count, p = proc_of(z, deed);
  bool wanted = z->done.at[p] < z->wanted[p];
  const struct item *items = items_of(z, deed, &count);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].writes &&
        *watched(z, items[i].atom) > (items[i].reads && wanted))
      return items[i].atom;
  return NOWHERE;
}

static void schedule(struct realizer *z, uint32_t deed) {
  uint32_t count;
  const struct item *items = items_of(z, deed, &count);
  bool wanted = z->done.at[proc_of(z, deed)] < z->wanted[proc_of(z, deed)];
  z->left -= wanted;
  for (uint32_t i = 0; i < count; i++) {
    if (items[i].reads && wanted)
      --*watched(z, items[i].atom);
    if (items[i].writes && deed != z->change.deed)
      z->last.at[items[i].atom] = (uint32_t)(&items[i] - z->flow->items.at) + 1;
    else if (items[i].writes) /* nobody is to observe it */
      z->last.at[items[i].atom] = (uint32_t)z->open.size;
  }
  z->done.at[proc_of(z, deed)]++;
  VEC_PUSH(z->schedule, deed);
}

/* Would it observe what it did? */
static bool sees_the_same(const struct realizer *z, uint32_t deed) {
  const struct deed *e = &z->flow->deeds.at[deed];
  for (uint32_t i = e->first_item; i < e->first_item + e->items; i++)
    if (z->flow->items.at[i].reads &&
        z->last.at[z->flow->items.at[i].atom] != z->flow->items.at[i].from)
      return false;
  return true;
}

/* Can an event that is not wanted do here what it did in the flow? */
static bool goes_along(const struct realizer *z, uint32_t deed) {
  const uint32_t *cone = flow_cone(z->flow, deed);
  uint32_t p = proc_of(z, deed);
  return z->near && p != z->late_proc && deed < z->flow->length &&
         cone[z->late_proc] < index_of(z, z->change.deed) &&
         is_done(z, p, cone) && sees_the_same(z, deed);
}

/* The one that is possible and was first in the flow; NOWHERE: there is none,
 * and *stuck is one that is in the way of a read. */
static uint32_t choose(struct realizer *z, uint32_t *stuck) {
  uint32_t best = NOWHERE;
  *stuck = NOWHERE;
  for (uint32_t p = 0; p < z->flow->processes; p++) {
    if (z->done.at[p] == flow_count(z->flow, p))
      continue;
    bool wanted = z->done.at[p] < z->wanted[p];
    uint32_t deed = flow_deed(z->flow, p, z->done.at[p] + 1);
    if (deed >= best ||
        !(wanted ? is_done(z, p, before(z, deed)) : goes_along(z, deed)))
      continue;
    if (obstacle(z, deed) == NOWHERE)
      best = deed;
    else if (wanted)
      *stuck = deed;
  }
  return best;
}

/* NOWHERE if all that is wanted is scheduled, otherwise one that is stuck.
 * Others are scheduled between, where they do what they did: the nearer the
 * new run is to the old one, the less of it has been explored elsewhere. */
static uint32_t make_schedule(struct realizer *z) {
  start_schedule(z);
  while (z->left) {
    uint32_t stuck, deed = choose(z, &stuck);
    if (deed == NOWHERE)
      return stuck;
    schedule(z, deed);
  }
  return NOWHERE;
}

/* ---- assumptions ----------------------------------------------------------
 */

/* Somebody who is still to observe what the stuck write would overwrite. */
static const struct sight *hindered(struct realizer *z, uint32_t stuck) {
  uint32_t atom = obstacle(z, stuck);
  uint32_t item = z->last.at[atom];
  for (size_t i = 0; i < z->sights.size; i++) {
    const struct sight *s = &z->sights.at[i];
    if (s->atom == atom && s->reader != stuck &&
        z->done.at[proc_of(z, s->reader)] < index_of(z, s->reader) &&
        s->writer == (item ? z->flow->items.at[item - 1].event + 1 : 0))
      return s;
  }
  ensure(!"somebody is hindered");
  return NULL;
}

static bool solve(struct realizer *z);

static bool assume(struct realizer *z, uint32_t a, uint32_t b) {
  bool changed;
  if (++z->assumed > REALIZE_MOST) {
    z->given_up = true;
    return false;
  }
  return add_edge(z, a, b, &changed) && solve(z);
}

static bool decide(struct realizer *z, uint32_t stuck) {
  struct sight s = *hindered(z, stuck);
  size_t size = z->before.size, saved = z->saved.size;
  VEC_RESERVE(z->saved, size);
  memcpy(z->saved.at + saved, z->before.at, size * sizeof *z->before.at);
  z->saved.size += size;
  bool found = s.writer && assume(z, stuck, s.writer - 1);
  if (!found) {
    memcpy(z->before.at, z->saved.at + saved, size * sizeof *z->before.at);
    found = assume(z, s.reader, stuck);
  }
  z->saved.size = saved;
  return found;
}

static bool solve(struct realizer *z) {
  if (!saturate(z))
    return false;
  uint32_t stuck = make_schedule(z);
  return stuck == NOWHERE || decide(z, stuck);
}

/* ---- the question ---------------------------------------------------------
 */

static void add_sights(struct realizer *z, uint32_t deed) {
  uint32_t count;
  const struct item *items = items_of(z, deed, &count);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads)
      VEC_PUSH(
          z->sights,
          (struct sight){deed, items[i].atom,
                         items[i].from
                             ? z->flow->items.at[items[i].from - 1].event + 1
                             : 0});
}

#define SIZED(v, n)    \
  do {                 \
    (v).size = 0;      \
    VEC_RESERVE(v, n); \
    (v).size = (n);    \
  } while (0)

static void join(const struct realizer *z, uint32_t *row, uint32_t one_more) {
  if (one_more)
    raise(z, row, before(z, one_more - 1));
}

/* What comes before a deed because of what it does and observes. */
static void find_row(struct realizer *z, uint32_t deed) {
  const struct flow *r = z->flow;
  const struct deed *e = &r->deeds.at[deed];
  uint32_t count, *row = before(z, deed);
  const struct item *items = items_of(z, deed, &count);
  join(z, row, e->previous);
  join(z, row, e->cause);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads && items[i].from)
      join(z, row, r->items.at[items[i].from - 1].event + 1);
  row[e->proc] = e->index;
}

static void begin(struct realizer *z, const struct flow *flow,
                  const uint32_t *rows, const uint32_t *wanted,
                  const struct change *change) {
  z->flow = flow;
  z->wanted = wanted;
  z->change = *change;
  z->late_proc =
      change->deed == NOWHERE ? NOWHERE : flow->deeds.at[change->deed].proc;
  z->assumed = 0;
  z->sights.size = 0;
  SIZED(z->before, flow->cones.size);
  memcpy(z->before.at, rows, flow->cones.size * sizeof *rows);
}

bool realize_begin(struct realizer *z, const struct flow *flow,
                   const uint32_t *rows, const uint32_t *wanted,
                   const struct change *change) {
  begin(z, flow, rows, wanted, change);
  memset(before(z, change->deed), 0, flow->processes * sizeof *rows);
  find_row(z, change->deed);
  add_sights(z, change->deed);
  return saturate_once(z, &(bool){false});
}

static void add_all_sights(struct realizer *z) {
  for (uint32_t p = 0; p < z->flow->processes; p++)
    for (uint32_t k = 1; k <= z->wanted[p]; k++) {
      uint32_t deed = flow_deed(z->flow, p, k);
      if (deed != z->change.deed)
        add_sights(z, deed);
    }
}

bool realize_end(struct realizer *z, bool near) {
  const struct flow *r = z->flow;
  z->near = near;
  SIZED(z->done, r->processes);
  SIZED(z->last, r->atoms.size);
  SIZED(z->untouched, r->atoms.size);
  SIZED(z->open, r->items.size + 1);
  add_all_sights(z);
  return solve(z);
}

void realize_rows(struct realizer *z, const struct flow *flow,
                  const uint32_t *wanted, uint32_t *rows) {
  struct change none = {NOWHERE, NULL, 0};
  begin(z, flow, flow->cones.at, wanted, &none);
  add_all_sights(z);
  ensure(saturate(z)); /* the flow itself is such an execution */
  for (uint32_t i = 0; i < flow->length; i++)
    if (flow->deeds.at[i].index > wanted[flow->deeds.at[i].proc])
      find_row(z, i);
  memcpy(rows, z->before.at, flow->cones.size * sizeof *rows);
}
