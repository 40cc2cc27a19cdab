#include "core/realize.h"

#include <string.h>

#include "util/ensure.h"

void realizer_free(struct realizer *z) {
  VEC_FREE(z->before);
  VEC_FREE(z->saved);
  VEC_FREE(z->news);
  VEC_FREE(z->looked);
  VEC_FREE(z->open);
  VEC_FREE(z->untouched);
  VEC_FREE(z->last);
  VEC_FREE(z->done);
  VEC_FREE(z->delayed);
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

/* Events of p that can write as they did: the change is the last one of its
 * process. */
static uint32_t unchanged(const struct realizer *z, uint32_t p) {
  return z->wanted[p] - (p == z->late_proc);
}

/* ---- edges ----------------------------------------------------------------
 */

/* Adds to an event all that comes before another; false if nothing is new. */
static bool raise(uint32_t *row, const uint32_t *more, uint32_t processes) {
  bool changed = false;
  for (uint32_t p = 0; p < processes; p++)
    if (row[p] < more[p]) {
      row[p] = more[p];
      changed = true;
    }
  return changed;
}

/* The first wanted event of p that comes after this one, or is it. */
static uint32_t first_after(const struct realizer *z, uint32_t deed,
                            uint32_t p) {
  uint32_t low = 1, high = z->wanted[p];
  if (p == proc_of(z, deed))
    return index_of(z, deed);
  if (!high || !comes_before(z, deed, flow_deed(z->flow, p, high)))
    return high + 1; /* mostly */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (comes_before(z, deed, flow_deed(z->flow, p, middle)))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* From here on the schedule may not be as the flow was. */
static void move(struct realizer *z, uint32_t deed) {
  if (deed < z->same)
    z->same = deed;
}

/* Puts a before b; false: that is a circle. */
static bool add_edge(struct realizer *z, uint32_t a, uint32_t b) {
  if (comes_before(z, b, a))
    return false;
  if (comes_before(z, a, b))
    return true;
  const uint32_t *more = before(z, a);
  for (uint32_t p = 0; p < z->flow->processes; p++) {
    uint32_t first = first_after(z, b, p), k = first;
    while (k <= z->wanted[p] &&
           raise(before(z, flow_deed(z->flow, p, k)), more, z->flow->processes))
      k++; /* who comes later than one who knew it knows it, too */
    if (k == first)
      continue;
    VEC_PUSH(z->news, (struct stretch){p, first, k - 1, false});
    move(z, flow_deed(z->flow, p, first));
  }
  return true;
}

/* ---- sights ---------------------------------------------------------------
 */

/* An event that is to observe what a write left in an atom. */
struct sight {
  uint32_t reader; /* deed */
  uint32_t atom;
  uint32_t writer; /* 1 + deed, or 0 */
};

static struct sight sight_of(const struct realizer *z, uint32_t deed,
                             const struct item *item) {
  return (struct sight){deed, item->atom,
                        item->from ? z->flow->items.at[item->from - 1].event + 1
                                   : 0};
}

static bool is_wanted(const struct realizer *z, uint32_t deed) {
  return index_of(z, deed) <= z->wanted[proc_of(z, deed)];
}

/* All sights of an atom, one by one: *at is 1 + an item that was not looked at
 * yet, or 0 for the change. */
static bool next_sight(const struct realizer *z, uint32_t atom, uint32_t *at,
                       struct sight *s) {
  if (!*at) {
    *at = z->flow->atoms.at[atom].first + 1;
    for (uint32_t i = 0; i < z->change.count; i++)
      if (z->change.items[i].atom == atom && z->change.items[i].reads) {
        *s = sight_of(z, z->change.deed, &z->change.items[i]);
        return true;
      }
  }
  while (*at > 1) {
    const struct item *item = &z->flow->items.at[*at - 2];
    *at = item->next + 1;
    if (item->reads && item->event != z->change.deed &&
        is_wanted(z, item->event)) {
      *s = sight_of(z, item->event, item);
      return true;
    }
  }
  return false;
}

/* ---- saturation -----------------------------------------------------------
 */

/* The first write of a process to the atom that comes after the sight's, or
 * NOWHERE. */
static uint32_t next_write(const struct realizer *z, const struct sight *s,
                           const struct writer *w) {
  const struct write *writes = z->flow->writes.at + w->first;
  uint32_t low = 0, high = w->count, most = unchanged(z, w->proc);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, deed = writes[middle].deed;
    if (!s->writer || writes[middle].index > most ||
        (deed != s->writer - 1 && comes_before(z, s->writer - 1, deed)))
      high = middle;
    else
      low = middle + 1;
  }
  if (low < w->count && writes[low].index <= most)
    return writes[low].deed;
  if (w->proc == z->late_proc && change_writes(z, s->atom) &&
      (!s->writer || comes_before(z, s->writer - 1, z->change.deed)))
    return z->change.deed;
  return NOWHERE;
}

/* The last one that comes before the reader, or NOWHERE. */
static uint32_t previous_write(const struct realizer *z, const struct sight *s,
                               const struct writer *w) {
  uint32_t most = before(z, s->reader)[w->proc];
  if (w->proc == proc_of(z, s->reader))
    most--;
  if (w->proc == z->late_proc && most == index_of(z, z->change.deed)) {
    if (change_writes(z, s->atom))
      return z->change.deed;
    most--;
  }
  uint32_t within = flow_writes_within(z->flow, w, most);
  return within ? z->flow->writes.at[w->first + within - 1].deed : NOWHERE;
}

static bool order_next(struct realizer *z, const struct sight *s,
                       const struct writer *w) {
  uint32_t next = next_write(z, s, w);
  return next == NOWHERE || next == s->reader || add_edge(z, s->reader, next);
}

static bool order_previous(struct realizer *z, const struct sight *s,
                           const struct writer *w) {
  uint32_t previous = previous_write(z, s, w);
  if (previous == NOWHERE || previous + 1 == s->writer)
    return true;
  return s->writer && add_edge(z, previous, s->writer - 1);
}

/* The change may write where its process did not. */
static bool writes_newly(const struct realizer *z, uint32_t atom,
                         const struct writer *w, uint32_t count) {
  if (!change_writes(z, atom))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (w[i].proc == z->late_proc)
      return false;
  return true;
}

static bool saturate_for(struct realizer *z, const struct sight *s,
                         const struct writer *w, bool fresh) {
  return (!fresh || order_next(z, s, w)) && order_previous(z, s, w);
}

/* What a sight says; if it is not fresh, only what comes before the reader has
 * changed. */
static bool saturate_sight(struct realizer *z, const struct sight *s,
                           bool fresh) {
  uint32_t count;
  const struct writer *w = flow_writers(z->flow, s->atom, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!saturate_for(z, s, &w[i], fresh))
      return false;
  struct writer late = {z->late_proc, 0, 0};
  return !writes_newly(z, s->atom, w, count) ||
         saturate_for(z, s, &late, fresh);
}

/* What all sights of an atom say about the writes of one process. */
static bool saturate_writes(struct realizer *z, uint32_t atom, uint32_t p) {
  uint32_t count, at = 0;
  const struct writer *w = flow_writers(z->flow, atom, &count);
  struct writer writer = {p, 0, 0};
  struct sight s;
  for (uint32_t i = 0; i < count; i++)
    if (w[i].proc == p)
      writer = w[i];
  while (next_sight(z, atom, &at, &s))
    if (!order_next(z, &s, &writer))
      return false;
  return true;
}

/* What they say about one write. */
static bool saturate_write(struct realizer *z, uint32_t atom, uint32_t deed) {
  uint32_t at = 0;
  struct sight s;
  while (next_sight(z, atom, &at, &s))
    if (s.writer && s.writer - 1 != deed && s.reader != deed &&
        comes_before(z, s.writer - 1, deed) && !add_edge(z, s.reader, deed))
      return false;
  return true;
}

static bool saturate_item(struct realizer *z, uint32_t deed,
                          const struct item *item, const struct stretch *n) {
  struct sight s = sight_of(z, deed, item);
  if (item->reads && !saturate_sight(z, &s, n->fresh))
    return false;
  if (!item->writes || z->looked.at[item->atom] == z->stretches)
    return true;
  z->looked.at[item->atom] = z->stretches;
  return n->fresh ? saturate_writes(z, item->atom, n->proc)
                  : saturate_write(z, item->atom, deed);
}

/* What comes before these events is new.  If the events themselves are not, the
 * same has come before them all, and of their writes to an atom the first one
 * counts. */
static bool saturate_stretch(struct realizer *z, struct stretch n) {
  z->stretches++;
  for (uint32_t k = n.first; k <= n.last; k++) {
    uint32_t count, deed = flow_deed(z->flow, n.proc, k);
    const struct item *items = items_of(z, deed, &count);
    for (uint32_t i = 0; i < count; i++)
      if (!saturate_item(z, deed, &items[i], &n))
        return false;
  }
  return true;
}

static bool saturate(struct realizer *z) {
  while (z->news.size)
    if (!saturate_stretch(z, VEC_POP(z->news)))
      return false;
  return true;
}

/* ---- an order of the events -----------------------------------------------
 */

/* Who is still to observe what is there now. */
static uint32_t *watched(struct realizer *z, uint32_t atom) {
  return z->last.at[atom] ? &z->open.at[z->last.at[atom] - 1]
                          : &z->untouched.at[atom];
}

static void clear_schedule(struct realizer *z) {
  const struct flow *r = z->flow;
  z->schedule.size = z->delayed.size = z->left = 0;
  VEC_CLEARED(z->done, r->processes);
  VEC_CLEARED(z->last, r->atoms.size);
  VEC_CLEARED(z->untouched, r->atoms.size);
  VEC_CLEARED(z->open, r->items.size + 1);
}

static void schedule_same(struct realizer *z, uint32_t deed) {
  const struct deed *e = &z->flow->deeds.at[deed];
  for (uint32_t i = e->first_item; i < e->first_item + e->items; i++)
    if (z->flow->items.at[i].writes)
      z->last.at[z->flow->items.at[i].atom] = i + 1;
  z->done.at[e->proc]++;
  VEC_PUSH(z->schedule, deed);
}

static void watch(struct realizer *z, uint32_t deed) {
  uint32_t count;
  const struct item *items = items_of(z, deed, &count);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads)
      ++*(items[i].from ? &z->open.at[items[i].from - 1]
                        : &z->untouched.at[items[i].atom]);
}

/* As the flow, as long as nobody has moved. */
static void start_schedule(struct realizer *z) {
  const struct flow *r = z->flow;
  clear_schedule(z);
  for (uint32_t i = 0; i < z->same; i++)
    schedule_same(z, i);
  for (uint32_t p = 0; p < r->processes; p++)
    for (uint32_t k = z->done.at[p] + 1; k <= z->wanted[p]; k++) {
      watch(z, flow_deed(r, p, k));
      z->left++;
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

/* Does an event that is not wanted follow from what is in the schedule, or may
 * be? */
static bool may_go_along(const struct realizer *z, uint32_t deed) {
  return z->near && proc_of(z, deed) != z->late_proc &&
         deed < z->flow->length &&
         flow_cone(z->flow, deed)[z->late_proc] < index_of(z, z->change.deed);
}

/* Can it come now?  One that is not wanted must do what it did in the flow. */
static bool is_possible(struct realizer *z, uint32_t deed) {
  uint32_t p = proc_of(z, deed);
  bool ready = is_wanted(z, deed) ? is_done(z, p, before(z, deed))
                                  : is_done(z, p, flow_cone(z->flow, deed)) &&
                                        sees_the_same(z, deed);
  return ready && obstacle(z, deed) == NOWHERE;
}

/* It is somebody's turn who cannot come: later.  Who can never come is left
 * out, and so are all that follow it in its process. */
static void delay(struct realizer *z, uint32_t deed) {
  if (!is_wanted(z, deed) && !may_go_along(z, deed))
    return;
  size_t i = z->delayed.size;
  VEC_PUSH(z->delayed, deed);
  for (; i && z->delayed.at[i - 1] > deed; i--)
    z->delayed.at[i] = z->delayed.at[i - 1];
  z->delayed.at[i] = deed;
}

/* Takes the first of the delayed ones that can come now; NOWHERE: none can. */
static uint32_t choose_delayed(struct realizer *z) {
  for (size_t i = 0; i < z->delayed.size; i++) {
    uint32_t deed = z->delayed.at[i];
    if (!is_possible(z, deed))
      continue;
    z->delayed.size--;
    for (; i < z->delayed.size; i++)
      z->delayed.at[i] = z->delayed.at[i + 1];
    return deed;
  }
  return NOWHERE;
}

/* The next event in the order of the flow, from *at on, that can come. */
static uint32_t choose_next(struct realizer *z, uint32_t *at) {
  while (*at < z->flow->deeds.size) {
    uint32_t deed = (*at)++;
    if (index_of(z, deed) != z->done.at[proc_of(z, deed)] + 1)
      continue; /* somebody of its process is delayed */
    if ((is_wanted(z, deed) || may_go_along(z, deed)) && is_possible(z, deed))
      return deed;
    delay(z, deed);
  }
  return NOWHERE;
}

/* One that is wanted and only in the way of a read. */
static uint32_t find_stuck(struct realizer *z) {
  uint32_t stuck = NOWHERE;
  for (size_t i = 0; i < z->delayed.size; i++) {
    uint32_t deed = z->delayed.at[i];
    if (is_wanted(z, deed) && is_done(z, proc_of(z, deed), before(z, deed)) &&
        (stuck == NOWHERE || proc_of(z, deed) > proc_of(z, stuck)))
      stuck = deed;
  }
  return stuck;
}

/* NOWHERE if all that is wanted is scheduled, otherwise one that is stuck.
 * Others are scheduled between, where they do what they did: the nearer the
 * new run is to the old one, the less of it has been explored elsewhere. */
static uint32_t make_schedule(struct realizer *z) {
  uint32_t at = z->same;
  start_schedule(z);
  while (z->left) {
    uint32_t deed = choose_delayed(z);
    if (deed == NOWHERE)
      deed = choose_next(z, &at);
    if (deed == NOWHERE)
      return find_stuck(z);
    schedule(z, deed);
    uint32_t p = proc_of(z, deed), k = z->done.at[p] + 1;
    if (k <= flow_count(z->flow, p) && flow_deed(z->flow, p, k) < at)
      delay(z, flow_deed(z->flow, p, k));
  }
  return NOWHERE;
}

/* ---- assumptions ----------------------------------------------------------
 */

/* Somebody who is still to observe what the stuck write would overwrite. */
static struct sight hindered(struct realizer *z, uint32_t stuck) {
  uint32_t at = 0, atom = obstacle(z, stuck), item = z->last.at[atom];
  struct sight s;
  while (next_sight(z, atom, &at, &s))
    if (s.reader != stuck &&
        z->done.at[proc_of(z, s.reader)] < index_of(z, s.reader) &&
        s.writer == (item ? z->flow->items.at[item - 1].event + 1 : 0))
      return s;
  ensure(!"somebody is hindered");
  return s;
}

static bool solve(struct realizer *z);

static bool assume(struct realizer *z, uint32_t a, uint32_t b) {
  if (++z->assumed > REALIZE_MOST) {
    z->given_up = true;
    return false;
  }
  return add_edge(z, a, b) && solve(z);
}

static bool decide(struct realizer *z, uint32_t stuck) {
  struct sight s = hindered(z, stuck);
  size_t size = z->before.size, saved = z->saved.size;
  VEC_RESERVE(z->saved, size);
  memcpy(z->saved.at + saved, z->before.at, size * sizeof *z->before.at);
  z->saved.size += size;
  bool found = s.writer && assume(z, stuck, s.writer - 1);
  if (!found) {
    memcpy(z->before.at, z->saved.at + saved, size * sizeof *z->before.at);
    z->news.size = 0;
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

/* Adds a deed, and all that comes before it, unless the row knows it. */
static void join(const struct flow *r, const uint32_t *rows, uint32_t *row,
                 uint32_t deed) {
  const struct deed *e = &r->deeds.at[deed];
  if (row[e->proc] < e->index)
    raise(row, rows + (size_t)deed * r->processes, r->processes);
}

/* What comes before a deed because of what it does and observes. */
static void find_row(const struct flow *r, uint32_t *rows, uint32_t deed,
                     const struct item *items, uint32_t count) {
  const struct deed *e = &r->deeds.at[deed];
  uint32_t *row = rows + (size_t)deed * r->processes;
  size_t size = r->processes * sizeof *row;
  if (e->previous)
    memcpy(row, rows + (size_t)(e->previous - 1) * r->processes, size);
  else
    memset(row, 0, size);
  if (e->cause)
    join(r, rows, row, e->cause - 1);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads && items[i].from)
      join(r, rows, row, r->items.at[items[i].from - 1].event);
  row[e->proc] = e->index;
}

/* The same for all that are not wanted. */
static void find_other_rows(const struct flow *r, const uint32_t *wanted,
                            uint32_t *rows) {
  for (uint32_t i = 0; i < r->length; i++) {
    const struct deed *e = &r->deeds.at[i];
    if (e->index > wanted[e->proc])
      find_row(r, rows, i, &r->items.at[e->first_item], e->items);
  }
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
  z->same = flow->length;
  z->news.size = 0;
  while (z->looked.size < flow->atoms.size)
    VEC_PUSH(z->looked, 0);
  VEC_SIZED(z->before, flow->cones.size);
  memcpy(z->before.at, rows, flow->cones.size * sizeof *rows);
}

/* All that is wanted is new, but for the first `known` events. */
static void look_at(struct realizer *z, const uint32_t *known) {
  for (uint32_t p = 0; p < z->flow->processes; p++) {
    uint32_t first = known ? known[p] + 1 : 1;
    if (first <= z->wanted[p])
      VEC_PUSH(z->news, (struct stretch){p, first, z->wanted[p], true});
  }
}

bool realize_begin(struct realizer *z, const struct flow *flow,
                   struct start start, const uint32_t *wanted,
                   const struct change *change) {
  begin(z, flow, start.rows, wanted, change);
  find_row(flow, z->before.at, change->deed, change->items, change->count);
  look_at(z, start.known);
  for (uint32_t i = 0; i < change->count; i++) {
    struct sight s = sight_of(z, change->deed, &change->items[i]);
    if (change->items[i].reads && !saturate_sight(z, &s, true))
      return false;
  }
  return true;
}

/* The change moves, and whoever overwrites what it is to observe now. */
static void move_change(struct realizer *z) {
  move(z, z->change.deed);
  for (uint32_t i = 0; i < z->change.count; i++) {
    const struct item *item = &z->change.items[i];
    uint32_t next = item->from ? z->flow->items.at[item->from - 1].next
                               : z->flow->atoms.at[item->atom].first;
    while (next && !z->flow->items.at[next - 1].writes)
      next = z->flow->items.at[next - 1].next;
    if (item->reads && next)
      move(z, z->flow->items.at[next - 1].event);
  }
}

bool realize_end(struct realizer *z, bool near) {
  z->near = near;
  if (near)
    move_change(z);
  else
    z->same = 0;
  return solve(z);
}

void realize_rows(struct realizer *z, const struct flow *flow,
                  const uint32_t *wanted, uint32_t *rows) {
  struct change none = {NOWHERE, NULL, 0};
  begin(z, flow, flow->cones.at, wanted, &none);
  look_at(z, NULL);
  ensure(saturate(z)); /* the flow itself is such an execution */
  memcpy(rows, z->before.at, flow->cones.size * sizeof *rows);
  find_other_rows(flow, wanted, rows);
}

/* What was known before anything was assumed. */
static const uint32_t *settled(const struct realizer *z) {
  return z->assumed ? z->saved.at : z->before.at;
}

void realize_rows_again(struct realizer *z, const struct flow *flow,
                        const uint32_t *wanted, uint32_t *rows) {
  const struct flow *old = z->flow;
  size_t width = flow->processes;
  ensure(old->processes == width);
  memcpy(rows, flow->cones.at, flow->cones.size * sizeof *rows);
  for (uint32_t p = 0; p < width; p++)
    for (uint32_t k = 1; k <= wanted[p]; k++)
      memcpy(rows + flow_deed(flow, p, k) * width,
             settled(z) + flow_deed(old, p, k) * width, width * sizeof *rows);
  find_other_rows(flow, wanted, rows);
}
