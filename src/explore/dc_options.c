/* What an event of a run could observe instead of what it did.
 *
 * An access has one candidate for each write of the run to its atom, and what
 * was there at the start.  An event with several items observes a vector: items
 * are chosen one after another, and what has no execution is dropped on the
 * way.
 *
 * What an atomic block touches depends on what it observes.  So a block is
 * *tried*: its cone is run, then the block, and an item that it reads and that
 * was not chosen yet is chosen next.  This finds every vector that it can
 * observe among the writes of the run: for every item that is chosen there is
 * some last write, whether the block comes to read it or not.
 */
#include <string.h>

#include "explore/dc.h"
#include "util/ensure.h"

/* Adds a deed's cone to the base. */
static void add_cone(struct dc *d, const struct flow *r, uint32_t deed) {
  const struct deed *e = &r->deeds.at[deed];
  if (d->base.at[e->proc] >= 2 * e->index)
    return; /* it is there, and its cone with it */
  const uint32_t *cone = flow_cone(r, deed);
  for (uint32_t p = 0; p < r->processes; p++)
    if (d->base.at[p] < 2 * cone[p])
      d->base.at[p] = 2 * cone[p];
}

bool dc_find_base(struct dc *d, const struct node *node, uint32_t deed,
                  const struct item *items, uint32_t count) {
  const struct flow *r = &node->flow;
  const struct deed *e = &r->deeds.at[deed];
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

/* Is there an execution in which it observes this, whatever the annotation? */
static bool is_possible(struct dc *d, const struct node *node, uint32_t deed,
                        const struct item *items, uint32_t count) {
  if (!dc_find_base(d, node, deed, items, count))
    return false;
  d->wanted.size = 0;
  for (size_t p = 0; p < d->base.size; p++)
    VEC_PUSH(d->wanted, (d->base.at[p] + 1) / 2);
  struct change change = {deed, items, count};
  d->x->counters->realize_calls++;
  struct start start = {node->flow.cones.at, NULL};
  return realize_begin(&d->realizer, &node->flow, start, d->wanted.at,
                       &change) &&
         realize_end(&d->realizer, false);
}

/* ---- trying ---------------------------------------------------------------
 */

static bool take(struct dc *d, const struct deed *e, unsigned choice,
                 struct step *step) {
  struct system *s = d->x->system;
  return s->ops->enabled(s, e->proc) &&
         s->ops->step(s, e->proc, choice, step) != STEP_REFUSED;
}

/* Takes the system to the state after as much of the schedule as the trace has
 * in common with it. */
static size_t meet(struct dc *d, const struct flow *r) {
  const struct trace *t = &d->x->trace;
  size_t common = 0;
  while (common < d->synced && common + 1 < d->realizer.schedule.size) {
    const struct deed *e = &r->deeds.at[d->realizer.schedule.at[common]];
    if (t->events.at[common].proc != e->proc ||
        t->events.at[common].choice != e->choice)
      break;
    common++;
  }
  explorer_undo(d->x, common);
  return d->synced = common;
}

/* Runs what the deed needs to observe this, and the deed; false if that is not
 * possible. */
static bool try_out(struct dc *d, const struct node *node, uint32_t deed,
                    const struct item *items, uint32_t count,
                    struct step *step) {
  const struct flow *r = &node->flow;
  if (d->x->diverged || !is_possible(d, node, deed, items, count))
    return false;
  const uint32_t *schedule = d->realizer.schedule.at;
  size_t last = d->realizer.schedule.size - 1;
  ensure(schedule[last] == deed); /* all else is in its cone */
  for (size_t i = meet(d, r); i < last; i++)
    if (!take(d, &r->deeds.at[schedule[i]], r->deeds.at[schedule[i]].choice,
              step))
      return false;
  return take(d, &r->deeds.at[deed], 0, step);
}

bool dc_would_write(struct dc *d, const struct node *node, uint32_t deed,
                    const struct item *items, uint32_t count) {
  struct step step;
  bool writes = try_out(d, node, deed, items, count, &step) && step.accesses &&
                (step.access[0].mode & ACCESS_WRITE);
  explorer_undo(d->x, d->synced);
  return writes;
}

/* ---- atomic blocks --------------------------------------------------------
 */

/* What the scheduled events left in an atom: 1 + item, or 0. */
static uint32_t left_in(const struct dc *d, const struct flow *r,
                        uint32_t atom) {
  for (size_t i = d->realizer.schedule.size - 1; i-- > 0;) {
    const struct deed *e = &r->deeds.at[d->realizer.schedule.at[i]];
    for (uint32_t k = e->first_item; k < e->first_item + e->items; k++)
      if (r->items.at[k].atom == atom && r->items.at[k].writes)
        return k + 1;
  }
  return 0;
}

static void note_access(struct dc *d, const struct flow *r,
                        const struct access *a) {
  uint32_t first, count = flow_atoms(r, a->addr, a->size, &first);
  bool writes = a->mode & ACCESS_WRITE, looks = flow_looks(r, a, first);
  for (uint32_t atom = first; atom < first + count; atom++) {
    size_t i = 0;
    while (i < d->tried.size && d->tried.at[i].atom != atom)
      i++;
    if (i == d->tried.size)
      VEC_PUSH(d->tried, (struct item){.atom = atom});
    d->tried.at[i].writes |= writes;
    if (looks) {
      d->tried.at[i].reads = true;
      d->tried.at[i].from = left_in(d, r, atom);
    }
  }
}

/* As they would be in the flow of a run. */
static void copy_accesses(struct dc *d, const struct step *step) {
  const struct trace *t = &d->x->trace;
  bool overwrites = trace_overwrites(t, step);
  for (uint32_t i = 0; i < step->accesses; i++)
    VEC_PUSH(d->accesses, step->access[i]);
  trace_footprint(t, step->flags, d->accesses.at, step->accesses);
  for (uint32_t i = 0; i < step->accesses && overwrites; i++)
    if (d->accesses.at[i].mode & ACCESS_WRITE)
      d->accesses.at[i].mode |= ACCESS_BLIND;
}

/* What the block does if it observes the items on the stack. */
static bool try_block(struct dc *d, const struct node *node, uint32_t deed,
                      size_t from) {
  struct step step;
  bool possible = try_out(d, node, deed, d->stack.at + from,
                          (uint32_t)(d->stack.size - from), &step);
  d->tried.size = d->accesses.size = 0;
  if (possible)
    copy_accesses(d, &step);
  for (size_t i = 0; i < d->accesses.size; i++)
    note_access(d, &node->flow, &d->accesses.at[i]);
  explorer_undo(d->x, d->synced);
  return possible;
}

/* ---- vectors --------------------------------------------------------------
 */

static void add_option(struct node *node, const struct item *items,
                       uint32_t count, uint32_t pair) {
  VEC_PUSH(node->options, (struct option){.first = (uint32_t)node->items.size,
                                          .count = count,
                                          .pair = pair});
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH(node->items, items[i]);
}

static void add_block(struct dc *d, struct node *node, uint32_t deed) {
  uint32_t count = (uint32_t)d->tried.size;
  uint32_t pair =
      flow_pair_tried(&d->maker, &node->flow, deed, d->accesses.at,
                      (uint32_t)d->accesses.size, d->tried.at, count);
  bool known = pair == node->flow.deeds.at[deed].pair;
  for (size_t i = 0; i < node->options.size; i++)
    known |= node->options.at[i].pair == pair;
  if (!known)
    add_option(node, d->tried.at, count, pair);
}

static bool is_as_before(const struct flow *r, const struct deed *e,
                         const struct item *items) {
  for (uint32_t i = 0; i < e->items; i++)
    if (items[i].from != r->items.at[e->first_item + i].from)
      return false;
  return true;
}

/* Operations that say what their object offered before them. */
static bool knows_offers(const struct deed *e) {
  switch (e->op) {
  case OP_LOCK:
  case OP_TRYLOCK:
  case OP_UNLOCK:
  case OP_WAIT:
  case OP_RDLOCK:
  case OP_TRYRDLOCK:
  case OP_WRLOCK:
  case OP_TRYWRLOCK:
  case OP_RWUNLOCK:
  case OP_SEM_WAIT:
  case OP_SEM_TRYWAIT:
  case OP_SEM_POST:
    return true;
  default:
    return false;
  }
}

/* May what a blocking operation wants be there after this write?  Who touched
 * the object next has seen it. */
static bool is_offered(const struct flow *r, const struct deed *e,
                       const struct item *item) {
  if (e->op == OP_TURN)
    return item->from; /* it waits for the one write that there is */
  if (!e->wants || !(e->flags & STEP_BLOCKING))
    return true; /* it only tries */
  uint32_t next = item->from ? r->items.at[item->from - 1].next
                             : r->atoms.at[item->atom].first;
  if (!next)
    return true;
  const struct deed *other = &r->deeds.at[r->items.at[next - 1].event];
  return !knows_offers(other) || (other->offers & e->wants);
}

static void choose_items(struct dc *, struct node *, uint32_t deed,
                         size_t from);

/* The item on top of the stack observes this. */
static void choose_write(struct dc *d, struct node *node, uint32_t deed,
                         size_t from, uint32_t write) {
  const struct flow *r = &node->flow;
  VEC_TOP(d->stack).from = write;
  if (is_offered(r, &r->deeds.at[deed], &VEC_TOP(d->stack)))
    choose_items(d, node, deed, from);
}

static const uint32_t *row_of(const struct node *node, uint32_t deed) {
  return node->rows.at + (size_t)deed * node->flow.processes;
}

/* How many of a process's writes to an atom come before the deed anyway. */
static uint32_t before_deed(const struct dc *d, const struct flow *r,
                            const struct writer *w) {
  return flow_writes_within(r, w, d->past[w->proc]);
}

/* Is it overwritten, by one of these, before the deed comes? */
static bool is_hidden(const struct dc *d, const struct node *node,
                      const struct write *write, uint32_t proc) {
  for (size_t i = 0; i < d->lasts.size; i++)
    if (d->lasts.at[i] != write->deed &&
        row_of(node, d->lasts.at[i])[proc] >= write->index)
      return true;
  return false;
}

static void find_lasts(struct dc *d, const struct flow *r, uint32_t atom) {
  uint32_t count, within;
  const struct writer *w = flow_writers(r, atom, &count);
  d->lasts.size = 0;
  for (uint32_t i = 0; i < count; i++)
    if ((within = before_deed(d, r, &w[i])))
      VEC_PUSH(d->lasts, r->writes.at[w[i].first + within - 1].deed);
}

/* The candidates for an item: writes that come neither after the deed nor,
 * overwritten, before it. */
static void find_candidates(struct dc *d, const struct node *node,
                            uint32_t deed, uint32_t atom) {
  const struct flow *r = &node->flow;
  const struct deed *e = &r->deeds.at[deed];
  uint32_t count;
  const struct writer *w = flow_writers(r, atom, &count);
  find_lasts(d, r, atom);
  if (!d->lasts.size)
    VEC_PUSH(d->candidates, 0);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t within = before_deed(d, r, &w[i]);
    for (uint32_t k = within ? within - 1 : 0; k < w[i].count; k++) {
      const struct write *write = &r->writes.at[w[i].first + k];
      if (flow_cone(r, write->deed)[e->proc] >= e->index)
        break;
      if (!is_hidden(d, node, write, w[i].proc))
        VEC_PUSH(d->candidates, write->item + 1);
    }
  }
}

static void choose_for(struct dc *d, struct node *node, uint32_t deed,
                       size_t from, struct item item) {
  size_t first = d->candidates.size;
  find_candidates(d, node, deed, item.atom);
  VEC_PUSH(d->stack, item);
  for (size_t i = first; i < d->candidates.size; i++)
    choose_write(d, node, deed, from, d->candidates.at[i]);
  d->candidates.size = first;
  d->stack.size--;
}

static bool is_chosen(const struct dc *d, size_t from, uint32_t atom,
                      struct item *chosen) {
  for (size_t i = from; i < d->stack.size; i++)
    if (d->stack.at[i].atom == atom) {
      *chosen = d->stack.at[i];
      return true;
    }
  return false;
}

/* A block: all that it reads is chosen, or something is chosen next. */
static void choose_in_block(struct dc *d, struct node *node, uint32_t deed,
                            size_t from) {
  struct item item;
  if (!try_block(d, node, deed, from))
    return;
  for (size_t i = 0; i < d->tried.size; i++)
    if (d->tried.at[i].reads &&
        !is_chosen(d, from, d->tried.at[i].atom, &item)) {
      item = (struct item){.atom = d->tried.at[i].atom, .reads = true};
      choose_for(d, node, deed, from, item);
      return;
    }
  add_block(d, node, deed);
}

/* The items on the stack are the first ones of the deed's. */
static void choose_items(struct dc *d, struct node *node, uint32_t deed,
                         size_t from) {
  const struct flow *r = &node->flow;
  const struct deed *e = &r->deeds.at[deed];
  if (e->flags & STEP_BLOCK) {
    choose_in_block(d, node, deed, from);
    return;
  }
  size_t chosen = d->stack.size - from;
  if (chosen > 1 &&
      !is_possible(d, node, deed, d->stack.at + from, (uint32_t)chosen))
    return;
  if (chosen == e->items) {
    if (!is_as_before(r, e, d->stack.at + from))
      add_option(node, d->stack.at + from, e->items, 0);
    return;
  }
  struct item item = r->items.at[e->first_item + chosen];
  if (item.reads) {
    choose_for(d, node, deed, from, item);
    return;
  }
  VEC_PUSH(d->stack, item);
  choose_items(d, node, deed, from);
  d->stack.size--;
}

/* ---- all ------------------------------------------------------------------
 */

static void find_choices(struct dc *d, struct node *node, uint32_t deed) {
  const struct flow *r = &node->flow;
  const struct deed *e = &r->deeds.at[deed];
  uint32_t first = (uint32_t)node->items.size;
  for (uint32_t i = 0; i < e->items; i++)
    VEC_PUSH(node->items, r->items.at[e->first_item + i]);
  for (uint32_t c = 0; c < e->choices; c++)
    if (c != e->choice)
      VEC_PUSH(node->options,
               (struct option){.first = first,
                               .count = e->items,
                               .pair = pair_number(
                                   &d->maker.pairs,
                                   (struct pair){e->proc, e->index, true, c}),
                               .choice = (uint16_t)c,
                               .by_choice = true});
}

/* What comes before a deed whatever it observes: mostly somebody's row. */
static void find_past(struct dc *d, const struct node *node,
                      const struct deed *e) {
  uint32_t processes = node->flow.processes;
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

void dc_find_options(struct dc *d, struct node *node, uint32_t deed) {
  const struct deed *e = &node->flow.deeds.at[deed];
  node->options.size = node->items.size = node->option = 0;
  bool taken = deed < node->flow.length;
  d->stack.size = d->candidates.size = 0;
  if (node->fixed.at[e->proc] < 2 * e->index - 1 &&
      (e->pair || (e->flags & STEP_BLOCK))) {
    find_past(d, node, e);
    choose_items(d, node, deed, 0);
  }
  if (taken && e->choice_pair && node->fixed.at[e->proc] < 2 * e->index)
    find_choices(d, node, deed);
}
