#include "explore/context/seen_steps.h"

#include <string.h>

#include "util/ensure.h"

void seen_init(struct seen_steps *seen, const struct commute_cache *commute,
               struct trace *t) {
  memset(seen, 0, sizeof *seen);
  seen->commute = commute;
  seen->trace = t;
  clocks_init(&seen->clocks);
}

void seen_free(struct seen_steps *seen) {
  for (size_t p = 0; p < seen->processes.size; p++)
    VEC_FREE(seen->processes.at[p].heads);
  VEC_FREE(seen->processes);
  VEC_FREE(seen->steps);
  VEC_FREE(seen->accesses);
  VEC_FREE(seen->words);
  VEC_FREE(seen->cells);
  VEC_FREE(seen->rows);
  VEC_FREE(seen->links);
  VEC_FREE(seen->clocks.words);
  VEC_FREE(seen->firm);
}

/* ---- entering steps ----------------------------------------------------- */

static uint32_t *head_of(struct seen_steps *seen, uint32_t proc,
                         uint32_t index) {
  while (seen->processes.size <= proc) {
    VEC_RESERVE(seen->processes, 1);
    memset(&seen->processes.at[seen->processes.size++], 0,
           sizeof *seen->processes.at);
  }
  while (seen->processes.at[proc].heads.size <= index)
    VEC_PUSH(seen->processes.at[proc].heads, 0);
  return &seen->processes.at[proc].heads.at[index];
}

static const struct access *step_access(const struct seen_steps *seen,
                                        const struct seen_step *s) {
  return &seen->accesses.at[s->first_access];
}

static bool same_footprint(const struct seen_steps *seen,
                           const struct seen_step *s, const struct access *a,
                           uint32_t count) {
  const struct access *b = step_access(seen, s);
  if (s->accesses != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (a[i].addr != b[i].addr || a[i].size != b[i].size ||
        ((a[i].mode ^ b[i].mode) & (ACCESS_WRITE | ACCESS_KIND)))
      return false;
  return true;
}

static uint32_t row_of(struct seen_steps *seen, uint32_t cell, uint32_t proc,
                       bool writes) {
  while (seen->cells.size <= cell)
    VEC_PUSH(seen->cells, 0);
  for (uint32_t n = seen->cells.at[cell]; n; n = seen->rows.at[n - 1].next)
    if (seen->rows.at[n - 1].proc == proc &&
        seen->rows.at[n - 1].writes == writes)
      return n - 1;
  VEC_PUSH(seen->rows, (struct seen_row){.proc = proc,
                                         .writes = writes,
                                         .next = seen->cells.at[cell]});
  seen->cells.at[cell] = (uint32_t)seen->rows.size;
  return (uint32_t)seen->rows.size - 1;
}

/* Mostly the step becomes the first of its row. */
static void link_step(struct seen_steps *seen, uint32_t row, uint32_t step) {
  VEC_PUSH(seen->links, (struct seen_link){step, 0});
  uint32_t *place = &seen->rows.at[row].first;
  while (*place && seen->steps.at[seen->links.at[*place - 1].step].index >
                       seen->steps.at[step].index)
    place = &seen->links.at[*place - 1].next;
  VEC_TOP(seen->links).next = *place;
  *place = (uint32_t)seen->links.size;
}

static void link_access(struct seen_steps *seen, uint32_t step,
                        const struct access *a) {
  for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
    link_step(seen,
              row_of(seen, trace_cell(seen->trace, g),
                     seen->steps.at[step].proc, a->mode & ACCESS_WRITE),
              step);
}

/* The clock being built counts the events before the step. */
static void new_step(struct seen_steps *seen, struct seen_step step,
                     const struct access *a) {
  step.first_access = (uint32_t)seen->accesses.size;
  step.clock = (uint32_t)seen->words.size;
  step.last_seen = seen->now;
  for (uint32_t i = 0; i < step.accesses; i++)
    VEC_PUSH(seen->accesses, a[i]);
  VEC_PUSH(seen->words, seen->clocks.open);
  for (uint32_t p = 0; p < seen->clocks.open; p++)
    VEC_PUSH(seen->words, clock_open_get(&seen->clocks, p));
  VEC_PUSH(seen->steps, step);
  for (uint32_t i = 0; i < step.accesses; i++)
    link_access(seen, (uint32_t)seen->steps.size - 1, &a[i]);
}

/* Seen again, perhaps with less before it. */
static void see_again(struct seen_steps *seen, struct seen_step *s,
                      const struct seen_step *now) {
  s->last_seen = seen->now;
  s->stores &= now->stores && s->value == now->value;
  s->waits_for_all &= now->waits_for_all;
  uint32_t *words = &seen->words.at[s->clock];
  for (uint32_t p = 0; p < words[0]; p++) {
    uint32_t count = clock_open_get(&seen->clocks, p);
    if (words[1 + p] > count)
      words[1 + p] = count;
  }
}

static void see(struct seen_steps *seen, struct seen_step step,
                const struct access *a) {
  uint32_t *head = head_of(seen, step.proc, step.index);
  for (uint32_t n = *head; n; n = seen->steps.at[n - 1].next)
    if (same_footprint(seen, &seen->steps.at[n - 1], a, step.accesses)) {
      see_again(seen, &seen->steps.at[n - 1], &step);
      return;
    }
  step.next = *head;
  *head = (uint32_t)seen->steps.size + 1;
  new_step(seen, step, a);
}

/* ---- what is firmly before ---------------------------------------------- */

static void join(struct seen_steps *seen, uint32_t position) {
  const struct event *e = &seen->trace->events.at[position];
  clock_add(&seen->clocks, seen->firm.at[position].clock);
  clock_raise(&seen->clocks, e->proc, e->index);
}

/* Opens the clock of a step that follows the events at these positions - 1, or
 * 0. */
static void open_clock(struct seen_steps *seen, uint32_t previous,
                       uint32_t cause) {
  clock_open(&seen->clocks, 0);
  if (previous)
    join(seen, previous - 1);
  if (cause)
    join(seen, cause - 1);
}

/* Closes the clock of the newest event. */
static void close_clock(struct seen_steps *seen, uint32_t words) {
  const struct trace *t = seen->trace;
  for (size_t i = 0; i < t->before.size; i++)
    if (commute_never(seen->commute, &t->events.at[t->before.at[i]],
                      &VEC_TOP(t->events)))
      join(seen, t->before.at[i]);
  uint32_t clock = clock_close(&seen->clocks);
  VEC_RESERVE(seen->firm, 1);
  seen->firm.at[seen->firm.size].clock = clock;
  seen->firm.at[seen->firm.size++].words = words;
}

/* An operation that waits for other processes, not for what an object offers,
 * never comes before those that it conflicts with (trace.h). */
static bool must_wait_for_all(unsigned flags, unsigned wants) {
  return (flags & STEP_BLOCKING) && !wants;
}

void seen_add(struct seen_steps *seen) {
  const struct trace *t = seen->trace;
  const struct event *e = &VEC_TOP(t->events);
  size_t position = t->events.size - 1;
  if (seen->firm.size > position) {
    seen->clocks.words.size = seen->firm.at[position].words;
    seen->firm.size = position;
  }
  uint32_t words = (uint32_t)seen->clocks.words.size;
  open_clock(seen, e->previous, e->cause);
  see(seen,
      (struct seen_step){.proc = e->proc,
                         .index = e->index,
                         .accesses = e->accesses,
                         .stores = event_by_value(t, e),
                         .value = e->value,
                         .waits_for_all =
                             must_wait_for_all(e->flags, e->wants)},
      event_access(t, e));
  close_clock(seen, words);
}

void seen_add_pending(struct seen_steps *seen, uint32_t proc,
                      const struct step *step) {
  uint32_t length = process_length(seen->trace, proc);
  open_clock(seen, length ? process_event(seen->trace, proc, length) + 1 : 0,
             step->cause);
  see(seen,
      (struct seen_step){.proc = proc,
                         .index = length + 1,
                         .accesses = step->accesses,
                         .waits_for_all =
                             must_wait_for_all(step->flags, step->wants)},
      step->access);
}

/* ---- asking ------------------------------------------------------------- */

/* May the step come before that event? */
static bool may_come(const struct seen_steps *seen, const struct seen_step *s,
                     uint64_t since, uint32_t proc, uint32_t index) {
  const uint32_t *words = &seen->words.at[s->clock];
  return s->last_seen >= since && !s->waits_for_all &&
         (proc >= words[0] || words[1 + proc] < index);
}

static bool conflicts(const struct seen_steps *seen, const struct seen_step *s,
                      const struct option *o, bool stores, uint64_t value) {
  const struct access *a = step_access(seen, s);
  if (stores && s->stores && s->value == value && a->addr == o->access->addr &&
      a->size == o->access->size)
    return false;
  return footprint_conflict(o->access, o->accesses, a, s->accesses);
}

/* Does the event at `position` happen before everything that the process does
 * after the first `length` events? */
static bool is_before(const struct seen_steps *seen, uint32_t position,
                      uint32_t proc, uint32_t length) {
  const struct trace *t = seen->trace;
  uint32_t count = trace_count_before(t, proc, length);
  return count && happens_before(t, &t->events.at[position],
                                 &t->events.at[process_event(t, proc, count)]);
}

/* A question: is there a seen step, yet to come, that conflicts with this one?
 */
struct seen_question {
  uint64_t since;
  uint32_t length; /* the step comes after so many events */
  struct option o; /* this one: an event, or a step that could be one */
  bool stores;     /* it stores this value: see order_rules.by_value */
  uint64_t value;
  uint32_t position;             /* of the event, or NOWHERE */
  const struct sleeper *without; /* a sleeper that does not count, or NULL */
};

static bool is_answer(const struct seen_steps *seen,
                      const struct seen_question *q,
                      const struct seen_step *s) {
  if (!may_come(seen, s, q->since, q->o.proc, q->o.index) ||
      !conflicts(seen, s, &q->o, q->stores, q->value))
    return false;
  if (q->without && s->proc == q->without->proc &&
      s->index == q->without->index)
    return false;
  return q->position == NOWHERE ||
         !is_before(seen, q->position, s->proc, q->length);
}

/* The step that answered last is asked first: it will often answer again. */
static bool ask_row(struct seen_steps *seen, const struct seen_question *q,
                    struct seen_row *row) {
  uint32_t count = trace_count_before(seen->trace, row->proc, q->length);
  if (row->answer && seen->steps.at[row->answer - 1].index > count &&
      is_answer(seen, q, &seen->steps.at[row->answer - 1]))
    return true;
  for (uint32_t n = row->first; n; n = seen->links.at[n - 1].next) {
    uint32_t step = seen->links.at[n - 1].step;
    if (seen->steps.at[step].index <= count)
      return false; /* it has come, and so have all steps behind it in the row
                     */
    if (is_answer(seen, q, &seen->steps.at[step])) {
      row->answer = step + 1;
      return true;
    }
  }
  return false;
}

static bool ask_granule(struct seen_steps *seen, const struct seen_question *q,
                        uint64_t granule, bool writes) {
  uint32_t cell = trace_cell(seen->trace, granule);
  uint32_t n = cell < seen->cells.size ? seen->cells.at[cell] : 0;
  for (; n; n = seen->rows.at[n - 1].next) {
    struct seen_row *row = &seen->rows.at[n - 1];
    if (row->proc != q->o.proc && (row->writes || writes) &&
        ask_row(seen, q, row))
      return true;
  }
  return false;
}

static bool ask(struct seen_steps *seen, const struct seen_question *q) {
  for (uint32_t i = 0; i < q->o.accesses; i++) {
    const struct access *a = &q->o.access[i];
    for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
      if (ask_granule(seen, q, g, a->mode & ACCESS_WRITE))
        return true;
  }
  return false;
}

bool seen_conflicts(struct seen_steps *seen, uint64_t since, uint32_t length,
                    const struct option *o, bool stores, uint64_t value) {
  struct seen_question q = {.since = since,
                            .length = length,
                            .o = *o,
                            .stores = stores,
                            .value = value,
                            .position = NOWHERE};
  return ask(seen, &q);
}

bool seen_races(struct seen_steps *seen, const struct sleeper *z,
                uint32_t position) {
  const struct trace *t = seen->trace;
  const struct event *e = &t->events.at[position];
  struct seen_question q = {.since = z->since,
                            .length = (uint32_t)t->events.size,
                            .o = event_option(t, e),
                            .stores = event_by_value(t, e),
                            .value = e->value,
                            .position = position,
                            .without = z};
  return ask(seen, &q);
}

bool seen_meets(struct seen_steps *seen, uint64_t since, uint32_t length,
                uint32_t position, const struct access *access,
                uint32_t accesses) {
  const struct event *e = &seen->trace->events.at[position];
  struct seen_question q = {
      .since = since,
      .length = length,
      .o = {e->proc, e->index, e->choice, accesses, access},
      .position = position};
  return ask(seen, &q);
}

/* ---- checking ----------------------------------------------------------- */

static void check_list(const struct seen_steps *seen, uint32_t proc,
                       uint32_t index, uint32_t head) {
  for (uint32_t n = head; n; n = seen->steps.at[n - 1].next) {
    const struct seen_step *s = &seen->steps.at[n - 1];
    ensure(s->proc == proc && s->index == index); /* K1 */
    for (uint32_t m = head; m != n; m = seen->steps.at[m - 1].next)
      ensure(!same_footprint(seen, s, step_access(seen, &seen->steps.at[m - 1]),
                             seen->steps.at[m - 1].accesses)); /* K1 */
  }
}

static bool row_has(const struct seen_steps *seen, uint32_t row,
                    uint32_t step) {
  bool found = false;
  uint32_t last = UINT32_MAX;
  for (uint32_t n = seen->rows.at[row].first; n;
       n = seen->links.at[n - 1].next) {
    uint32_t other = seen->links.at[n - 1].step;
    ensure(seen->steps.at[other].index <= last); /* K2 */
    last = seen->steps.at[other].index;
    found |= other == step;
  }
  return found;
}

static void check_rows(struct seen_steps *seen, uint32_t step) {
  for (uint32_t i = 0; i < seen->steps.at[step].accesses; i++) {
    const struct access *a = &step_access(seen, &seen->steps.at[step])[i];
    for (uint64_t g = access_first_granule(a); g <= access_last_granule(a); g++)
      ensure(row_has(seen,
                     row_of(seen, trace_cell(seen->trace, g),
                            seen->steps.at[step].proc, a->mode & ACCESS_WRITE),
                     step)); /* K3 */
  }
}

void seen_check(struct seen_steps *seen) {
  for (uint32_t p = 0; p < seen->processes.size; p++)
    for (uint32_t i = 0; i < seen->processes.at[p].heads.size; i++)
      check_list(seen, p, i, seen->processes.at[p].heads.at[i]);
  for (uint32_t step = 0; step < seen->steps.size; step++)
    check_rows(seen, step);
}
