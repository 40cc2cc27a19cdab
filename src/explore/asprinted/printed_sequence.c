#include "explore/asprinted/printed_sequence.h"

#include <stdlib.h>

#include "util/ensure.h"

/* ---- life --------------------------------------------------------------- */

struct printed_sequence *printed_sequence_new(void) {
  struct printed_sequence *s = calloc(1, sizeof *s);
  ensure(s);
  s->holders = 1;
  return s;
}

struct printed_sequence *printed_sequence_hold(struct printed_sequence *s) {
  s->holders++;
  return s;
}

void printed_sequence_drop(struct printed_sequence *s) {
  if (!s || --s->holders)
    return;
  VEC_FREE(s->acts);
  VEC_FREE(s->accesses);
  free(s);
}

void printed_sequence_clear(struct printed_sequence *s) {
  s->acts.size = s->accesses.size = 0;
}

/* ---- building ----------------------------------------------------------- */

static void add(struct printed_sequence *s, struct printed_act act,
                const struct access *access) {
  act.first_access = (uint32_t)s->accesses.size;
  VEC_RESERVE(s->accesses, act.accesses);
  for (uint32_t i = 0; i < act.accesses; i++)
    s->accesses.at[s->accesses.size++] = access[i];
  VEC_PUSH(s->acts, act);
}

static void set_cause(struct printed_act *act, uint32_t proc, uint32_t index) {
  act->cause_proc = proc;
  act->cause_index = index;
}

void printed_sequence_add_event(struct printed_sequence *s,
                                const struct trace *t, uint32_t position) {
  const struct event *e = &t->events.at[position];
  struct printed_act act = {.proc = e->proc,
                            .index = e->index,
                            .choice = e->choice,
                            .op = e->op,
                            .accesses = e->accesses};
  if (e->cause)
    set_cause(&act, t->events.at[e->cause - 1].proc,
              t->events.at[e->cause - 1].index);
  add(s, act, event_access(t, e));
}

/* How many events process p has after the first `at` of the trace and all of
 * the sequence. */
static uint32_t moves_of(const struct printed_sequence *s,
                         const struct trace *t, uint32_t at, uint32_t p) {
  for (size_t i = s->acts.size; i-- > 0;)
    if (s->acts.at[i].proc == p)
      return s->acts.at[i].index;
  uint32_t moves = process_length(t, p);
  while (moves && process_event(t, p, moves) >= at)
    moves--;
  return moves;
}

void printed_sequence_add_step(struct printed_sequence *s,
                               const struct trace *t, uint32_t at,
                               uint32_t proc, const struct step *step) {
  struct printed_act act = {.proc = proc,
                            .index = moves_of(s, t, at, proc) + 1,
                            .choice = step->choice,
                            .op = step->op,
                            .accesses = step->accesses};
  uint32_t cause = step->cause;
  if (cause && cause <= at)
    set_cause(&act, t->events.at[cause - 1].proc,
              t->events.at[cause - 1].index);
  else if (cause && cause - at <= s->acts.size)
    set_cause(&act, s->acts.at[cause - at - 1].proc,
              s->acts.at[cause - at - 1].index);
  add(s, act, step->access);
}

void printed_sequence_add_act(struct printed_sequence *s,
                              const struct printed_sequence *from, uint32_t i) {
  add(s, from->acts.at[i], &from->accesses.at[from->acts.at[i].first_access]);
}

bool printed_sequence_begins(const struct printed_sequence *s,
                             const struct printed_sequence *prefix) {
  if (prefix->acts.size > s->acts.size)
    return false;
  for (size_t i = 0; i < prefix->acts.size; i++)
    if (!acts_same(&prefix->acts.at[i], &s->acts.at[i]))
      return false;
  return true;
}

/* ---- dependence --------------------------------------------------------- */

static const struct access *access_of(struct printed_act_of a, uint32_t i) {
  return &a.sequence->accesses.at[act_get(a)->first_access + i];
}

static bool overlap(const struct access *a, const struct access *b) {
  return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

static bool caused(const struct printed_act *by,
                   const struct printed_act *act) {
  return act->cause_index && act->cause_proc == by->proc &&
         act->cause_index == by->index;
}

enum act_relation acts_relation(struct printed_act_of earlier,
                                struct printed_act_of later) {
  const struct printed_act *a = act_get(earlier), *b = act_get(later);
  enum act_relation relation = ACT_NONE;
  if (a->proc == b->proc || caused(a, b) || caused(b, a))
    return ACT_DEPENDENT;
  for (uint32_t i = 0; i < a->accesses; i++)
    for (uint32_t j = 0; j < b->accesses; j++) {
      const struct access *x = access_of(earlier, i), *y = access_of(later, j);
      if (!access_conflict(x, y))
        continue;
      if (access_reads(a->op, x->mode) || access_reads(b->op, y->mode))
        return ACT_DEPENDENT;
      relation = ACT_WRITES;
    }
  return relation;
}

enum act_touch { TOUCH_NOT, TOUCH_READS, TOUCH_WRITES };

static enum act_touch touches(struct printed_act_of a,
                              const struct access *bytes) {
  enum act_touch kind = TOUCH_NOT;
  for (uint32_t i = 0; i < act_get(a)->accesses; i++) {
    const struct access *x = access_of(a, i);
    if (!overlap(x, bytes))
      continue;
    if (access_reads(act_get(a)->op, x->mode))
      return TOUCH_READS;
    kind = TOUCH_WRITES;
  }
  return kind;
}

/* What the next act from `from` on that touches the bytes does to them. */
static enum act_touch next_touch(const struct printed_sequence *s,
                                 uint32_t from, const struct access *bytes) {
  for (uint32_t k = from; k < s->acts.size; k++) {
    enum act_touch kind = touches((struct printed_act_of){s, k}, bytes);
    if (kind != TOUCH_NOT)
      return kind;
  }
  return TOUCH_NOT;
}

/* The next pair of writes of a and b that overlap, and where they do. */
static bool common_write(struct printed_act_of a, struct printed_act_of b,
                         uint32_t *pair, struct access *common) {
  uint32_t pairs = act_get(a)->accesses * act_get(b)->accesses;
  while (*pair < pairs) {
    const struct access *x = access_of(a, *pair % act_get(a)->accesses);
    const struct access *y = access_of(b, *pair / act_get(a)->accesses);
    ++*pair;
    if (!(x->mode & y->mode & ACCESS_WRITE) || !overlap(x, y))
      continue;
    uint64_t end = x->addr + x->size < y->addr + y->size ? x->addr + x->size
                                                         : y->addr + y->size;
    common->addr = x->addr > y->addr ? x->addr : y->addr;
    common->size = (uint32_t)(end - common->addr);
    return true;
  }
  return false;
}

/* Are the bytes that both wrote read before they are written again? */
static bool observed(const struct printed_sequence *s, uint32_t from,
                     struct printed_act_of a, struct printed_act_of b) {
  struct access common = {0};
  for (uint32_t pair = 0; common_write(a, b, &pair, &common);)
    if (next_touch(s, from, &common) == TOUCH_READS)
      return true;
  return false;
}

bool printed_sequence_overwrites(const struct printed_sequence *s,
                                 uint32_t from, struct printed_act_of a,
                                 struct printed_act_of b) {
  struct access common = {0};
  for (uint32_t pair = 0; common_write(a, b, &pair, &common);)
    if (next_touch(s, from, &common) != TOUCH_WRITES)
      return false;
  return true;
}

/* Does a, before s from `from` on, happen before its act j? */
static bool edge(struct printed_act_of a, const struct printed_sequence *s,
                 uint32_t j, bool observers) {
  struct printed_act_of b = {s, j};
  enum act_relation relation = acts_relation(a, b);
  if (relation != ACT_WRITES || !observers)
    return relation != ACT_NONE;
  return observed(s, j + 1, a, b);
}

bool printed_sequence_needs(const struct printed_sequence *s, uint32_t from,
                            struct printed_act_of x, bool observers) {
  for (uint32_t j = from; j < s->acts.size; j++)
    if (edge(x, s, j, observers))
      return true;
  return false;
}

/* ---- initials ----------------------------------------------------------- */

uint32_t printed_sequence_first(const struct printed_sequence *s, uint32_t from,
                                uint32_t proc) {
  for (uint32_t i = from; i < s->acts.size; i++)
    if (s->acts.at[i].proc == proc)
      return i;
  return NOWHERE;
}

bool printed_sequence_is_initial(const struct printed_sequence *s,
                                 uint32_t from, uint32_t i, bool observers) {
  for (uint32_t k = from; k < i; k++)
    if (edge((struct printed_act_of){s, k}, s, i, observers))
      return false;
  return true;
}

bool printed_sequence_weak_initial(const struct printed_sequence *s,
                                   uint32_t from, struct printed_act_of x,
                                   bool observers, uint32_t *at) {
  *at = printed_sequence_first(s, from, act_get(x)->proc);
  if (*at == NOWHERE)
    return !printed_sequence_needs(s, from, x, observers);
  return acts_same(&s->acts.at[*at], act_get(x)) &&
         printed_sequence_is_initial(s, from, *at, observers);
}
