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

/* ---- where the steps stand ------------------------------------------------
 */

static struct move move_of(const struct event *e) {
  return (struct move){e->proc, e->choice};
}

static bool try_all(struct explorer *x, const struct positions *list) {
  for (size_t i = 0; i < list->list.size; i++)
    if (!explorer_try(x, list->list.at[i]))
      return false;
  return true;
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

static bool touch_nothing(const struct trace *t, const struct positions *list,
                          const struct access *a) {
  for (size_t i = 0; i < list->list.size; i++) {
    const struct event *e = &t->events.at[list->list.at[i]];
    if (footprint_conflict(event_access(t, e), e->accesses, a, 1))
      return false;
  }
  return true;
}

static struct circumstances of_events(const struct trace *t,
                                      const struct event *a,
                                      const struct event *b,
                                      const struct positions *between) {
  uint64_t content;
  const struct access *place = event_access(t, a);
  if (!find_content(t, a, &content) ||
      !is_one_place(b->op, b->accesses, event_access(t, b)) ||
      !same_place(place, event_access(t, b)) ||
      !touch_nothing(t, between, place))
    return (struct circumstances){a->history, b->history};
  return circumstances(event_local_state(t, a), event_local_state(t, b),
                       content);
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
  *known_place(c, k) = (struct known_commute){k->one, k->other, yes};
  return yes;
}

/* ---- asking ---------------------------------------------------------------
 */

static bool commutes_after(struct explorer *x, uint32_t first, uint32_t second,
                           const struct positions *between) {
  const struct trace *t = &x->trace;
  const struct event *e = &t->events.at[first], *last = &t->events.at[second];
  explorer_undo(x, first);
  bool yes = try_all(x, between) &&
             commutes(x, first + between->list.size, move_of(e), move_of(last));
  if (in_vain(x))
    return false;
  explorer_undo(x, first);
  for (size_t i = first; i < trace_length(t); i++)
    explorer_retake(x, i);
  return yes;
}

/* What can be said without running them. */
static bool firm(void *context, uint32_t first, uint32_t second) {
  const struct context *c = context;
  const struct trace *t = &c->x->trace;
  const struct event *e = &t->events.at[first], *last = &t->events.at[second];
  return !event_can(c->x, e) || !event_can(c->x, last) ||
         (same_place_stored(t, e, last) && e->value != last->value);
}

static enum commute commute(void *context, uint32_t first, uint32_t second,
                            const struct positions *between) {
  struct context *c = context;
  const struct trace *t = &c->x->trace;
  const struct event *e = &t->events.at[first], *last = &t->events.at[second];
  bool yes;
  if (firm(context, first, second) || in_vain(c->x))
    return COMMUTE_NOT;
  if (same_place_stored(t, e, last))
    return COMMUTE_ALWAYS;
  struct circumstances k = of_events(t, e, last, between);
  if (!recall(c, &k, &yes))
    yes = remember(c, &k, commutes_after(c->x, first, second, between));
  return yes ? COMMUTE_HERE : COMMUTE_NOT;
}

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

bool context_commutes_instead(struct context *c, struct sleeper *other) {
  const struct trace *t = &c->x->trace;
  const struct event *e = &VEC_TOP(t->events);
  if (!event_can(c->x, e) || !can_commute(c->x, other->op, 0) || in_vain(c->x))
    return false;
  bool yes = other->stores && event_stores(t, e) &&
                     same_place(&other->one, event_access(t, e))
                 ? other->value == e->value
                 : asked_instead(c, other);
  other->history = other->history * MARK + e->history;
  return yes;
}

/* ---- anticipated cuts -----------------------------------------------------
 *
 * If nothing that is left can conflict with e, it stays possible whatever comes
 * first, every execution from the node has it, and is equivalent to one that
 * begins with it (paper 2, section 5.3).
 *
 * The paper stops wherever a sleeper cannot be woken.  Below the node where it
 * fell asleep that loses executions (cs-anticipated): run on until nobody is
 * awake, such an execution may show races with the steps since then.
 */

bool context_covers_all(const struct context *c, const struct event *e) {
  const struct trace *t = &c->x->trace;
  struct system *s = c->x->system;
  if (!s->ops->may_touch || c->x->options->no_anticipate || e->choices > 1)
    return false;
  explorer_undo(c->x, (size_t)(e - t->events.at));
  return planted(CONTEXT_FUTURE) ||
         !s->ops->may_touch(s, e->proc, event_access(t, e), e->accesses);
}

/* ---- other contexts -------------------------------------------------------
 */

/* What is before one of the two has been when they meet; what is after one of
 * them has not. */
static bool ordered_with_one(const struct trace *t, const struct event *k,
                             const struct event *a, const struct event *b) {
  return happens_weakly_before(t, k, a) || happens_weakly_before(t, k, b) ||
         happens_weakly_before(t, a, k) || happens_weakly_before(t, b, k);
}

/* A write whose order with others may not be known: see settle.h.  `newest` is
 * the newest touch of its granule. */
static bool has_rival(const struct trace *t, const struct touch *touch,
                      uint32_t newest) {
  if (!t->unseen || !(touch->mode & ACCESS_BLIND))
    return false;
  uint32_t proc = t->events.at[touch->event].proc;
  for (uint32_t r = newest; r != NOWHERE; r = t->touches.at[r].older) {
    const struct touch *other = &t->touches.at[r];
    if ((other->mode & ACCESS_BLIND) && (other->mask & touch->mask) &&
        t->events.at[other->event].proc != proc)
      return true;
  }
  return false;
}

/* Is there a third that touches the bytes of this access, of a or b? */
static bool meets_third(const struct trace *t, const struct access *access,
                        const struct event *a, const struct event *b) {
  uint64_t last = access_last_granule(access);
  for (uint64_t g = access_first_granule(access); g <= last; g++)
    for (uint32_t r = trace_newest(t, g); r != NOWHERE;
         r = t->touches.at[r].older) {
      const struct touch *touch = &t->touches.at[r];
      const struct event *k = &t->events.at[touch->event];
      if (k != a && k != b && (touch->mask & access_mask(access, g)) &&
          ((touch->mode | access->mode) & ACCESS_WRITE) &&
          (!ordered_with_one(t, k, a, b) ||
           has_rival(t, touch, trace_newest(t, g))))
        return true;
    }
  return false;
}

static bool meets_some_third(const struct trace *t, const struct event *a,
                             const struct event *b) {
  for (uint32_t i = 0; i < a->accesses; i++)
    if (meets_third(t, &event_access(t, a)[i], a, b))
      return true;
  for (uint32_t i = 0; i < b->accesses; i++)
    if (meets_third(t, &event_access(t, b)[i], a, b))
      return true;
  return false;
}

static bool option_meets(const struct trace *t, const struct option *o,
                         const struct event *e) {
  return o->proc != e->proc &&
         footprint_conflict(o->access, o->accesses, event_access(t, e),
                            e->accesses);
}

static bool meets_sleeper(const struct trace *t, const struct event *a,
                          const struct event *b, const struct sleep *sleep,
                          const struct sleep_node *node) {
  struct option o;
  for (uint32_t i = 0; sleep_get(sleep, node, i, &o); i++)
    if (option_meets(t, &o, a) || option_meets(t, &o, b))
      return true;
  return false;
}

bool context_may_differ(const struct trace *t, const struct race *race,
                        struct sleepers sleepers) {
  const struct event *a = &t->events.at[race->first];
  const struct event *b = &t->events.at[race->second];
  const char *root = (const char *)sleepers.root;
  if (planted(CONTEXT_THIRD))
    return false;
  if (meets_some_third(t, a, b))
    return true;
  for (size_t i = race->first; i <= race->second; i++)
    if (meets_sleeper(t, a, b, sleepers.sleep,
                      (const void *)(root + i * sleepers.stride)))
      return true;
  return false;
}

/* ---- life -----------------------------------------------------------------
 */

void context_init(struct context *c, struct explorer *x, struct trace *order) {
  c->x = x;
  c->known = calloc(KNOWN, sizeof *c->known);
  ensure(c->known);
  order->commute = commute;
  order->firm = firm;
  order->context = c;
}

void context_free(struct context *c) {
  free(c->known);
}
