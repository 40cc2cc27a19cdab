#include "core/datarace.h"

#include <string.h>

#include "util/planted.h"

static bool acquires(const struct event *e) {
  return order_acquires(e->order);
}

static bool releases(const struct event *e) {
  return order_releases(e->order);
}

/* The least clock that covers both; one of the two if possible. */
static uint32_t join(struct datarace *d, uint32_t a, uint32_t b) {
  if (a == b || clock_covers(&d->clocks, a, b))
    return a;
  if (clock_covers(&d->clocks, b, a))
    return b;
  clock_open(&d->clocks, a);
  clock_add(&d->clocks, b);
  return clock_close(&d->clocks);
}

/* The least clock that covers both and has the event.  A release hands on such
 * a clock, with the releasing event in it. */
static uint32_t join_event(struct datarace *d, uint32_t a, uint32_t b,
                           const struct event *e) {
  clock_open(&d->clocks, a);
  if (b != a)
    clock_add(&d->clocks, b);
  clock_raise(&d->clocks, e->proc, e->index);
  return clock_close(&d->clocks);
}

/* ---- what an event orders -------------------------------------------------
 */

static const struct sync_state none;

static const struct sync_state *state_of(const struct datarace *d,
                                         uint32_t one_more) {
  return one_more ? &d->states.at[one_more - 1] : &none;
}

static bool writes(const struct trace *t, const struct event *e) {
  return event_access(t, e)->mode & ACCESS_WRITE;
}

/* An operation that failed or only read its object orders nothing, except an
 * entry of a pthread_once that is done.  An acquire gets all that was released
 * to the object before. */
static void primitive(struct datarace *d, const struct trace *t,
                      const struct event *e, struct sync_state *s) {
  const struct sync_state *from = state_of(d, e->observed);
  bool shared = e->flags & STEP_SHARED;
  if (!writes(t, e) && e->op != OP_ONCE)
    return;
  s->message = from->message;
  s->readers = from->readers;
  if (acquires(e))
    s->thread = join(d, s->thread, s->message);
  if (acquires(e) && !shared)
    s->thread = join(d, s->thread, s->readers);
  if (!releases(e))
    return;
  uint32_t *to = shared ? &s->readers : &s->message;
  *to = join_event(d, *to, s->thread, e);
}

/* Does the event touch the link of this one, and not its object? */
static bool is_at_link(const struct trace *t, const struct event *w,
                       const struct event *e) {
  const struct access *a = event_access(t, w), *b = event_access(t, e);
  return w->links &&
         (a->addr + a->size <= b->addr || b->addr + b->size <= a->addr);
}

/* What the write hands on that the event observes. */
static uint32_t observed_message(const struct datarace *d,
                                 const struct trace *t, const struct event *e) {
  const struct sync_state *from = state_of(d, e->observed);
  if (!e->observed)
    return 0;
  const struct event *w = &t->events.at[e->observed - 1];
  if (!is_at_link(t, w, e))
    return from->message;
  return event_access(t, w)[w->accesses].mode & ACCESS_LOOSE ? from->released
                                                             : from->own;
}

/* The release sequences with a head of this thread that still go on at the
 * write at position `one_more` - 1: what they hand on.  A sequence goes on with
 * stores of the thread and with read-modify-writes of every thread
 * (C11, 5.1.2.4). */
static uint32_t own_sequence(const struct datarace *d, const struct trace *t,
                             const struct event *e) {
  uint32_t one_more = e->observed;
  while (one_more) {
    const struct event *w = &t->events.at[one_more - 1];
    if (w->proc == e->proc)
      return state_of(d, one_more)->own;
    if (!op_is_rmw(w->op) || is_at_link(t, w, e))
      return 0;
    one_more = w->observed;
  }
  return 0;
}

/* What the event can acquire.  An update gets nothing from those beside it. */
static uint32_t acquirable(const struct datarace *d, const struct trace *t,
                           const struct event *e) {
  const struct sync_state *from = state_of(d, e->observed);
  return e->observed &&
                 access_alike(event_access(t, e),
                              event_access(t, &t->events.at[e->observed - 1]))
             ? from->base
             : observed_message(d, t, e);
}

static bool covers(const struct access *a, const struct access *b) {
  return a->addr <= b->addr && b->addr + b->size <= a->addr + a->size;
}

/* Did the latest write reach some of the bytes only?  Then the other bytes were
 * written by others. */
static bool is_mixed(const struct trace *t, const struct event *e) {
  return e->observed && !covers(event_access(t, &t->events.at[e->observed - 1]),
                                event_access(t, e));
}

/* What the latest write to each byte hands on.  Conflicts are the newest first,
 * without writes that newer ones hide. */
static uint32_t join_bytes(struct datarace *d, const struct trace *t,
                           const struct event *e, uint32_t clock) {
  const struct access *a = event_access(t, e);
  uint64_t first = access_first_granule(a);
  uint8_t left[2] = {access_mask(a, first), 0};
  if (access_last_granule(a) != first)
    left[1] = access_mask(a, access_last_granule(a));
  for (size_t i = 0; i < t->conflicts.size; i++) {
    const struct touch *r = &t->touches.at[t->conflicts.at[i]];
    uint8_t *bytes = &left[t->cells.at[r->cell].granule != first];
    if (!(r->mode & ACCESS_WRITE) || !(r->mask & *bytes))
      continue;
    *bytes &= (uint8_t)~r->mask;
    clock = join(d, clock, d->states.at[r->event].message);
  }
  return clock;
}

static void atomic(struct datarace *d, const struct trace *t,
                   const struct event *e, struct sync_state *s) {
  uint32_t message = observed_message(d, t, e);
  s->base = acquirable(d, t, e);
  if (is_mixed(t, e)) {
    message = join_bytes(d, t, e, message);
    s->base = join_bytes(d, t, e, s->base);
  }
  if (!op_stores(e->op) && message) {
    uint32_t *to = acquires(e) ? &s->thread : &s->acquirable;
    *to = join(d, *to, s->base);
    s->loose = message != s->base &&
               !clock_covers(&d->clocks, s->thread, message) &&
               !clock_covers(&d->clocks, *to, message);
  }
  if (!writes(t, e))
    return;
  uint32_t mine =
      releases(e) ? join_event(d, s->thread, s->thread, e) : s->released;
  s->own = join(d, mine, own_sequence(d, t, e));
  /* A read-modify-write goes on with every release sequence that it read. */
  s->message = op_stores(e->op) ? s->own : join(d, s->own, message);
}

static void fence(struct datarace *d, const struct event *e,
                  struct sync_state *s) {
  if (acquires(e))
    s->thread = join(d, s->thread, s->acquirable);
  if (releases(e))
    s->released = join_event(d, s->thread, s->thread, e);
}

/* A join is after all of the ended process, its local code behind its last
 * event included. */
static uint32_t join_ended(struct datarace *d, const struct trace *t,
                           uint32_t clock, uint32_t ended) {
  clock_open(&d->clocks, clock);
  clock_raise(&d->clocks, ended, process_length(t, ended) + 1);
  return clock_close(&d->clocks);
}

/* Adds the event at this position, and all before it. */
static uint32_t join_step(struct datarace *d, const struct trace *t,
                          uint32_t clock, uint32_t position) {
  return join_event(d, clock, d->states.at[position].thread,
                    &t->events.at[position]);
}

static struct sync_state start_state(struct datarace *d, const struct trace *t,
                                     const struct event *e,
                                     const struct step *step) {
  struct sync_state s = {.first_clock = (uint32_t)d->clocks.words.size,
                         .first_touch = (uint32_t)d->shadow.touches.size};
  const struct sync_state *previous = state_of(d, e->previous);
  s.thread = previous->thread;
  s.acquirable = previous->acquirable;
  s.released = previous->released;
  if (e->cause) /* created, joined or signalled by that event */
    s.thread = join_step(d, t, s.thread, e->cause - 1);
  for (uint32_t i = 0; i < step->more; i++)
    s.thread = join_step(d, t, s.thread, step->causes[i] - 1);
  if (step->signal)
    s.thread = join_step(d, t, s.thread, step->signal - 1);
  if (d->apart && e->op == OP_JOIN && !planted(APART_JOIN))
    s.thread = join_ended(d, t, s.thread, step->target);
  return s;
}

/* ---- tasks of actors ------------------------------------------------------
 */

/* The first access of a task's step is a read of its actor: see
 * system/native/actor/actor.c.
 */
static bool same_actor(const struct trace *t, const struct event *a,
                       const struct event *b) {
  return a->op == OP_TASK && b->op == OP_TASK &&
         event_access(t, a)->addr == event_access(t, b)->addr;
}

/* Are all accesses of the event to these bytes atomic where they could race?
 * The step of an await reads only its own operation's bytes.  Other bytes that
 * its loop reads, it reads again in steps of their own, or not at all. */
static bool all_atomic(const struct trace *t, const struct event *e,
                       const struct touch *r) {
  uint64_t granule = t->cells.at[r->cell].granule;
  const struct access *a = event_access(t, e);
  for (uint32_t i = 0; i < e->accesses + e->links; i++) {
    if ((a[i].mode & ACCESS_EARLIER) || granule < access_first_granule(&a[i]) ||
        granule > access_last_granule(&a[i]) ||
        !(access_mask(&a[i], granule) & r->mask))
      continue;
    if (((a[i].mode | r->mode) & ACCESS_WRITE) &&
        !(a[i].mode & r->mode & ACCESS_ATOMIC))
      return false;
  }
  return true;
}

/* An operation that waits for tasks comes after them, and tasks of one actor
 * exclude each other.  If two have no byte in common, this execution stands for
 * both orders, so only tasks that conflict are ordered.  Atomic operations in
 * tasks, such as the read of a future, order them, too. */
static void order_tasks(struct datarace *d, const struct trace *t,
                        const struct event *e, struct sync_state *s) {
  for (size_t i = 0; i < t->conflicts.size; i++) {
    const struct touch *r = &t->touches.at[t->conflicts.at[i]];
    const struct event *other = &t->events.at[r->event];
    if (e->op == OP_TASK && !same_actor(t, e, other) && !all_atomic(t, e, r))
      continue;
    s->thread = join_step(d, t, s->thread, r->event);
  }
}

/* ---- atomic blocks --------------------------------------------------------
 */

/* Blocks exclude each other, as if all of them held one lock.  If two have no
 * byte in common, this execution stands for both orders, so only blocks that
 * conflict are ordered.  An atomic operation in a block counts as acquire and
 * release: its memory order is not kept. */
static void order_block(struct datarace *d, const struct trace *t,
                        const struct event *e, struct sync_state *s) {
  for (size_t i = 0; i < t->suspects.size; i++) {
    uint32_t other = t->touches.at[t->suspects.at[i]].event;
    if (t->events.at[other].op == OP_BLOCK)
      s->thread = join_step(d, t, s->thread, other);
  }
  for (size_t i = 0; i < t->conflicts.size; i++) {
    const struct touch *r = &t->touches.at[t->conflicts.at[i]];
    if (t->events.at[r->event].op == OP_BLOCK)
      s->thread = join_step(d, t, s->thread, r->event);
    else if (r->mode & ACCESS_WRITE)
      s->thread = join(d, s->thread, d->states.at[r->event].message);
  }
  s->message = s->own = join_event(d, s->thread, s->thread, e);
}

/* ---- barriers -------------------------------------------------------------
 */

/* Arrivals that commute only read the barrier. */
static void order_arrivals(struct datarace *d, const struct trace *t,
                           struct sync_state *s) {
  for (size_t i = 0; i < t->conflicts.size; i++) {
    uint32_t arrival = t->touches.at[t->conflicts.at[i]].event;
    if (t->events.at[arrival].op == OP_ARRIVE)
      s->thread = join_step(d, t, s->thread, arrival);
  }
}

/* ---- races ----------------------------------------------------------------
 */

/* Does it depend on the order of updates whether there is a race?  Then asks
 * for that order. */
static bool is_in_doubt(const struct datarace *d, const struct trace *t) {
  bool any = false;
  for (size_t i = 0; i < d->states.size; i++)
    if (d->states.at[i].loose) {
      d->doubt(d->context, event_access(t, &t->events.at[i]));
      any = true;
    }
  return any;
}

/* Where the event touches the granule. */
static uint64_t place_in(const struct trace *t, const struct event *e,
                         uint64_t granule) {
  const struct access *a = event_access(t, e);
  return e->links && (granule < access_first_granule(a) ||
                      granule > access_last_granule(a))
             ? e->value
             : e->pc;
}

static __attribute__((noinline)) void report_touch(struct datarace *d,
                                                   const struct trace *t,
                                                   const struct event *e,
                                                   const struct touch *r) {
  if (is_in_doubt(d, t))
    return;
  uint64_t granule = t->cells.at[r->cell].granule;
  struct data_race race = {.proc = e->proc,
                           .pc = place_in(t, e, granule),
                           .other_pc =
                               place_in(t, &t->events.at[r->event], granule),
                           .granule = granule,
                           .mask = r->mask,
                           .other_writes = r->mode & ACCESS_WRITE};
  d->report(d->context, &race);
}

/* The touch that made the access: an await repeats reads of its loop. */
static const struct touch *really(const struct trace *t,
                                  const struct touch *r) {
  const struct touch *earlier = r;
  uint32_t proc = t->events.at[r->event].proc;
  while (earlier->mode & ACCESS_EARLIER ||
         t->events.at[earlier->event].proc != proc ||
         !(earlier->mask & r->mask)) {
    if (earlier->older == NOWHERE)
      return r;
    earlier = &t->touches.at[earlier->older];
  }
  return earlier;
}

static void find_races(struct datarace *d, const struct trace *t,
                       const struct event *e, uint32_t thread,
                       const uint32_t *touches, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct touch *r = really(t, &t->touches.at[touches[i]]);
    const struct event *other = &t->events.at[r->event];
    if (same_actor(t, e, other))
      continue;
    if (clock_get(&d->clocks, thread, other->proc) < other->index &&
        !all_atomic(t, e, r))
      report_touch(d, t, e, r);
  }
}

static void find_all_races(struct datarace *d, const struct trace *t,
                           const struct event *e, uint32_t thread) {
  find_races(d, t, e, thread, t->conflicts.at, t->conflicts.size);
  find_races(d, t, e, thread, t->suspects.at, t->suspects.size);
}

/* ---- data apart -----------------------------------------------------------
 */

/* Enters the operation's own accesses. */
static void enter_footprint(struct datarace *d, const struct trace *t,
                            const struct event *e, uint32_t thread) {
  for (uint32_t i = 0; i < e->accesses; i++) {
    if (event_access(t, e)[i].mode & ACCESS_EARLIER)
      continue;
    struct shadow_access a = {.access = &event_access(t, e)[i],
                              .proc = e->proc,
                              .index = e->index,
                              .mode = e->op == OP_BLOCK ? SHADOW_BLOCK : 0,
                              .pc = e->pc,
                              .clocks = &d->clocks,
                              .clock = thread};
    shadow_enter(&d->shadow, &a, d->report, d->context);
  }
}

/* Enters the accesses of the local code behind the operation: of its process,
 * and of a new process up to its first step, which are after the creation. */
static void enter_data(struct datarace *d, const struct trace *t,
                       const struct event *e, const struct step *step,
                       uint32_t thread) {
  uint32_t child = 0;
  for (uint32_t i = 0; i < step->data; i++) {
    const struct datum *datum = &step->datum[i];
    bool own = datum->proc == e->proc;
    if (!own && !child)
      child = join_event(d, thread, thread, e);
    struct shadow_access a = {.access = &datum->access,
                              .proc = datum->proc,
                              .index = process_length(t, datum->proc) +
                                       !planted(APART_RELEASE),
                              .pc = datum->pc,
                              .clocks = &d->clocks,
                              .clock = own ? thread : child};
    shadow_enter(&d->shadow, &a, d->report, d->context);
  }
}

void datarace_push(struct datarace *d, const struct trace *t,
                   const struct step *step) {
  const struct event *e = &VEC_TOP(t->events);
  struct sync_state s = start_state(d, t, e, step);
  if (e->op == OP_TASK || e->op == OP_TURN || e->op == OP_IDLE)
    order_tasks(d, t, e, &s);
  if (e->op == OP_BLOCK)
    order_block(d, t, e, &s);
  if (e->op == OP_LEAVE)
    order_arrivals(d, t, &s);
  if (d->apart)
    enter_footprint(d, t, e, s.thread);
  else
    find_all_races(d, t, e, s.thread);
  if (op_is(e->op, OPCLASS_FENCE))
    fence(d, e, &s);
  else if (op_is(e->op, OPCLASS_ATOMIC))
    atomic(d, t, e, &s);
  else if (e->accesses && op_is(e->op, OPCLASS_OBJECT | OPCLASS_PROCESS))
    primitive(d, t, e, &s);
  enter_data(d, t, e, step, s.thread);
  VEC_PUSH(d->states, s);
}

void datarace_truncate(struct datarace *d, size_t length) {
  if (length >= d->states.size)
    return;
  d->clocks.words.size = d->states.at[length].first_clock;
  shadow_truncate(&d->shadow, d->states.at[length].first_touch);
  d->states.size = length;
}

void datarace_init(struct datarace *d, bool apart, data_race_report *report,
                   data_race_doubt *doubt, void *context) {
  memset(d, 0, sizeof *d);
  d->apart = apart;
  d->report = report;
  d->doubt = doubt;
  d->context = context;
  clocks_init(&d->clocks);
}

void datarace_free(struct datarace *d) {
  VEC_FREE(d->states);
  VEC_FREE(d->clocks.words);
  shadow_free(&d->shadow);
}
