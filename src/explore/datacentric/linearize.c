#include "explore/datacentric/linearize.h"

#include <string.h>

#include "util/ensure.h"

void linearizer_free(struct linearizer *z) {
  VEC_FREE(z->before);
  VEC_FREE(z->saved);
  VEC_FREE(z->to_saturate);
  VEC_FREE(z->looked);
  VEC_FREE(z->open);
  VEC_FREE(z->untouched);
  VEC_FREE(z->last);
  VEC_FREE(z->done);
  VEC_FREE(z->delayed);
  VEC_FREE(z->schedule);
}

/* ---- what is wanted ----------------------------------------------------- */

static uint32_t *before(const struct linearizer *z, uint32_t event) {
  return &z->before.at[(size_t)event * z->run->processes];
}

static uint32_t proc_of(const struct linearizer *z, uint32_t event) {
  return z->run->events.at[event].proc;
}

static uint32_t index_of(const struct linearizer *z, uint32_t event) {
  return z->run->events.at[event].index;
}

/* Is a = b, or does a come before b? */
static bool comes_before(const struct linearizer *z, uint32_t a, uint32_t b) {
  return before(z, b)[proc_of(z, a)] >= index_of(z, a);
}

static const struct rf_item *items_of(const struct linearizer *z,
                                      uint32_t event, uint32_t *count) {
  if (event == z->change.event) {
    *count = z->change.count;
    return z->change.items;
  }
  *count = z->run->events.at[event].items;
  return &z->run->items.at[z->run->events.at[event].first_item];
}

static bool change_writes(const struct linearizer *z, uint32_t atom) {
  for (uint32_t i = 0; i < z->change.count; i++)
    if (z->change.items[i].atom == atom && z->change.items[i].writes)
      return true;
  return false;
}

/* How many wanted events of p write as they did: the change is the last one of
 * its process. */
static uint32_t unchanged(const struct linearizer *z, uint32_t p) {
  return z->wanted[p] - (p == z->changed_proc);
}

/* ---- edges -------------------------------------------------------------- */

/* Adds the counts `more` to a row; false if nothing is new. */
static bool raise(uint32_t *row, const uint32_t *more, uint32_t processes) {
  bool changed = false;
  for (uint32_t p = 0; p < processes; p++)
    if (row[p] < more[p]) {
      row[p] = more[p];
      changed = true;
    }
  return changed;
}

/* The index of the first wanted event of p that comes after this event, or is
 * it. */
static uint32_t first_after(const struct linearizer *z, uint32_t event,
                            uint32_t p) {
  uint32_t low = 1, high = z->wanted[p];
  if (p == proc_of(z, event))
    return index_of(z, event);
  if (!high || !comes_before(z, event, rf_event(z->run, p, high)))
    return high + 1; /* mostly */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (comes_before(z, event, rf_event(z->run, p, middle)))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* From this event on the schedule may differ from the run. */
static void move(struct linearizer *z, uint32_t event) {
  if (event < z->same)
    z->same = event;
}

/* Puts a before b; false: that is a circle. */
static bool add_edge(struct linearizer *z, uint32_t a, uint32_t b) {
  if (comes_before(z, b, a))
    return false;
  if (comes_before(z, a, b))
    return true;
  const uint32_t *more = before(z, a);
  for (uint32_t p = 0; p < z->run->processes; p++) {
    uint32_t first = first_after(z, b, p), k = first;
    while (k <= z->wanted[p] &&
           raise(before(z, rf_event(z->run, p, k)), more, z->run->processes))
      k++; /* the first event that has all of it ends the loop: later ones have
              it, too */
    if (k == first)
      continue;
    VEC_PUSH(z->to_saturate,
             (struct linearize_stretch){p, first, k - 1, false});
    move(z, rf_event(z->run, p, first));
  }
  return true;
}

/* ---- observations
 * ---------------------------------------------------------------
 */

/* An event that is to observe the write that another event left in an atom. */
struct observation {
  uint32_t reader; /* event */
  uint32_t atom;
  uint32_t writer; /* 1 + event, or 0 */
};

static struct observation observation_of(const struct linearizer *z,
                                         uint32_t event,
                                         const struct rf_item *item) {
  return (struct observation){
      event, item->atom,
      item->from ? z->run->items.at[item->from - 1].event + 1 : 0};
}

static bool is_wanted(const struct linearizer *z, uint32_t event) {
  return index_of(z, event) <= z->wanted[proc_of(z, event)];
}

/* Goes through the observations of an atom, that of the change first.  *at is 0
 * at the beginning, then 2 + the next item, and 1 at the end. */
static bool next_observation(const struct linearizer *z, uint32_t atom,
                             uint32_t *at, struct observation *s) {
  if (!*at) {
    *at = z->run->atoms.at[atom].first + 1;
    for (uint32_t i = 0; i < z->change.count; i++)
      if (z->change.items[i].atom == atom && z->change.items[i].reads) {
        *s = observation_of(z, z->change.event, &z->change.items[i]);
        return true;
      }
  }
  while (*at > 1) {
    const struct rf_item *item = &z->run->items.at[*at - 2];
    *at = item->next + 1;
    if (item->reads && item->event != z->change.event &&
        is_wanted(z, item->event)) {
      *s = observation_of(z, item->event, item);
      return true;
    }
  }
  return false;
}

/* ---- saturation --------------------------------------------------------- */

/* The first write of a process to the atom after the observed write, or
 * NOWHERE. */
static uint32_t next_write(const struct linearizer *z,
                           const struct observation *s,
                           const struct rf_writer *w) {
  const struct rf_write *writes = z->run->writes.at + w->first;
  uint32_t low = 0, high = w->count, most = unchanged(z, w->proc);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, event = writes[middle].event;
    if (!s->writer || writes[middle].index > most ||
        (event != s->writer - 1 && comes_before(z, s->writer - 1, event)))
      high = middle;
    else
      low = middle + 1;
  }
  if (low < w->count && writes[low].index <= most)
    return writes[low].event;
  if (w->proc == z->changed_proc && change_writes(z, s->atom) &&
      (!s->writer || comes_before(z, s->writer - 1, z->change.event)))
    return z->change.event;
  return NOWHERE;
}

/* The last write of a process to the atom before the reader, or NOWHERE. */
static uint32_t previous_write(const struct linearizer *z,
                               const struct observation *s,
                               const struct rf_writer *w) {
  uint32_t most = before(z, s->reader)[w->proc];
  if (w->proc == proc_of(z, s->reader))
    most--;
  if (w->proc == z->changed_proc && most == index_of(z, z->change.event)) {
    if (change_writes(z, s->atom))
      return z->change.event;
    most--;
  }
  uint32_t within = rf_writes_within(z->run, w, most);
  return within ? z->run->writes.at[w->first + within - 1].event : NOWHERE;
}

static bool order_next(struct linearizer *z, const struct observation *s,
                       const struct rf_writer *w) {
  uint32_t next = next_write(z, s, w);
  return next == NOWHERE || next == s->reader || add_edge(z, s->reader, next);
}

static bool order_previous(struct linearizer *z, const struct observation *s,
                           const struct rf_writer *w) {
  uint32_t previous = previous_write(z, s, w);
  if (previous == NOWHERE || previous + 1 == s->writer)
    return true;
  return s->writer && add_edge(z, previous, s->writer - 1);
}

/* Does the change write to an atom that its process did not write to? */
static bool writes_newly(const struct linearizer *z, uint32_t atom,
                         const struct rf_writer *w, uint32_t count) {
  if (!change_writes(z, atom))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (w[i].proc == z->changed_proc)
      return false;
  return true;
}

static bool saturate_for(struct linearizer *z, const struct observation *s,
                         const struct rf_writer *w, bool fresh) {
  return (!fresh || order_next(z, s, w)) && order_previous(z, s, w);
}

/* Saturates for one observation.  If it is not fresh, only the events before
 * the reader have changed. */
static bool saturate_observation(struct linearizer *z,
                                 const struct observation *s, bool fresh) {
  uint32_t count;
  const struct rf_writer *w = rf_writers(z->run, s->atom, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!saturate_for(z, s, &w[i], fresh))
      return false;
  struct rf_writer changed = {z->changed_proc, 0, 0};
  return !writes_newly(z, s->atom, w, count) ||
         saturate_for(z, s, &changed, fresh);
}

/* Saturates for all observations of an atom and the writes of one process. */
static bool saturate_writes(struct linearizer *z, uint32_t atom, uint32_t p) {
  uint32_t count, at = 0;
  const struct rf_writer *w = rf_writers(z->run, atom, &count);
  struct rf_writer writer = {p, 0, 0};
  struct observation s;
  for (uint32_t i = 0; i < count; i++)
    if (w[i].proc == p)
      writer = w[i];
  while (next_observation(z, atom, &at, &s))
    if (!order_next(z, &s, &writer))
      return false;
  return true;
}

/* The same for one write. */
static bool saturate_write(struct linearizer *z, uint32_t atom,
                           uint32_t event) {
  uint32_t at = 0;
  struct observation s;
  while (next_observation(z, atom, &at, &s))
    if (s.writer && s.writer - 1 != event && s.reader != event &&
        comes_before(z, s.writer - 1, event) && !add_edge(z, s.reader, event))
      return false;
  return true;
}

static bool saturate_item(struct linearizer *z, uint32_t event,
                          const struct rf_item *item,
                          const struct linearize_stretch *n) {
  struct observation s = observation_of(z, event, item);
  if (item->reads && !saturate_observation(z, &s, n->fresh))
    return false;
  if (!item->writes || z->looked.at[item->atom] == z->stretches)
    return true;
  z->looked.at[item->atom] = z->stretches;
  return n->fresh ? saturate_writes(z, item->atom, n->proc)
                  : saturate_write(z, item->atom, event);
}

/* Saturates for events that have more before them than before.  If the events
 * themselves are not fresh, the same has been added before all of them, and of
 * their writes to an atom only the first one counts. */
static bool saturate_stretch(struct linearizer *z, struct linearize_stretch n) {
  z->stretches++;
  for (uint32_t k = n.first; k <= n.last; k++) {
    uint32_t count, event = rf_event(z->run, n.proc, k);
    const struct rf_item *items = items_of(z, event, &count);
    for (uint32_t i = 0; i < count; i++)
      if (!saturate_item(z, event, &items[i], &n))
        return false;
  }
  return true;
}

static bool saturate(struct linearizer *z) {
  while (z->to_saturate.size)
    if (!saturate_stretch(z, VEC_POP(z->to_saturate)))
      return false;
  return true;
}

/* ---- an order of the events --------------------------------------------- */

/* How many events are still to observe the present content of the atom. */
static uint32_t *watched(struct linearizer *z, uint32_t atom) {
  return z->last.at[atom] ? &z->open.at[z->last.at[atom] - 1]
                          : &z->untouched.at[atom];
}

static void clear_schedule(struct linearizer *z) {
  const struct reads_from *r = z->run;
  z->schedule.size = z->delayed.size = z->left = 0;
  VEC_CLEARED(z->done, r->processes);
  VEC_CLEARED(z->last, r->atoms.size);
  VEC_CLEARED(z->untouched, r->atoms.size);
  VEC_CLEARED(z->open, r->items.size + 1);
}

static void schedule_same(struct linearizer *z, uint32_t event) {
  const struct rf_event *e = &z->run->events.at[event];
  for (uint32_t i = e->first_item; i < e->first_item + e->items; i++)
    if (z->run->items.at[i].writes)
      z->last.at[z->run->items.at[i].atom] = i + 1;
  z->done.at[e->proc]++;
  VEC_PUSH(z->schedule, event);
}

static void watch(struct linearizer *z, uint32_t event) {
  uint32_t count;
  const struct rf_item *items = items_of(z, event, &count);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads)
      ++*(items[i].from ? &z->open.at[items[i].from - 1]
                        : &z->untouched.at[items[i].atom]);
}

/* The schedule begins like the run, up to the first event that moves. */
static void start_schedule(struct linearizer *z) {
  const struct reads_from *r = z->run;
  clear_schedule(z);
  for (uint32_t i = 0; i < z->same; i++)
    schedule_same(z, i);
  for (uint32_t p = 0; p < r->processes; p++)
    for (uint32_t k = z->done.at[p] + 1; k <= z->wanted[p]; k++) {
      watch(z, rf_event(r, p, k));
      z->left++;
    }
}

/* Are all events that these counts demand scheduled? */
static bool is_done(const struct linearizer *z, uint32_t p,
                    const uint32_t *row) {
  for (uint32_t q = 0; q < z->run->processes; q++)
    if (q != p && row[q] > z->done.at[q])
      return false;
  return true;
}

/* The atom that the event would overwrite too early, or NOWHERE. */
static uint32_t obstacle(struct linearizer *z, uint32_t event) {
  uint32_t count, p = proc_of(z, event);
  bool wanted = z->done.at[p] < z->wanted[p];
  const struct rf_item *items = items_of(z, event, &count);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].writes &&
        *watched(z, items[i].atom) > (items[i].reads && wanted))
      return items[i].atom;
  return NOWHERE;
}

static void schedule(struct linearizer *z, uint32_t event) {
  uint32_t count;
  const struct rf_item *items = items_of(z, event, &count);
  bool wanted = z->done.at[proc_of(z, event)] < z->wanted[proc_of(z, event)];
  z->left -= wanted;
  for (uint32_t i = 0; i < count; i++) {
    if (items[i].reads && wanted)
      --*watched(z, items[i].atom);
    if (items[i].writes && event != z->change.event)
      z->last.at[items[i].atom] = (uint32_t)(&items[i] - z->run->items.at) + 1;
    else if (items[i].writes) /* no event is to observe it */
      z->last.at[items[i].atom] = (uint32_t)z->open.size;
  }
  z->done.at[proc_of(z, event)]++;
  VEC_PUSH(z->schedule, event);
}

/* Would the event observe what it did in the run? */
static bool sees_the_same(const struct linearizer *z, uint32_t event) {
  const struct rf_event *e = &z->run->events.at[event];
  for (uint32_t i = e->first_item; i < e->first_item + e->items; i++)
    if (z->run->items.at[i].reads &&
        z->last.at[z->run->items.at[i].atom] != z->run->items.at[i].from)
      return false;
  return true;
}

/* May an event that is not wanted be scheduled?  Its cone must not contain the
 * change. */
static bool may_go_along(const struct linearizer *z, uint32_t event) {
  return z->near && proc_of(z, event) != z->changed_proc &&
         event < z->run->length &&
         rf_cone(z->run, event)[z->changed_proc] < index_of(z, z->change.event);
}

/* Can the event be scheduled now?  One that is not wanted must do what it did
 * in the run. */
static bool is_possible(struct linearizer *z, uint32_t event) {
  uint32_t p = proc_of(z, event);
  bool ready = is_wanted(z, event) ? is_done(z, p, before(z, event))
                                   : is_done(z, p, rf_cone(z->run, event)) &&
                                         sees_the_same(z, event);
  return ready && obstacle(z, event) == NOWHERE;
}

/* It is the event's turn, but it cannot be scheduled: later.  An event that
 * never can is left out, and so are all that follow it in its process. */
static void delay(struct linearizer *z, uint32_t event) {
  if (!is_wanted(z, event) && !may_go_along(z, event))
    return;
  size_t i = z->delayed.size;
  VEC_PUSH(z->delayed, event);
  for (; i && z->delayed.at[i - 1] > event; i--)
    z->delayed.at[i] = z->delayed.at[i - 1];
  z->delayed.at[i] = event;
}

/* Takes out the first delayed event that can be scheduled now; NOWHERE if there
 * is none. */
static uint32_t choose_delayed(struct linearizer *z) {
  for (size_t i = 0; i < z->delayed.size; i++) {
    uint32_t event = z->delayed.at[i];
    if (!is_possible(z, event))
      continue;
    z->delayed.size--;
    for (; i < z->delayed.size; i++)
      z->delayed.at[i] = z->delayed.at[i + 1];
    return event;
  }
  return NOWHERE;
}

/* The next event in the order of the run, from *at on, that can be scheduled.
 */
static uint32_t choose_next(struct linearizer *z, uint32_t *at) {
  while (*at < z->run->events.size) {
    uint32_t event = (*at)++;
    if (index_of(z, event) != z->done.at[proc_of(z, event)] + 1)
      continue; /* an earlier event of its process is delayed */
    if ((is_wanted(z, event) || may_go_along(z, event)) &&
        is_possible(z, event))
      return event;
    delay(z, event);
  }
  return NOWHERE;
}

/* A delayed event that is wanted, and waits only for reads of what it
 * overwrites. */
static uint32_t find_stuck(struct linearizer *z) {
  uint32_t stuck = NOWHERE;
  for (size_t i = 0; i < z->delayed.size; i++) {
    uint32_t event = z->delayed.at[i];
    if (is_wanted(z, event) &&
        is_done(z, proc_of(z, event), before(z, event)) &&
        (stuck == NOWHERE || proc_of(z, event) > proc_of(z, stuck)))
      stuck = event;
  }
  return stuck;
}

/* Returns NOWHERE if all wanted events are scheduled, otherwise one that is
 * stuck.  Other events are scheduled between them, where they do what they did:
 * the nearer the new run is to the old one, the less of it has been explored
 * elsewhere. */
static uint32_t make_schedule(struct linearizer *z) {
  uint32_t at = z->same;
  start_schedule(z);
  while (z->left) {
    uint32_t event = choose_delayed(z);
    if (event == NOWHERE)
      event = choose_next(z, &at);
    if (event == NOWHERE)
      return find_stuck(z);
    schedule(z, event);
    uint32_t p = proc_of(z, event), k = z->done.at[p] + 1;
    if (k <= rf_count(z->run, p) && rf_event(z->run, p, k) < at)
      delay(z, rf_event(z->run, p, k));
  }
  return NOWHERE;
}

/* ---- assumptions -------------------------------------------------------- */

/* An observation, still to be made, of the write that the stuck event would
 * overwrite. */
static struct observation hindered(struct linearizer *z, uint32_t stuck) {
  uint32_t at = 0, atom = obstacle(z, stuck), item = z->last.at[atom];
  struct observation s;
  while (next_observation(z, atom, &at, &s))
    if (s.reader != stuck &&
        z->done.at[proc_of(z, s.reader)] < index_of(z, s.reader) &&
        s.writer == (item ? z->run->items.at[item - 1].event + 1 : 0))
      return s;
  ensure(!"a reader is hindered");
  return s;
}

static bool solve(struct linearizer *z);

static bool assume(struct linearizer *z, uint32_t a, uint32_t b) {
  if (++z->assumed > LINEARIZE_MOST) {
    z->given_up = true;
    return false;
  }
  return add_edge(z, a, b) && solve(z);
}

static bool decide(struct linearizer *z, uint32_t stuck) {
  struct observation s = hindered(z, stuck);
  size_t size = z->before.size, saved = z->saved.size;
  VEC_RESERVE(z->saved, size);
  memcpy(z->saved.at + saved, z->before.at, size * sizeof *z->before.at);
  z->saved.size += size;
  bool found = s.writer && assume(z, stuck, s.writer - 1);
  if (!found) {
    memcpy(z->before.at, z->saved.at + saved, size * sizeof *z->before.at);
    z->to_saturate.size = 0;
    found = assume(z, s.reader, stuck);
  }
  z->saved.size = saved;
  return found;
}

static bool solve(struct linearizer *z) {
  if (!saturate(z))
    return false;
  uint32_t stuck = make_schedule(z);
  return stuck == NOWHERE || decide(z, stuck);
}

/* ---- the question ------------------------------------------------------- */

/* Adds an event and all events before it to the row, unless it has them. */
static void join(const struct reads_from *r, const uint32_t *rows,
                 uint32_t *row, uint32_t event) {
  const struct rf_event *e = &r->events.at[event];
  if (row[e->proc] < e->index)
    raise(row, rows + (size_t)event * r->processes, r->processes);
}

/* The row of an event: what comes before it because of what it does and
 * observes. */
static void find_row(const struct reads_from *r, uint32_t *rows, uint32_t event,
                     const struct rf_item *items, uint32_t count) {
  const struct rf_event *e = &r->events.at[event];
  uint32_t *row = rows + (size_t)event * r->processes;
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

/* The same for all events that are not wanted. */
static void find_other_rows(const struct reads_from *r, const uint32_t *wanted,
                            uint32_t *rows) {
  for (uint32_t i = 0; i < r->length; i++) {
    const struct rf_event *e = &r->events.at[i];
    if (e->index > wanted[e->proc])
      find_row(r, rows, i, &r->items.at[e->first_item], e->items);
  }
}

static void begin(struct linearizer *z, const struct reads_from *run,
                  const uint32_t *rows, const uint32_t *wanted,
                  const struct linearize_change *change) {
  z->run = run;
  z->wanted = wanted;
  z->change = *change;
  z->changed_proc =
      change->event == NOWHERE ? NOWHERE : run->events.at[change->event].proc;
  z->assumed = 0;
  z->same = run->length;
  z->to_saturate.size = 0;
  while (z->looked.size < run->atoms.size)
    VEC_PUSH(z->looked, 0);
  VEC_SIZED(z->before, run->cones.size);
  memcpy(z->before.at, rows, run->cones.size * sizeof *rows);
}

/* All wanted events are fresh, except the first `known` ones of each process.
 */
static void look_at(struct linearizer *z, const uint32_t *known) {
  for (uint32_t p = 0; p < z->run->processes; p++) {
    uint32_t first = known ? known[p] + 1 : 1;
    if (first <= z->wanted[p])
      VEC_PUSH(z->to_saturate,
               (struct linearize_stretch){p, first, z->wanted[p], true});
  }
}

bool linearize_begin(struct linearizer *z, const struct reads_from *run,
                     struct linearize_start start, const uint32_t *wanted,
                     const struct linearize_change *change) {
  begin(z, run, start.rows, wanted, change);
  find_row(run, z->before.at, change->event, change->items, change->count);
  look_at(z, start.known);
  for (uint32_t i = 0; i < change->count; i++) {
    struct observation s = observation_of(z, change->event, &change->items[i]);
    if (change->items[i].reads && !saturate_observation(z, &s, true))
      return false;
  }
  return true;
}

/* The change moves, and so does the event that overwrites what it is to observe
 * now. */
static void reschedule_change(struct linearizer *z) {
  move(z, z->change.event);
  for (uint32_t i = 0; i < z->change.count; i++) {
    const struct rf_item *item = &z->change.items[i];
    uint32_t next = item->from ? z->run->items.at[item->from - 1].next
                               : z->run->atoms.at[item->atom].first;
    while (next && !z->run->items.at[next - 1].writes)
      next = z->run->items.at[next - 1].next;
    if (item->reads && next)
      move(z, z->run->items.at[next - 1].event);
  }
}

bool linearize_end(struct linearizer *z, bool near) {
  z->near = near;
  if (near)
    reschedule_change(z);
  else
    z->same = 0;
  bool found = solve(z);
  if (HOSTILE && found)
    linearize_check(z);
  return found;
}

void linearize_rows(struct linearizer *z, const struct reads_from *run,
                    const uint32_t *wanted, uint32_t *rows) {
  struct linearize_change none = {NOWHERE, NULL, 0};
  begin(z, run, run->cones.at, wanted, &none);
  look_at(z, NULL);
  ensure(saturate(z)); /* the run itself is such an execution */
  memcpy(rows, z->before.at, run->cones.size * sizeof *rows);
  find_other_rows(run, wanted, rows);
}

/* The order before anything was assumed. */
static const uint32_t *order_without_assumptions(const struct linearizer *z) {
  return z->assumed ? z->saved.at : z->before.at;
}

void linearize_rows_again(struct linearizer *z, const struct reads_from *run,
                          const uint32_t *wanted, uint32_t *rows) {
  const struct reads_from *old = z->run;
  size_t width = run->processes;
  ensure(old->processes == width);
  memcpy(rows, run->cones.at, run->cones.size * sizeof *rows);
  for (uint32_t p = 0; p < width; p++)
    for (uint32_t k = 1; k <= wanted[p]; k++)
      memcpy(rows + rf_event(run, p, k) * width,
             order_without_assumptions(z) + rf_event(old, p, k) * width,
             width * sizeof *rows);
  find_other_rows(run, wanted, rows);
}

/* ---- checking ----------------------------------------------------------- */

/* What an item observes, in terms of the run: 1 + item, or 0.  `last` has for
 * each atom the item that wrote last, or NOWHERE if the change did. */
static void check_event(const struct linearizer *z, uint32_t event,
                        uint32_t *last) {
  uint32_t count;
  const struct rf_item *items = items_of(z, event, &count);
  for (uint32_t i = 0; i < count; i++)
    ensure(!items[i].reads || items[i].from == last[items[i].atom]);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].writes)
      last[items[i].atom] = event == z->change.event
                                ? NOWHERE
                                : (uint32_t)(&items[i] - z->run->items.at) + 1;
}

void linearize_check(const struct linearizer *z) {
  struct {
    VEC(uint32_t) last; /* by atom */
    VEC(uint32_t) done; /* by process */
  } now = {0};
  VEC_CLEARED(now.last, z->run->atoms.size);
  VEC_CLEARED(now.done, z->run->processes);
  for (size_t i = 0; i < z->schedule.size; i++) {
    uint32_t event = z->schedule.at[i];
    ensure(index_of(z, event) == ++now.done.at[proc_of(z, event)]);
    check_event(z, event, now.last.at);
  }
  for (uint32_t p = 0; p < z->run->processes; p++)
    ensure(now.done.at[p] >= z->wanted[p]);
  VEC_FREE(now.last);
  VEC_FREE(now.done);
}
