#include "explore/stateful/foreseen_plan.h"

#include <stdlib.h>
#include <string.h>

#include "util/planted.h"

/* ---- links ----------------------------------------------------------------
 */

/* The bytes of a granule that the event reads or writes so that an access of
 * this kind conflicts with it. */
static uint8_t conflicting(const struct trace *t, const struct event *e,
                           uint64_t granule, bool writes) {
  const struct access *a = event_access(t, e);
  uint8_t bytes = 0;
  for (uint32_t i = 0; i < e->accesses; i++)
    if ((writes || (a[i].mode & ACCESS_WRITE)) &&
        granule >= access_first_granule(&a[i]) &&
        granule <= access_last_granule(&a[i]))
      bytes |= access_mask(&a[i], granule);
  return bytes;
}

/* Does the next step of the process conflict with e, whatever comes before it?
 * A compare-and-swap may only read. */
static bool must_follow(const struct foreseen_plan *p, uint32_t q,
                        const struct event *e) {
  struct system *system = p->foreseen.x->system;
  struct step next;
  if (!system->ops->pending(system, q, &next) ||
      (next.flags & (STEP_BLOCK | STEP_CONDITIONAL | STEP_LOOK | STEP_AWAIT)))
    return false;
  return footprint_conflict(next.access, next.accesses,
                            event_access(&p->foreseen.x->trace, e),
                            e->accesses);
}

static void find_unordered(struct foreseen_plan *p, const struct event *e) {
  uint32_t processes = p->foreseen.x->system->processes;
  p->unordered = 0;
  for (uint32_t q = 0; q < processes; q++)
    if (!foreseen_knows(&p->foreseen, q, e) && !must_follow(p, q, e))
      p->unordered |= carrier_bit(q);
}

/* An event that conflicts with e happens after it, and is not in v. */
static void add_link(struct foreseen_plan *p, const struct event *e,
                     const struct future_access *a) {
  const struct trace *t = &p->foreseen.x->trace;
  bool writes = a->mode & ACCESS_WRITE, cause = a->wants == WANTS_CAUSE;
  uint8_t bytes = a->bytes;
  if (!cause)
    bytes &= (uint8_t)~conflicting(t, e, a->granule, writes);
  if (bytes || cause)
    VEC_PUSH(p->links, (struct foreseen_link){a->granule, a->proc, bytes,
                                              a->first, a->last, writes});
}

static void find_links(struct foreseen_plan *p, struct known_states *k,
                       struct known_future future, const struct event *e) {
  const struct future_access *a;
  size_t count;
  p->links.size = 0;
  for (size_t n = 0; known_accesses(k, future, n, &a, &count); n++)
    for (size_t i = 0; i < count && (p->unordered & carrier_bit(a->proc)); i++)
      if (!foreseen_settled(&p->foreseen, &a[i], e))
        add_link(p, e, &a[i]);
}

static bool raise_reach(struct foreseen_plan *p, uint32_t proc, uint8_t last) {
  uint32_t reach = (uint32_t)last + 1;
  uint64_t bit = carrier_bit(proc);
  if (!(p->unordered & bit) || ((p->reached & bit) && p->reach[proc] >= reach))
    return false;
  p->reached |= bit;
  p->reach[proc] = reach;
  return true;
}

/* May the later link be on the chain? */
static bool is_reached(const struct foreseen_plan *p,
                       const struct foreseen_link *l) {
  return (p->reached & carrier_bit(l->proc)) && p->reach[l->proc] > l->first;
}

/* The event of a link may be before another one on the chain. */
static bool follow(struct foreseen_plan *p, const struct foreseen_link *later) {
  bool grown = false;
  if (!later->bytes)
    return raise_reach(p, (uint32_t)later->granule, FUTURE_FAR);
  for (size_t i = 0; i < p->links.size; i++) {
    const struct foreseen_link *l = &p->links.at[i];
    if (l->granule == later->granule && (l->bytes & later->bytes) &&
        (l->writes || later->writes) && l->proc != later->proc)
      grown |= raise_reach(p, l->proc, l->last);
  }
  return grown;
}

/* The processes with which a chain to f can begin. */
static uint64_t beginnings(struct foreseen_plan *p,
                           const struct future_access *f) {
  bool writes = (f->mode & ACCESS_WRITE) || (f->reordered & REORDERED_WRITES);
  struct foreseen_link link = {f->granule, f->proc, f->bytes,
                               f->first,   f->last, writes};
  p->reached = carrier_bit(f->proc);
  p->reach[f->proc] = (uint32_t)f->last + 1;
  bool grown = true;
  follow(p, &link);
  while (grown && !planted(STATE_CHAIN)) {
    grown = false;
    for (size_t i = 0; i < p->links.size; i++)
      if (is_reached(p, &p->links.at[i]))
        grown |= follow(p, &p->links.at[i]);
  }
  return planted(STATE_CHAIN) ? carrier_bit(f->proc) : p->reached;
}

/* ---- planning -------------------------------------------------------------
 */

/* Is everything tried before this event? */
static bool is_planned(const void *context, uint32_t position) {
  const struct foreseen_plan *p = context;
  return backtrack_is_full(p->b, position);
}

/* The first event of K, or NOWHERE. */
static uint32_t first_beside(const struct trace *t, uint32_t position) {
  const struct event *e = &t->events.at[position];
  for (uint32_t i = position + 1; i < t->events.size; i++)
    if (!happens_before(t, e, &t->events.at[i]))
      return i;
  return NOWHERE;
}

/* May f, without e before it, be a step that touches something else? */
static bool is_unsure(const struct trace *t, const struct event *e,
                      const struct future_access *f) {
  if (f->reordered & (REORDERED_MOVES | REORDERED_PARTS))
    return true;
  if (!(f->reordered & REORDERED_WRITES))
    return false;
  uint8_t written = conflicting(t, e, f->granule, false);
  return (written & f->bytes) && (f->bytes & ~written);
}

/* 1 + the position of the event that made the next step of the process
 * possible, or 0. */
static uint32_t pending_cause(const struct foreseen_plan *p, uint32_t proc) {
  struct system *system = p->foreseen.x->system;
  struct step next;
  return system->ops->pending(system, proc, &next) ? next.cause : 0;
}

/* The first event of K that must come before f because its process does, or
 * lets f's process begin or go on; NOWHERE: none. */
static uint32_t first_needed(const struct foreseen_plan *p, uint32_t position,
                             const struct future_access *f) {
  const struct trace *t = &p->foreseen.x->trace;
  uint32_t before = trace_count_before(t, f->proc, position + 1);
  uint32_t cause = pending_cause(p, f->proc);
  if (before < process_length(t, f->proc))
    return process_event(t, f->proc, before + 1);
  return cause > position + 1 ? cause - 1 : NOWHERE;
}

/* The first event of K that is known to happen before f's step whatever the
 * step touches; NOWHERE: none. */
static uint32_t first_carried(struct foreseen_plan *p, uint32_t position,
                              const struct future_access *f) {
  const struct trace *t = &p->foreseen.x->trace;
  const struct event *e = &t->events.at[position];
  uint32_t needed = first_needed(p, position, f);
  for (uint32_t i = position + 1; i < t->events.size && needed == NOWHERE; i++)
    if (!happens_before(t, e, &t->events.at[i]) &&
        foreseen_settled(&p->foreseen, f, &t->events.at[i]))
      needed = i;
  return needed;
}

/* Is the step of f an atomic block whose process is tried before e, or does
 * its process do something else before it? */
static bool try_block(struct foreseen_plan *p, uint32_t position,
                      const struct future_access *f) {
  return (f->reordered & REORDERED_MOVES) && f->proc < 64 &&
         p->foreseen.x->system->processes <= 64 &&
         (f->first || backtrack_try_block(p->b, position, f->proc));
}

/* Races with steps that may be others without e, or any if e is a block
 * (`leading`): what is known to come before them is sure.  False: every process
 * is tried.  `open`: some are left, and for each of them all processes must be
 * tried with which a chain to it can begin. */
static bool plan_unsure(struct foreseen_plan *p, size_t from, size_t to,
                        bool leading, bool *open) {
  const struct trace *t = &p->foreseen.x->trace;
  uint32_t position = p->races.at[from].position;
  for (size_t i = from; i < to; i++) {
    const struct future_access *f = p->races.at[i].access;
    bool unsure = is_unsure(t, &t->events.at[position], f) || f->proc >= 64;
    if (!unsure && !leading)
      continue;
    uint32_t needed = first_carried(p, position, f);
    if (needed != NOWHERE) {
      backtrack_plan_needed(p->b, position, needed);
      continue;
    }
    if (unsure && !try_block(p, position, f)) {
      p->b->nodes.at[position].covered.try_all = true;
      return false;
    }
    *open = true;
  }
  return true;
}

/* A step of the process was made possible by the event at `cause` - 1, if that
 * is one of K. */
static void add_cause(struct foreseen_plan *p, uint32_t position, uint32_t proc,
                      uint32_t cause) {
  const struct trace *t = &p->foreseen.x->trace;
  if (cause > position + 1)
    VEC_PUSH(p->links,
             (struct foreseen_link){.granule = t->events.at[cause - 1].proc,
                                    .proc = proc,
                                    .last = FUTURE_FAR});
}

static void add_pending_causes(struct foreseen_plan *p, uint32_t position) {
  for (uint32_t q = 0; q < 64; q++)
    if (p->unordered >> q & 1)
      add_cause(p, position, q, pending_cause(p, q));
}

/* The accesses of K are links, too. */
static void add_beside(struct foreseen_plan *p, uint32_t position) {
  const struct trace *t = &p->foreseen.x->trace;
  add_pending_causes(p, position);
  for (uint32_t i = position + 1; i < t->events.size; i++) {
    const struct event *e = &t->events.at[i];
    const struct access *a = event_access(t, e);
    if (happens_before(t, &t->events.at[position], e))
      continue;
    p->unordered |=
        carrier_bit(e->proc); /* though its next step may follow e */
    add_cause(p, position, e->proc, e->cause);
    for (uint32_t k = 0; k < e->accesses; k++)
      for (uint64_t g = access_first_granule(&a[k]);
           g <= access_last_granule(&a[k]); g++)
        VEC_PUSH(p->links,
                 (struct foreseen_link){g, e->proc, access_mask(&a[k], g), 0,
                                        FUTURE_FAR, a[k].mode & ACCESS_WRITE});
  }
}

static void find_chains(struct foreseen_plan *p, struct known_states *k,
                        struct known_future future, uint32_t position) {
  const struct event *e = &p->foreseen.x->trace.events.at[position];
  find_unordered(p, e);
  find_links(p, k, future, e);
  add_beside(p, position);
}

/* The processes with which chains can begin. */
static uint64_t all_beginnings(struct foreseen_plan *p, size_t from,
                               size_t to) {
  uint64_t all = 0;
  for (size_t i = from; i < to; i++)
    all |= beginnings(p, p->races.at[i].access);
  return all;
}

/* The process of the last event of K that touches something, if it can begin
 * K; or NOWHERE.  It was late: to try it earlier mostly leads to a known
 * state. */
static uint32_t late_process(const struct foreseen_plan *p) {
  const struct trace *t = &p->foreseen.x->trace;
  struct reversal *v = &p->b->v;
  uint32_t last = (uint32_t)t->events.size - 1;
  while (last > v->at &&
         !(t->events.at[last].accesses && reversal_contains(v, last)))
    last--;
  if (last == v->at)
    return NOWHERE;
  uint32_t proc = t->events.at[last].proc;
  bool first = reversal_first_index(v, proc) == t->events.at[last].index;
  return first && reversal_is_initial(v, proc) ? proc : NOWHERE;
}

/* One process that can begin K is enough.  But one that has nothing to do with
 * f is in vain, unless it was late: then rather f's process, if it can begin.
 */
static uint32_t choose_beside(struct foreseen_plan *p, size_t from, size_t to,
                              uint32_t beside, uint64_t *wanted) {
  const struct trace *t = &p->foreseen.x->trace;
  uint64_t own = 0;
  for (size_t i = from; i < to; i++)
    own |= carrier_bit(p->races.at[i].access->proc);
  if (all_beginnings(p, from, to) != own)
    return t->events.at[beside].proc;
  *wanted = own;
  return NOWHERE;
}

static void plan_beside(struct foreseen_plan *p, struct known_states *k,
                        struct known_future future, size_t from, size_t to,
                        uint32_t beside) {
  const struct trace *t = &p->foreseen.x->trace;
  uint32_t position = p->races.at[from].position;
  uint64_t wanted = 0;
  reversal_of_unknown(&p->b->v, t, position);
  if (backtrack_has(p->b, reversal_is_initial))
    return;
  for (size_t i = from; i < to; i++) {
    uint32_t needed = first_carried(p, position, p->races.at[i].access);
    if (needed != NOWHERE) {
      backtrack_plan_needed(p->b, position, needed);
      return;
    }
  }
  uint32_t proc = late_process(p);
  if (proc == NOWHERE && p->foreseen.x->system->processes > 64)
    proc = t->events.at[beside].proc; /* chains may go by others */
  if (proc == NOWHERE) {
    find_chains(p, k, future, position);
    proc = choose_beside(p, from, to, beside, &wanted);
  }
  if (proc != NOWHERE)
    backtrack_add(p->b, proc);
  else
    backtrack_want(p->b, position, wanted);
}

/* The races of one event, `from` to `to` of the list. */
static void plan_event(struct foreseen_plan *p, struct known_states *k,
                       struct known_future future, size_t from, size_t to) {
  uint32_t position = p->races.at[from].position;
  const struct trace *t = &p->foreseen.x->trace;
  bool leading = t->events.at[position].flags & STEP_BLOCK, open = false;
  if (is_planned(p, position) || !plan_unsure(p, from, to, leading, &open))
    return;
  uint32_t beside = first_beside(t, position);
  if (leading && !open)
    return;
  if (beside != NOWHERE && !open) {
    plan_beside(p, k, future, from, to, beside);
    return;
  }
  if (p->foreseen.x->system->processes > 64) {
    p->b->nodes.at[position].covered.try_all = true;
    return;
  }
  find_chains(p, k, future, position);
  backtrack_want(p->b, position, all_beginnings(p, from, to));
}

static int by_position(const void *a, const void *b) {
  const struct foreseen_race *x = a, *y = b;
  return (x->position > y->position) - (x->position < y->position);
}

/* ---- events that are open -------------------------------------------------
 */

static uint64_t *place_word(struct foreseen_places *places, uint64_t granule,
                            uint64_t *bit) {
  uint32_t hash = table_hash(granule) >> 24;
  *bit = (uint64_t)1 << hash % 64;
  return &places->word[hash / 64];
}

static void add_open(struct foreseen_plan *p, uint32_t position) {
  const struct trace *t = &p->foreseen.x->trace;
  const struct event *e = &t->events.at[position];
  const struct access *a = event_access(t, e);
  struct foreseen_open added = {.position = position};
  uint64_t bit;
  if (p->open.size)
    added.touched = VEC_TOP(p->open).touched;
  for (uint32_t i = 0; i < e->accesses; i++)
    for (uint64_t g = access_first_granule(&a[i]);
         g <= access_last_granule(&a[i]); g++)
      *place_word(&added.touched, g, &bit) |= bit;
  VEC_PUSH(p->open, added);
}

/* May an event that is open touch the granule? */
static bool is_touched(struct foreseen_plan *p, uint64_t granule) {
  uint64_t bit, word = *place_word(&VEC_TOP(p->open).touched, granule, &bit);
  return word & bit;
}

/* Is there an event that may be in a race, and a process that could be tried
 * before it? */
static bool find_open(struct foreseen_plan *p) {
  const struct trace *t = &p->foreseen.x->trace;
  while (p->open.size && is_planned(p, VEC_TOP(p->open).position))
    p->open.size--;
  for (; p->looked_at < t->events.size; p->looked_at++)
    if (t->events.at[p->looked_at].accesses &&
        !is_planned(p, (uint32_t)p->looked_at))
      add_open(p, (uint32_t)p->looked_at);
  return p->open.size;
}

void foreseen_plan_truncate(struct foreseen_plan *p, size_t length) {
  if (p->looked_at > length)
    p->looked_at = length;
  while (p->open.size && VEC_TOP(p->open).position >= length)
    p->open.size--;
}

/* ---- all of it ------------------------------------------------------------
 */

static void add_race(struct foreseen_plan *p, uint32_t position,
                     const struct future_access *f) {
  VEC_PUSH(p->races, (struct foreseen_race){position, f});
  if (f->reordered & FUTURE_SOMETIMES)
    deciders_vote(p->deciders, f->proc,
                  p->foreseen.x->trace.events.at[position].proc);
}

/* The races of an access with events that are open. */
static void add_races(struct foreseen_plan *p, const struct future_access *a) {
  foreseen_races(&p->foreseen, a, is_planned, p, &p->found);
  for (size_t r = 0; r < p->found.list.size; r++)
    if (!is_planned(p, p->found.list.at[r]))
      add_race(p, p->found.list.at[r], a);
}

static void find_races(struct foreseen_plan *p, struct known_states *k,
                       struct known_future future) {
  size_t segments, count;
  const uint32_t *at = known_segments(k, future, &segments);
  p->races.size = 0;
  for (size_t n = 0; n < segments; n++) {
    const struct future_access *a = segment_at(&k->segments, at[n], &count);
    for (size_t i = 0; i < count; i++)
      if (is_touched(p, a[i].granule))
        add_races(p, &a[i]);
  }
}

void foreseen_plan(struct foreseen_plan *p, struct known_states *k,
                   struct known_future future) {
  if (!find_open(p))
    return;
  find_races(p, k, future);
  if (p->races.size && !planted(STATE_RACES))
    qsort(p->races.at, p->races.size, sizeof *p->races.at, by_position);
  for (size_t i = 0, end; i < p->races.size && !planted(STATE_RACES); i = end) {
    for (end = i + 1; end < p->races.size &&
                      p->races.at[end].position == p->races.at[i].position;
         end++)
      ;
    plan_event(p, k, future, i, end);
  }
}

void foreseen_plan_free(struct foreseen_plan *p) {
  foreseen_free(&p->foreseen);
  positions_free(&p->found);
  VEC_FREE(p->races);
  VEC_FREE(p->links);
  VEC_FREE(p->open);
}
