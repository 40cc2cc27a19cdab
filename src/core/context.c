#include "core/context.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

/* ---- which operations can -------------------------------------------------
 */

/* Relaxed ones do beside a fence, which may be yet to come. */
static bool synchronises(const struct explorer *x, unsigned op) {
  return x->options->races != RACES_OFF &&
         (op == OP_BLOCK || op == OP_TASK || (op >= OP_LOAD && op <= OP_CAS));
}

static bool can_commute(const struct explorer *x, unsigned op, unsigned flags) {
  bool data = (op >= OP_READ && op <= OP_SCAN && op != OP_FENCE) ||
              op == OP_BLOCK || op == OP_TASK;
  return data && !(flags & (STEP_BLOCKING | STEP_AWAIT)) &&
         !synchronises(x, op);
}

static bool event_can(const struct explorer *x, const struct event *e) {
  return can_commute(x, e->op, e->flags);
}

static bool same_place(const struct access *a, const struct access *b) {
  return a->addr == b->addr && a->size == b->size;
}

/* Two stores to the same bytes commute if they store the same, in every state,
 * and otherwise in none. */
static bool same_place_stored(const struct trace *t, const struct event *a,
                              const struct event *b) {
  return event_stores(t, a) && event_stores(t, b) &&
         same_place(event_access(t, a), event_access(t, b));
}

/* ---- running both orders --------------------------------------------------
 */

enum { FOOTPRINT_MOST = 64 };

/* A step as it was the first time. */
struct seen {
  uint16_t op;
  uint64_t pc;
  uint32_t accesses;
  struct access access[FOOTPRINT_MOST];
};

/* Takes the step; false: it was not possible, or not ordinary. */
static bool take(struct explorer *x, struct move move, struct seen *seen) {
  struct system *s = x->system;
  struct step step;
  if (!s->ops->enabled(s, move.proc) ||
      s->ops->step(s, move.proc, move.choice, &step) != STEP_DONE ||
      step.accesses > FOOTPRINT_MOST || !can_commute(x, step.op, step.flags))
    return false;
  seen->op = step.op;
  seen->pc = step.pc;
  seen->accesses = step.accesses;
  for (uint32_t i = 0; i < step.accesses; i++) {
    seen->access[i] = step.access[i];
    seen->access[i].mode |= ACCESS_SILENT; /* may depend on the order */
  }
  return true;
}

static bool same(const struct seen *a, const struct seen *b) {
  if (planted(CONTEXT_TOUCH))
    return true;
  return a->op == b->op && a->pc == b->pc && a->accesses == b->accesses &&
         !memcmp(a->access, b->access, a->accesses * sizeof *a->access);
}

/* Nothing that is found out now counts. */
static bool in_vain(const struct explorer *x) {
  return x->diverged || explorer_stale(x);
}

static bool both_orders(struct explorer *x, size_t depth, struct move a,
                        struct move b) {
  struct system *s = x->system;
  struct seen first[2], second[2];
  if (!take(x, a, &first[0]) || !take(x, b, &first[1]))
    return false;
  struct changes one = s->ops->changes(s, depth);
  explorer_undo(x, depth);
  if (in_vain(x) || !take(x, b, &second[1]) || !take(x, a, &second[0]))
    return false;
  struct changes other = s->ops->changes(s, depth);
  return !memcmp(&one, &other, sizeof one) && same(&first[0], &second[0]) &&
         same(&first[1], &second[1]);
}

static bool commutes(struct explorer *x, size_t depth, struct move a,
                     struct move b) {
  struct system *s = x->system;
  x->counters->compared++;
  if (s->ops->comparing)
    s->ops->comparing(s, true);
  bool yes = both_orders(x, depth, a, b);
  if (s->ops->comparing)
    s->ops->comparing(s, false);
  if (in_vain(x))
    return false;
  explorer_undo(x, depth);
  return yes;
}

static struct move move_of(const struct event *e) {
  return (struct move){e->proc, e->choice};
}

/* ---- what the answer depends on -------------------------------------------
 *
 * Two steps that read or write one place, and nothing else, do in either order
 * what follows from the local states of their processes and from what is there.
 * Most pairs are such, and there are far fewer of these circumstances than of
 * histories.
 */

#define MARK 0x9e3779b97f4a7c15u /* odd: a history that is not an event's */

struct circumstances {
  uint64_t one, other; /* each with what is there; otherwise histories */
};

/* What a process is like before a step is determined by the event before it in
 * the process, or by what created it. */
static uint64_t local_state(const struct trace *t, uint32_t proc,
                            uint32_t index, uint32_t choice, uint32_t cause) {
  uint32_t from = index > 1 ? process_event(t, proc, index - 1) + 1 : cause;
  return (trace_cause(t, proc, from) + choice) * MARK;
}

static uint64_t event_local_state(const struct trace *t,
                                  const struct event *e) {
  return local_state(t, e->proc, e->index, e->choice, e->cause);
}

/* Is it all that the step touches, and its content left by one write? */
static bool is_one_place(unsigned op, uint32_t accesses,
                         const struct access *a) {
  return op >= OP_READ && op <= OP_CAS && accesses == 1 &&
         access_first_granule(a) == access_last_granule(a);
}

/* What the event finds at its place, told apart by who left it there: a store
 * leaves what its process had in mind, other writes what follows from all
 * before them.  False if not all of it was left by one write. */
static bool find_content(const struct trace *t, const struct event *e,
                         uint64_t *content) {
  if (!is_one_place(e->op, e->accesses, event_access(t, e)))
    return false;
  *content = 0;
  if (!e->observed)
    return true; /* it was always there */
  const struct event *w = &t->events.at[e->observed - 1];
  *content = event_stores(t, w) ? event_local_state(t, w) : w->history;
  return w->accesses == 1 && same_place(event_access(t, w), event_access(t, e));
}

/* From the state where they meet, either may come first. */
static struct circumstances circumstances(uint64_t a, uint64_t b,
                                          uint64_t content) {
  content *= 3; /* not what one of them would leave there */
  return (struct circumstances){(a < b ? a : b) + content,
                                (a < b ? b : a) ^ content};
}

static struct circumstances of_sleeper(const struct trace *t,
                                       const struct event *e,
                                       const struct sleeper *o) {
  uint64_t content;
  if (!find_content(t, e, &content) ||
      !is_one_place(o->op, o->accesses, &o->one) ||
      !same_place(&o->one, event_access(t, e)))
    return (struct circumstances){o->history + MARK, e->history};
  return circumstances(event_local_state(t, e),
                       local_state(t, o->proc, o->index, o->choice, o->cause),
                       content);
}

/* ---- what is known --------------------------------------------------------
 */

enum { KNOWN = 4096 }; /* a power of two */

static struct known_commute *known_place(const struct context *c,
                                         const struct circumstances *k) {
  return &c->known[(k->one * 3 + k->other) % KNOWN];
}

static bool recall(const struct context *c, const struct circumstances *k,
                   bool *yes) {
  const struct known_commute *known = known_place(c, k);
  *yes = known->yes;
  return known->one == k->one && known->other == k->other;
}

static bool remember(struct context *c, const struct circumstances *k,
                     bool yes) {
  struct known_commute *known = known_place(c, k);
  c->x->counters->answers_kept += !known->one && !known->other;
  *known = (struct known_commute){k->one, k->other, yes};
  return yes;
}

/* ---- asking ---------------------------------------------------------------
 */

static bool commutes_instead(struct explorer *x, struct move other) {
  const struct trace *t = &x->trace;
  size_t depth = trace_length(t) - 1;
  explorer_undo(x, depth);
  bool yes = commutes(x, depth, move_of(&VEC_TOP(t->events)), other);
  if (in_vain(x))
    return false;
  explorer_retake(x, depth);
  return yes;
}

static bool asked_instead(struct context *c, const struct sleeper *other) {
  const struct trace *t = &c->x->trace;
  struct circumstances k = of_sleeper(t, &VEC_TOP(t->events), other);
  bool yes;
  if (recall(c, &k, &yes))
    return yes;
  struct move move = {other->proc, other->choice};
  return remember(c, &k, commutes_instead(c->x, move));
}

static bool same_store(const struct trace *t, const struct sleeper *one,
                       const struct event *e) {
  return one->stores && event_stores(t, e) &&
         same_place(&one->one, event_access(t, e));
}

enum commute context_commutes_instead(struct context *c,
                                      struct sleeper *other) {
  const struct trace *t = &c->x->trace;
  const struct event *e = &VEC_TOP(t->events);
  if (!event_can(c->x, e) || !can_commute(c->x, other->op, 0) || in_vain(c->x))
    return COMMUTE_NOT;
  if (same_store(t, other, e))
    return other->value == e->value ? COMMUTE_ALWAYS : COMMUTE_NOT;
  bool yes = asked_instead(c, other);
  other->history = other->history * MARK + e->history;
  return yes ? COMMUTE_HERE : COMMUTE_NOT;
}

bool context_firm(const struct context *c, const struct event *a,
                  const struct event *b) {
  return !event_can(c->x, a) || !event_can(c->x, b) ||
         (same_place_stored(&c->x->trace, a, b) && a->value != b->value);
}

/* ---- life -----------------------------------------------------------------
 */

void context_init(struct context *c, struct explorer *x) {
  c->x = x;
  x->counters->answers_kept = 0;
  c->known = calloc(KNOWN, sizeof *c->known);
  ensure(c->known);
}

void context_free(struct context *c) {
  free(c->known);
}
