#include "explore/context/commute.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"
#include "util/planted.h"

/* ---- which operations can ----------------------------------------------- */

/* Relaxed operations synchronise, too, beside a fence, which may come later. */
static bool synchronises(const struct explorer *x, unsigned op) {
  return x->options->races != RACES_OFF &&
         op_is(op, OPCLASS_ATOMIC | OPCLASS_COMPOUND);
}

static bool can_commute(const struct explorer *x, unsigned op, unsigned flags) {
  return op_is_of_data(op) &&
         !(flags & (STEP_BLOCKING | STEP_AWAIT | STEP_LOOK)) &&
         !synchronises(x, op);
}

static bool event_can(const struct explorer *x, const struct event *e) {
  return can_commute(x, e->op, e->flags);
}

static bool same_place(const struct access *a, const struct access *b) {
  return a->addr == b->addr && a->size == b->size;
}

/* Two stores to the same bytes commute in every state if they store the same
 * value, and otherwise in no state. */
static bool same_place_stored(const struct trace *t, const struct event *a,
                              const struct event *b) {
  return event_stores(t, a) && event_stores(t, b) &&
         same_place(event_access(t, a), event_access(t, b));
}

/* ---- running both orders ------------------------------------------------ */

enum { FOOTPRINT_MOST = 64 };

/* A step as it was taken in one of the orders. */
struct commute_step {
  uint16_t op;
  uint64_t pc;
  uint32_t accesses;
  struct access access[FOOTPRINT_MOST];
};

/* Takes the step; false if that is not possible, or if the step cannot commute.
 */
static bool take(struct explorer *x, struct move move,
                 struct commute_step *seen) {
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

static bool same(const struct commute_step *a, const struct commute_step *b) {
  if (planted(CONTEXT_TOUCH))
    return true;
  return a->op == b->op && a->pc == b->pc && a->accesses == b->accesses &&
         !memcmp(a->access, b->access, a->accesses * sizeof *a->access);
}

/* The search ends or begins anew: no answer counts. */
static bool in_vain(const struct explorer *x) {
  return x->diverged || explorer_stale(x);
}

static bool both_orders(struct explorer *x, size_t depth, struct move a,
                        struct move b) {
  struct system *s = x->system;
  struct commute_step first[2], second[2];
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

#define MARK \
  0x9e3779b97f4a7c15u /* odd; makes hashes that are not histories of events */

struct commute_circumstances {
  uint64_t one, other; /* local states, each mixed with the content; otherwise
                          histories */
};

/* The local state of a process before a step follows from its event before, or
 * from the event that created it. */
static uint64_t local_state(const struct trace *t, uint32_t proc,
                            uint32_t index, uint32_t choice, uint32_t cause) {
  uint32_t from = index > 1 ? process_event(t, proc, index - 1) + 1 : cause;
  return (trace_cause(t, proc, from) + choice) * MARK;
}

static uint64_t event_local_state(const struct trace *t,
                                  const struct event *e) {
  return local_state(t, e->proc, e->index, e->choice, e->cause);
}

/* Does the step touch one place, in one granule, and nothing else? */
static bool is_one_place(unsigned op, uint32_t accesses,
                         const struct access *a) {
  return op_has_value(op) && accesses == 1 &&
         access_first_granule(a) == access_last_granule(a);
}

/* The content of the event's place, identified by the write that left it.  A
 * store leaves what follows from the local state of its process; other writes
 * leave what follows from their whole history.  False if several writes left
 * the content: to parts of it, or updates of one kind.  (Of two steps that
 * conflict at a place, one follows all such updates that came before.) */
static bool find_content(const struct trace *t, const struct event *e,
                         uint64_t *content) {
  if (!is_one_place(e->op, e->accesses, event_access(t, e)))
    return false;
  *content = 0;
  if (!e->observed)
    return true; /* it was there from the start */
  const struct event *w = &t->events.at[e->observed - 1];
  *content = event_stores(t, w) ? event_local_state(t, w) : w->history;
  bool alone =
      !(event_access(t, w)->mode & ACCESS_KIND) || planted(CONTEXT_UPDATE);
  return w->accesses == 1 && alone &&
         same_place(event_access(t, w), event_access(t, e));
}

/* From the state where they meet, either may come first. */
static struct commute_circumstances circumstances(uint64_t a, uint64_t b,
                                                  uint64_t content) {
  content *= 3; /* unlike the content that one of the two would leave */
  return (struct commute_circumstances){(a < b ? a : b) + content,
                                        (a < b ? b : a) ^ content};
}

static struct commute_circumstances of_sleeper(const struct trace *t,
                                               const struct event *e,
                                               const struct sleeper *o) {
  uint64_t content;
  if (!find_content(t, e, &content) ||
      !is_one_place(o->op, o->accesses, &o->one_access) ||
      !same_place(&o->one_access, event_access(t, e)))
    return (struct commute_circumstances){o->history + MARK, e->history};
  return circumstances(event_local_state(t, e),
                       local_state(t, o->proc, o->index, o->choice, o->cause),
                       content);
}

/* ---- what is known ------------------------------------------------------ */

enum { KNOWN = 4096 }; /* a power of two */

static struct commute_answer *
known_place(const struct commute_cache *c,
            const struct commute_circumstances *k) {
  return &c->known[(k->one * 3 + k->other) % KNOWN];
}

static bool recall(const struct commute_cache *c,
                   const struct commute_circumstances *k, bool *yes) {
  const struct commute_answer *known = known_place(c, k);
  *yes = known->yes;
  return known->one == k->one && known->other == k->other;
}

static bool remember(struct commute_cache *c,
                     const struct commute_circumstances *k, bool yes) {
  struct commute_answer *known = known_place(c, k);
  c->x->counters->answers_kept += !known->one && !known->other;
  *known = (struct commute_answer){k->one, k->other, yes};
  return yes;
}

/* ---- asking ------------------------------------------------------------- */

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

static bool asked_instead(struct commute_cache *c,
                          const struct sleeper *other) {
  const struct trace *t = &c->x->trace;
  struct commute_circumstances k = of_sleeper(t, &VEC_TOP(t->events), other);
  bool yes;
  if (recall(c, &k, &yes))
    return yes;
  struct move move = {other->proc, other->choice};
  return remember(c, &k, commutes_instead(c->x, move));
}

static bool same_store(const struct trace *t, const struct sleeper *z,
                       const struct event *e) {
  return z->stores && event_stores(t, e) &&
         same_place(&z->one_access, event_access(t, e));
}

enum commute commute_instead(struct commute_cache *c, struct sleeper *other) {
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

bool commute_never(const struct commute_cache *c, const struct event *a,
                   const struct event *b) {
  return !event_can(c->x, a) || !event_can(c->x, b) ||
         (same_place_stored(&c->x->trace, a, b) && a->value != b->value);
}

/* ---- life --------------------------------------------------------------- */

void commute_init(struct commute_cache *c, struct explorer *x) {
  c->x = x;
  x->counters->answers_kept = 0;
  c->known = calloc(KNOWN, sizeof *c->known);
  ensure(c->known);
}

void commute_free(struct commute_cache *c) {
  free(c->known);
}
