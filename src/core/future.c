#include "core/future.h"

#include <string.h>

#include "util/ensure.h"

void future_init(struct future *f, const struct context *context,
                 struct trace *t) {
  memset(f, 0, sizeof *f);
  f->context = context;
  f->trace = t;
  clocks_init(&f->clocks);
}

void future_free(struct future *f) {
  for (size_t p = 0; p < f->processes.size; p++)
    VEC_FREE(f->processes.at[p].heads);
  VEC_FREE(f->processes);
  VEC_FREE(f->steps);
  VEC_FREE(f->accesses);
  VEC_FREE(f->words);
  VEC_FREE(f->cells);
  VEC_FREE(f->links);
  VEC_FREE(f->clocks.words);
  VEC_FREE(f->firm);
}

/* ---- entering steps -------------------------------------------------------
 */

static uint32_t *head_of(struct future *f, uint32_t proc, uint32_t index) {
  while (f->processes.size <= proc) {
    VEC_RESERVE(f->processes, 1);
    memset(&f->processes.at[f->processes.size++], 0, sizeof *f->processes.at);
  }
  while (f->processes.at[proc].heads.size <= index)
    VEC_PUSH(f->processes.at[proc].heads, 0);
  return &f->processes.at[proc].heads.at[index];
}

static const struct access *step_access(const struct future *f,
                                        const struct future_step *s) {
  return &f->accesses.at[s->first_access];
}

static bool same_footprint(const struct future *f, const struct future_step *s,
                           const struct access *a, uint32_t count) {
  const struct access *b = step_access(f, s);
  if (s->accesses != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (a[i].addr != b[i].addr || a[i].size != b[i].size ||
        ((a[i].mode ^ b[i].mode) & ACCESS_WRITE))
      return false;
  return true;
}

static void link_access(struct future *f, uint32_t step,
                        const struct access *a) {
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++) {
    uint32_t cell = trace_cell(f->trace, g);
    while (f->cells.size <= cell)
      VEC_PUSH(f->cells, 0);
    VEC_PUSH(f->links, (struct future_link){step, f->cells.at[cell]});
    f->cells.at[cell] = (uint32_t)f->links.size;
  }
}

/* What is before the step is in the clock being built. */
static void new_step(struct future *f, struct future_step step,
                     const struct access *a) {
  step.first_access = (uint32_t)f->accesses.size;
  step.clock = (uint32_t)f->words.size;
  step.seen = f->now;
  for (uint32_t i = 0; i < step.accesses; i++)
    VEC_PUSH(f->accesses, a[i]);
  VEC_PUSH(f->words, f->clocks.open);
  for (uint32_t p = 0; p < f->clocks.open; p++)
    VEC_PUSH(f->words, clock_open_get(&f->clocks, p));
  VEC_PUSH(f->steps, step);
  for (uint32_t i = 0; i < step.accesses; i++)
    link_access(f, (uint32_t)f->steps.size - 1, &a[i]);
}

/* Seen again, perhaps with less before it. */
static void see_again(struct future *f, struct future_step *s,
                      const struct future_step *now) {
  s->seen = f->now;
  s->stores &= now->stores && s->value == now->value;
  s->last &= now->last;
  uint32_t *words = &f->words.at[s->clock];
  for (uint32_t p = 0; p < words[0]; p++) {
    uint32_t count = clock_open_get(&f->clocks, p);
    if (words[1 + p] > count)
      words[1 + p] = count;
  }
}

static void see(struct future *f, struct future_step step,
                const struct access *a) {
  uint32_t *head = head_of(f, step.proc, step.index);
  for (uint32_t n = *head; n; n = f->steps.at[n - 1].next)
    if (same_footprint(f, &f->steps.at[n - 1], a, step.accesses)) {
      see_again(f, &f->steps.at[n - 1], &step);
      return;
    }
  step.next = *head;
  *head = (uint32_t)f->steps.size + 1;
  new_step(f, step, a);
}

/* ---- what is firmly before ------------------------------------------------
 */

static void join(struct future *f, uint32_t position) {
  const struct event *e = &f->trace->events.at[position];
  clock_add(&f->clocks, f->firm.at[position].clock);
  clock_raise(&f->clocks, e->proc, e->index);
}

/* Opens the clock of a step that follows these, or 0. */
static void open_clock(struct future *f, uint32_t previous, uint32_t cause) {
  clock_open(&f->clocks, 0);
  if (previous)
    join(f, previous - 1);
  if (cause)
    join(f, cause - 1);
}

/* Closes the clock of the newest event. */
static void close_clock(struct future *f, uint32_t words) {
  const struct trace *t = f->trace;
  for (size_t i = 0; i < t->before.size; i++)
    if (context_firm(f->context, &t->events.at[t->before.at[i]],
                     &VEC_TOP(t->events)))
      join(f, t->before.at[i]);
  uint32_t clock = clock_close(&f->clocks);
  VEC_RESERVE(f->firm, 1);
  f->firm.at[f->firm.size].clock = clock;
  f->firm.at[f->firm.size++].words = words;
}

/* What blocks until others have done something, not for what an object offers,
 * can never come before those that it conflicts with (trace.h). */
static bool waits_for_all(unsigned flags, unsigned wants) {
  return (flags & STEP_BLOCKING) && !wants;
}

void future_add(struct future *f) {
  const struct trace *t = f->trace;
  const struct event *e = &VEC_TOP(t->events);
  size_t position = t->events.size - 1;
  if (f->firm.size > position) {
    f->clocks.words.size = f->firm.at[position].words;
    f->firm.size = position;
  }
  uint32_t words = (uint32_t)f->clocks.words.size;
  open_clock(f, e->previous, e->cause);
  see(f,
      (struct future_step){.proc = e->proc,
                           .index = e->index,
                           .accesses = e->accesses,
                           .stores = event_by_value(t, e),
                           .value = e->value,
                           .last = waits_for_all(e->flags, e->wants)},
      event_access(t, e));
  close_clock(f, words);
}

void future_add_pending(struct future *f, uint32_t proc,
                        const struct step *step) {
  uint32_t length = process_length(f->trace, proc);
  open_clock(f, length ? process_event(f->trace, proc, length) + 1 : 0,
             step->cause);
  see(f,
      (struct future_step){.proc = proc,
                           .index = length + 1,
                           .accesses = step->accesses,
                           .last = waits_for_all(step->flags, step->wants)},
      step->access);
}

/* ---- asking ---------------------------------------------------------------
 */

/* Is it yet to come after so many events, and may it come before that event?
 */
static bool may_come(const struct future *f, const struct future_step *s,
                     uint64_t since, uint32_t length, uint32_t proc,
                     uint32_t index) {
  const uint32_t *words = &f->words.at[s->clock];
  return s->seen >= since && s->proc != proc && !s->last &&
         s->index > trace_count_before(f->trace, s->proc, length) &&
         (proc >= words[0] || words[1 + proc] < index);
}

static bool conflicts(const struct future *f, const struct future_step *s,
                      const struct option *o, bool stores, uint64_t value) {
  const struct access *a = step_access(f, s);
  if (stores && s->stores && s->value == value && a->addr == o->access->addr &&
      a->size == o->access->size)
    return false;
  return footprint_conflict(o->access, o->accesses, a, s->accesses);
}

/* In the first `length` events, the one at `position` is before all that the
 * process does after them. */
static bool is_before(const struct future *f, uint32_t position, uint32_t proc,
                      uint32_t length) {
  const struct trace *t = f->trace;
  uint32_t count = trace_count_before(t, proc, length);
  return count && happens_before(t, &t->events.at[position],
                                 &t->events.at[process_event(t, proc, count)]);
}

/* Steps that an event is asked about. */
struct question {
  uint64_t since;
  uint32_t length; /* they come after so many events */
  struct option o; /* the event, or a step that could be one */
  bool stores;     /* this value: see trace.by_value */
  uint64_t value;
  uint32_t position;             /* of the event, or NOWHERE */
  const struct sleeper *without; /* none of them, or NULL */
};

static bool is_answer(const struct future *f, const struct question *q,
                      const struct future_step *s) {
  if (!may_come(f, s, q->since, q->length, q->o.proc, q->o.index) ||
      !conflicts(f, s, &q->o, q->stores, q->value))
    return false;
  if (q->without && s->proc == q->without->proc &&
      s->index == q->without->index)
    return false;
  return q->position == NOWHERE ||
         !is_before(f, q->position, s->proc, q->length);
}

/* What answered comes first the next time: it will often answer again. */
static bool ask_granule(struct future *f, const struct question *q,
                        uint64_t granule) {
  uint32_t cell = trace_cell(f->trace, granule), before = 0;
  uint32_t n = cell < f->cells.size ? f->cells.at[cell] : 0;
  for (; n; before = n, n = f->links.at[n - 1].next) {
    struct future_link *link = &f->links.at[n - 1];
    if (!is_answer(f, q, &f->steps.at[link->step]))
      continue;
    if (before) {
      f->links.at[before - 1].next = link->next;
      link->next = f->cells.at[cell];
      f->cells.at[cell] = n;
    }
    return true;
  }
  return false;
}

static bool ask(struct future *f, const struct question *q) {
  for (uint32_t i = 0; i < q->o.accesses; i++) {
    const struct access *a = &q->o.access[i];
    for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
      if (ask_granule(f, q, g))
        return true;
  }
  return false;
}

bool future_conflicts(struct future *f, uint64_t since, uint32_t length,
                      const struct option *o, bool stores, uint64_t value) {
  struct question q = {.since = since,
                       .length = length,
                       .o = *o,
                       .stores = stores,
                       .value = value,
                       .position = NOWHERE};
  return ask(f, &q);
}

bool future_races(struct future *f, const struct sleeper *z,
                  uint32_t position) {
  const struct trace *t = f->trace;
  const struct event *e = &t->events.at[position];
  struct question q = {.since = z->since,
                       .length = (uint32_t)t->events.size,
                       .o = event_option(t, e),
                       .stores = event_by_value(t, e),
                       .value = e->value,
                       .position = position,
                       .without = z};
  return ask(f, &q);
}

bool future_meets(struct future *f, uint64_t since, uint32_t length,
                  uint32_t position, const struct access *access,
                  uint32_t accesses) {
  const struct event *e = &f->trace->events.at[position];
  struct question q = {.since = since,
                       .length = length,
                       .o = {e->proc, e->index, e->choice, accesses, access},
                       .position = position};
  return ask(f, &q);
}
