/* What an event of a run could observe instead.
 *
 * An access has one candidate for each write of the run to its atom, and the
 * initial content.  An event with several items observes a vector of writes.
 * The items are chosen one after another, and a vector without execution is
 * dropped on the way.
 *
 * The footprint of an atomic block depends on its observations.  So a block is
 * *tried*: its cone is run, then the block.  If it reads an item that was not
 * chosen yet, that item is chosen next.  This finds every vector that the block
 * can observe among the writes of the run: for every chosen item there is some
 * last write, whether the block comes to read it or not.
 */
#include <string.h>

#include "explore/datacentric/dc.h"
#include "util/ensure.h"

/* Adds an event's cone to the base. */
static void add_cone(struct dc *d, const struct reads_from *r, uint32_t event) {
  const struct rf_event *e = &r->events.at[event];
  if (d->base.at[e->proc] >= 2 * e->index)
    return; /* it is there, and its cone with it */
  const uint32_t *cone = rf_cone(r, event);
  for (uint32_t p = 0; p < r->processes; p++)
    if (d->base.at[p] < 2 * cone[p])
      d->base.at[p] = 2 * cone[p];
}

bool dc_find_base(struct dc *d, const struct dc_node *node, uint32_t event,
                  const struct rf_item *items, uint32_t count) {
  const struct reads_from *r = &node->run;
  const struct rf_event *e = &r->events.at[event];
  VEC_SIZED(d->base, r->processes);
  memset(d->base.at, 0, r->processes * sizeof *d->base.at);
  if (e->previous)
    add_cone(d, r, e->previous - 1);
  if (e->cause)
    add_cone(d, r, e->cause - 1);
  for (uint32_t i = 0; i < count; i++)
    if (items[i].reads && items[i].from)
      add_cone(d, r, r->items.at[items[i].from - 1].event);
  bool possible = d->base.at[e->proc] < 2 * e->index;
  d->base.at[e->proc] = 2 * e->index - 1;
  return possible;
}

/* Is there an execution with this observation, whatever the annotation? */
static bool is_possible(struct dc *d, const struct dc_node *node,
                        uint32_t event, const struct rf_item *items,
                        uint32_t count) {
  if (!dc_find_base(d, node, event, items, count))
    return false;
  d->wanted.size = 0;
  for (size_t p = 0; p < d->base.size; p++)
    VEC_PUSH(d->wanted, (d->base.at[p] + 1) / 2);
  struct linearize_change change = {event, items, count};
  d->x->counters->realize_calls++;
  struct linearize_start start = {node->run.cones.at, NULL};
  return linearize_begin(&d->linearizer, &node->run, start, d->wanted.at,
                         &change) &&
         linearize_end(&d->linearizer, false);
}

/* ---- trying ------------------------------------------------------------- */

/* Takes the system back to the longest prefix that the trace and the schedule
 * have in common, and returns its length. */
static size_t meet(struct dc *d, const struct reads_from *r) {
  const struct trace *t = &d->x->trace;
  size_t common = 0;
  while (common < d->synced && common + 1 < d->linearizer.schedule.size) {
    const struct rf_event *e = &r->events.at[d->linearizer.schedule.at[common]];
    if (t->events.at[common].proc != e->proc ||
        t->events.at[common].choice != e->choice)
      break;
    common++;
  }
  explorer_undo(d->x, common);
  return d->synced = common;
}

/* Runs the events that the event needs for this observation, then the event;
 * false if that is not possible. */
static bool try_out(struct dc *d, const struct dc_node *node, uint32_t event,
                    const struct rf_item *items, uint32_t count,
                    struct step *step) {
  const struct reads_from *r = &node->run;
  if (d->x->diverged || !is_possible(d, node, event, items, count))
    return false;
  const uint32_t *schedule = d->linearizer.schedule.at;
  size_t last = d->linearizer.schedule.size - 1;
  ensure(schedule[last] == event); /* all other events are in its cone */
  for (size_t i = meet(d, r); i < last; i++)
    if (!explorer_probe(d->x, r->events.at[schedule[i]].proc,
                        r->events.at[schedule[i]].choice, step))
      return false;
  return explorer_probe(d->x, r->events.at[event].proc, 0, step);
}

bool dc_would_write(struct dc *d, const struct dc_node *node, uint32_t event,
                    const struct rf_item *items, uint32_t count) {
  struct step step;
  bool writes = try_out(d, node, event, items, count, &step) && step.accesses &&
                (step.access[0].mode & ACCESS_WRITE);
  explorer_undo(d->x, d->synced);
  return writes;
}

/* ---- atomic blocks ------------------------------------------------------ */

/* The last write of the scheduled events to an atom: 1 + item, or 0. */
static uint32_t left_in(const struct dc *d, const struct reads_from *r,
                        uint32_t atom) {
  for (size_t i = d->linearizer.schedule.size - 1; i-- > 0;) {
    const struct rf_event *e = &r->events.at[d->linearizer.schedule.at[i]];
    for (uint32_t k = e->first_item; k < e->first_item + e->items; k++)
      if (r->items.at[k].atom == atom && r->items.at[k].writes)
        return k + 1;
  }
  return 0;
}

static void note_access(struct dc *d, const struct reads_from *r,
                        const struct access *a) {
  uint32_t first, count = rf_atoms(r, a->addr, a->size, &first);
  bool writes = a->mode & ACCESS_WRITE, looks = rf_looks(r, a, first);
  for (uint32_t atom = first; atom < first + count; atom++) {
    size_t i = 0;
    while (i < d->tried.size && d->tried.at[i].atom != atom)
      i++;
    if (i == d->tried.size)
      VEC_PUSH(d->tried, (struct rf_item){.atom = atom});
    d->tried.at[i].writes |= writes;
    if (looks) {
      d->tried.at[i].reads = true;
      d->tried.at[i].from = left_in(d, r, atom);
    }
  }
}

static void copy_marks(struct dc *d, uint32_t proc, bool look) {
  struct access mark;
  for (size_t i = d->accesses.size; i-- > 0;) {
    if (look && !(d->accesses.at[i].mode & ACCESS_WRITE))
      VEC_PUSH(d->accesses, rf_own_mark(proc, &d->accesses.at[i]));
    for (uint32_t n = 0;
         (d->accesses.at[i].mode & ACCESS_WRITE) &&
         (n = rf_mark(&d->maker, proc, &d->accesses.at[i], n, &mark));)
      VEC_PUSH(d->accesses, mark);
  }
}

/* Copies the accesses as rf_make() would. */
static void copy_accesses(struct dc *d, uint32_t proc,
                          const struct step *step) {
  const struct trace *t = &d->x->trace;
  bool overwrites = trace_overwrites(t, step);
  for (uint32_t i = 0; i < step->accesses; i++)
    VEC_PUSH(d->accesses, step->access[i]);
  trace_footprint(t, step->flags, d->accesses.at, step->accesses);
  for (uint32_t i = 0; i < step->accesses && overwrites; i++)
    if (d->accesses.at[i].mode & ACCESS_WRITE)
      d->accesses.at[i].mode |= ACCESS_BLIND;
  copy_marks(d, proc, step->flags & STEP_LOOK);
}

/* Tries the block with the observations on the stack. */
static bool try_block(struct dc *d, const struct dc_node *node, uint32_t event,
                      size_t from) {
  struct step step;
  bool possible = try_out(d, node, event, d->stack.at + from,
                          (uint32_t)(d->stack.size - from), &step);
  d->tried.size = d->accesses.size = 0;
  if (possible)
    copy_accesses(d, node->run.events.at[event].proc, &step);
  for (size_t i = 0; i < d->accesses.size; i++)
    note_access(d, &node->run, &d->accesses.at[i]);
  explorer_undo(d->x, d->synced);
  return possible;
}

/* ---- vectors ------------------------------------------------------------ */

static void add_option(struct dc_node *node, const struct rf_item *items,
                       uint32_t count, uint32_t pair) {
  VEC_PUSH(node->options,
           (struct dc_option){.first = (uint32_t)node->items.size,
                              .count = count,
                              .pair = pair});
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(node->items, items[i]);
}

static void add_block(struct dc *d, struct dc_node *node, uint32_t event) {
  uint32_t count = (uint32_t)d->tried.size;
  uint32_t pair = rf_pair_tried(&d->maker, &node->run, event, d->accesses.at,
                                (uint32_t)d->accesses.size, d->tried.at, count);
  bool known = pair == node->run.events.at[event].pair;
  for (size_t i = 0; i < node->options.size; i++)
    known |= node->options.at[i].pair == pair;
  if (!known)
    add_option(node, d->tried.at, count, pair);
}

static bool is_as_before(const struct reads_from *r, const struct rf_event *e,
                         const struct rf_item *items) {
  for (uint32_t i = 0; i < e->items; i++)
    if (items[i].from != r->items.at[e->first_item + i].from)
      return false;
  return true;
}

/* May the object offer what a blocking operation wants after this write?  The
 * next operation on the object says so. */
static bool is_offered(const struct reads_from *r, const struct rf_event *e,
                       const struct rf_item *item) {
  if (e->op == OP_TURN)
    return item->from; /* it waits for the only write */
  if (!e->wants || !(e->flags & STEP_BLOCKING))
    return true; /* it never waits */
  if (rf_is_mark(r->atoms.at[item->atom].from))
    return true; /* a look offers nothing */
  uint32_t next = item->from ? r->items.at[item->from - 1].next
                             : r->atoms.at[item->atom].first;
  if (!next)
    return true;
  const struct rf_event *other = &r->events.at[r->items.at[next - 1].event];
  return !op_table[other->op].offers || (other->offers & e->wants);
}

static void choose_items(struct dc *, struct dc_node *, uint32_t event,
                         size_t from);

/* The item on top of the stack observes this write. */
static void choose_write(struct dc *d, struct dc_node *node, uint32_t event,
                         size_t from, uint32_t write) {
  const struct reads_from *r = &node->run;
  VEC_TOP(d->stack).from = write;
  if (is_offered(r, &r->events.at[event], &VEC_TOP(d->stack)))
    choose_items(d, node, event, from);
}

static const uint32_t *row_of(const struct dc_node *node, uint32_t event) {
  return node->rows.at + (size_t)event * node->run.processes;
}

/* How many writes of a process to an atom come before the event in any case. */
static uint32_t before_event(const struct dc *d, const struct reads_from *r,
                             const struct rf_writer *w) {
  return rf_writes_within(r, w, d->past[w->proc]);
}

/* Is the write overwritten before the event, by one of `lasts`? */
static bool is_hidden(const struct dc *d, const struct dc_node *node,
                      const struct rf_write *write, uint32_t proc) {
  for (size_t i = 0; i < d->lasts.size; i++)
    if (d->lasts.at[i] != write->event &&
        row_of(node, d->lasts.at[i])[proc] >= write->index)
      return true;
  return false;
}

static void find_lasts(struct dc *d, const struct reads_from *r,
                       uint32_t atom) {
  uint32_t count, within;
  const struct rf_writer *w = rf_writers(r, atom, &count);
  d->lasts.size = 0;
  for (uint32_t i = 0; i < count; i++)
    if ((within = before_event(d, r, &w[i])))
      VEC_PUSH(d->lasts, r->writes.at[w[i].first + within - 1].event);
}

/* The candidates for an item: writes that do not come after the event, and are
 * not overwritten before it. */
static void find_candidates(struct dc *d, const struct dc_node *node,
                            uint32_t event, uint32_t atom) {
  const struct reads_from *r = &node->run;
  const struct rf_event *e = &r->events.at[event];
  uint32_t count;
  const struct rf_writer *w = rf_writers(r, atom, &count);
  find_lasts(d, r, atom);
  if (!d->lasts.size)
    VEC_PUSH(d->candidates, 0);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t within = before_event(d, r, &w[i]);
    for (uint32_t k = within ? within - 1 : 0; k < w[i].count; k++) {
      const struct rf_write *write = &r->writes.at[w[i].first + k];
      if (rf_cone(r, write->event)[e->proc] >= e->index)
        break;
      if (!is_hidden(d, node, write, w[i].proc))
        VEC_PUSH(d->candidates, write->item + 1);
    }
  }
}

static void choose_for(struct dc *d, struct dc_node *node, uint32_t event,
                       size_t from, struct rf_item item) {
  size_t first = d->candidates.size;
  find_candidates(d, node, event, item.atom);
  VEC_PUSH(d->stack, item);
  for (size_t i = first; i < d->candidates.size; i++)
    choose_write(d, node, event, from, d->candidates.at[i]);
  d->candidates.size = first;
  d->stack.size--;
}

static bool is_chosen(const struct dc *d, size_t from, uint32_t atom,
                      struct rf_item *chosen) {
  for (size_t i = from; i < d->stack.size; i++)
    if (d->stack.at[i].atom == atom) {
      *chosen = d->stack.at[i];
      return true;
    }
  return false;
}

/* A block: adds an option if all items that it reads are chosen; otherwise
 * chooses the next one. */
static void choose_in_block(struct dc *d, struct dc_node *node, uint32_t event,
                            size_t from) {
  struct rf_item item;
  if (!try_block(d, node, event, from))
    return;
  for (size_t i = 0; i < d->tried.size; i++)
    if (d->tried.at[i].reads &&
        !is_chosen(d, from, d->tried.at[i].atom, &item)) {
      item = (struct rf_item){.atom = d->tried.at[i].atom, .reads = true};
      choose_for(d, node, event, from, item);
      return;
    }
  add_block(d, node, event);
}

/* A look may have to wait before it is known what it observes.  So that comes
 * first, where it is in one place: the number of atoms. */
static uint32_t looked_at(const struct reads_from *r, const struct rf_event *e,
                          uint32_t *first) {
  const struct access *a = &r->accesses.at[e->first_access];
  return e->flags & STEP_LOOK ? rf_atoms(r, a->addr, a->size, first) : 0;
}

/* Chooses the items of the event after those on the stack. */
static void choose_items(struct dc *d, struct dc_node *node, uint32_t event,
                         size_t from) {
  const struct reads_from *r = &node->run;
  const struct rf_event *e = &r->events.at[event];
  uint32_t first = 0;
  size_t chosen = d->stack.size - from;
  if (e->varies && chosen < looked_at(r, e, &first)) {
    struct rf_item item = {.atom = first + (uint32_t)chosen, .reads = true};
    choose_for(d, node, event, from, item);
    return;
  }
  if (e->varies) {
    choose_in_block(d, node, event, from);
    return;
  }
  if (chosen > 1 &&
      !is_possible(d, node, event, d->stack.at + from, (uint32_t)chosen))
    return;
  if (chosen == e->items) {
    if (!is_as_before(r, e, d->stack.at + from))
      add_option(node, d->stack.at + from, e->items, 0);
    return;
  }
  struct rf_item item = r->items.at[e->first_item + chosen];
  if (item.reads) {
    choose_for(d, node, event, from, item);
    return;
  }
  VEC_PUSH(d->stack, item);
  choose_items(d, node, event, from);
  d->stack.size--;
}

/* ---- all ---------------------------------------------------------------- */

static void find_choices(struct dc *d, struct dc_node *node, uint32_t event) {
  const struct reads_from *r = &node->run;
  const struct rf_event *e = &r->events.at[event];
  uint32_t first = (uint32_t)node->items.size;
  for (uint32_t i = 0; i < e->items; i++)
    VEC_PUSH(node->items, r->items.at[e->first_item + i]);
  for (uint32_t c = 0; c < e->choices; c++)
    if (c != e->choice)
      VEC_PUSH(node->options,
               (struct dc_option){
                   .first = first,
                   .count = e->items,
                   .pair = annotation_pair_number(
                       &d->maker.pairs,
                       (struct annotation_pair){e->proc, e->index, true, c}),
                   .choice = (uint16_t)c,
                   .by_choice = true});
}

/* What comes before an event whatever it observes: mostly the row of another
 * event. */
static void find_past(struct dc *d, const struct dc_node *node,
                      const struct rf_event *e) {
  uint32_t processes = node->run.processes;
  if (e->previous || e->cause)
    d->past = row_of(node, (e->previous ? e->previous : e->cause) - 1);
  if ((e->previous && e->cause) || (!e->previous && !e->cause)) {
    VEC_SIZED(d->joined, processes);
    for (uint32_t p = 0; p < processes; p++) {
      uint32_t a = e->previous ? d->past[p] : 0;
      uint32_t b = e->cause ? row_of(node, e->cause - 1)[p] : 0;
      d->joined.at[p] = a < b ? b : a;
    }
    d->past = d->joined.at;
  }
}

void dc_find_options(struct dc *d, struct dc_node *node, uint32_t event) {
  const struct rf_event *e = &node->run.events.at[event];
  node->options.size = node->items.size = node->option = 0;
  bool taken = event < node->run.length;
  d->stack.size = d->candidates.size = 0;
  if (node->fixed.at[e->proc] < 2 * e->index - 1 && (e->pair || e->varies)) {
    find_past(d, node, e);
    choose_items(d, node, event, 0);
  }
  if (taken && e->choice_pair && node->fixed.at[e->proc] < 2 * e->index)
    find_choices(d, node, event);
}
