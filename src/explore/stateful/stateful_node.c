/* What a node of `stateful` is: its state, and what its processes are about to
 * do. */
#include "explore/stateful/stateful.h"
#include "util/ensure.h"
#include "util/planted.h"

struct stateful_node *stateful_push_node(struct stateful *s) {
  if (s->depth == s->nodes.size) {
    VEC_RESERVE(s->nodes, 1);
    memset(&s->nodes.at[s->nodes.size++], 0, sizeof *s->nodes.at);
  }
  struct stateful_node *n = &s->nodes.at[s->depth];
  future_clear(&n->future);
  n->low = (uint32_t)s->depth++;
  n->unfinished = (uint32_t)s->unfinished.size;
  n->branches = (uint32_t)s->branched;
  n->quiet = NOWHERE;
  n->passed = 0;
  n->sought.live = 0;
  n->head = n->known = n->stopped = n->is_handover = false;
  n->strange = n->ordered = false;
  n->failed = s->x->failures.size;
  return n;
}

/* Steps that touch bytes and nothing else let no process go on. */
static bool may_awaken(const struct event *e) {
  return !op_is(e->op,
                OPCLASS_PLAIN | OPCLASS_ATOMIC | OPCLASS_BULK | OPCLASS_FENCE);
}

/* ---- what processes are about to do ---------------------------------------
 */

static void survey_one(struct system *system, uint32_t p, uint32_t cause,
                       struct survey *out) {
  struct outline next;
  uint64_t bit = carrier_bit(p);
  if (!system_outline(system, p, &next))
    return;
  out->next |= bit;
  if (next.cause == cause)
    out->awakened |= bit;
  if (next.flags & (STEP_LOOK | STEP_AWAIT))
    out->waits |= bit;
  if (!system->ops->enabled(system, p))
    return;
  out->enabled |= bit;
  if (outline_is_quiet(&next))
    out->quiet |= bit;
}

static void survey_each(struct system *system, uint32_t cause,
                        struct survey *out) {
  *out = (struct survey){0};
  for (uint32_t p = 0; p < system->processes; p++)
    survey_one(system, p, cause, out);
}

static bool same_survey(const struct survey *a, const struct survey *b) {
  return a->next == b->next && a->enabled == b->enabled &&
         a->awakened == b->awakened && a->waits == b->waits &&
         a->quiet == b->quiet;
}

static uint64_t all_of(const struct system *system) {
  uint32_t count = system->processes;
  return count < 64 ? carrier_bit(count) - 1 : UINT64_MAX;
}

/* Others than these, of the first 64, have no next step.  `cause`: 1 + the
 * position of the step to the node, if that may let processes go on, or
 * NOWHERE. */
static void survey_some(struct system *system, uint64_t processes,
                        uint32_t cause, struct survey *out) {
  if (!system->ops->survey || system->processes > 64) {
    survey_each(system, cause, out);
    return;
  }
  system->ops->survey(system, processes & all_of(system), cause, out);
  if (HOSTILE) {
    struct survey each;
    survey_each(system, cause, &each);
    ensure(same_survey(out, &each));
  }
}

static void survey_all(struct system *system, uint32_t cause,
                       struct survey *out) {
  survey_some(system, UINT64_MAX, cause, out);
}

static bool goes_on(const struct stateful *s, const struct stateful_node *n,
                    uint32_t p) {
  struct outline next;
  return p < 64 ? n->survey.next & carrier_bit(p)
                : system_outline(stateful_system(s), p, &next);
}

/* The step to the node touched data: if its process goes on, only this process
 * is about to do something else than before. */
static bool may_change_others(const struct stateful *s,
                              const struct stateful_node *n,
                              const struct event *e) {
  const struct stateful_node *before = n - 1;
  return may_awaken(e) || before->processes != stateful_system(s)->processes ||
         before->survey.waits || before->survey.quiet;
}

static void survey_mover(struct stateful *s, struct stateful_node *n,
                         uint32_t mover) {
  uint64_t others = ~carrier_bit(mover);
  n->survey = n[-1].survey;
  n->survey.awakened = 0;
  n->survey.next &= others;
  n->survey.enabled &= others;
  survey_one(stateful_system(s), mover, NOWHERE, &n->survey);
}

/* In the hostile build. */
static void check_mover(const struct stateful *s,
                        const struct stateful_node *n) {
  struct survey all;
  survey_all(stateful_system(s), NOWHERE, &all);
  ensure(same_survey(&n->survey, &all));
}

/* The processes that may have a next step after this event: an operation on an
 * object creates none, nor does a join. */
static uint64_t may_begin(const struct stateful_node *n,
                          const struct event *e) {
  bool none = op_is(e->op, OPCLASS_OBJECT) || e->op == OP_JOIN;
  return none ? n[-1].survey.next : UINT64_MAX;
}

/* After the event. */
static void survey(struct stateful *s, struct stateful_node *n,
                   const struct event *e) {
  uint32_t cause =
      may_awaken(e) ? (uint32_t)trace_length(&s->x->trace) : NOWHERE;
  if (!may_change_others(s, n, e)) {
    survey_mover(s, n, e->proc);
    if (goes_on(s, n, e->proc)) {
      if (HOSTILE)
        check_mover(s, n);
      return;
    }
  }
  survey_some(stateful_system(s), may_begin(n, e), cause, &n->survey);
  n->stopped = !goes_on(s, n, e->proc);
}

/* By bits, of the first 64. */
static uint64_t sleepers_of(const struct stateful *s) {
  const struct sleep_node *node = &VEC_TOP(s->b->nodes).sleep;
  const struct sleeper *z;
  uint64_t asleep = 0;
  for (uint32_t i = 0; (z = sleep_at(&s->b->sleep, node, i)); i++)
    asleep |= carrier_bit(z->proc);
  return asleep;
}

/* Processes that have no bit. */
static void look_beyond(struct stateful *s, struct stateful_node *n) {
  struct system *system = stateful_system(s);
  const struct sleep_node *node = &VEC_TOP(s->b->nodes).sleep;
  struct outline next;
  n->held_beyond = false;
  for (uint32_t p = 64; p < n->processes; p++) {
    if (!system_outline(system, p, &next))
      continue;
    bool enabled = system->ops->enabled(system, p);
    n->held_beyond |= !enabled && (next.flags & (STEP_LOOK | STEP_AWAIT));
    if (enabled && n->quiet == NOWHERE && outline_is_quiet(&next) &&
        !sleep_contains(&s->b->sleep, node, p))
      n->quiet = p;
  }
}

void stateful_look_around(struct stateful *s, struct stateful_node *n,
                          const struct event *e) {
  n->processes = stateful_system(s)->processes;
  if (e)
    survey(s, n, e);
  else
    survey_all(stateful_system(s), NOWHERE, &n->survey);
  n->movable = n->survey.enabled;
  n->moved = e ? n[-1].moved | carrier_bit(e->proc) : 0;
  n->ended = n->moved & ~n->survey.next;
  if (planted(STATE_ENDED))
    n->ended |= n->survey.next & ~n->survey.enabled;
  uint64_t awake = n->survey.enabled & ~sleepers_of(s);
  uint64_t quiet = n->survey.quiet & awake;
  n->quiet = quiet ? (uint32_t)__builtin_ctzll(quiet) : NOWHERE;
  VEC_TOP(s->b->nodes).possible = n->processes > 64 ? UINT64_MAX : awake;
  look_beyond(s, n);
}

/* ---- data ------------------------------------------------------------------
 */

/* The locks that the process holds after so many of its steps. */
static uint64_t held_after(const struct stateful *s, uint32_t p,
                           uint32_t steps) {
  const struct trace *t = &s->x->trace;
  return steps ? s->nodes.at[process_event(t, p, steps) + 1].held : 0;
}

static uint64_t held_by_others(const struct stateful *s, uint32_t p) {
  uint64_t all = 0;
  for (uint32_t q = 0; q < stateful_system(s)->processes; q++)
    if (q != p)
      all |= held_after(s, q, process_length(&s->x->trace, q));
  return all;
}

/* Is there no other process that has begun, but such that were joined? */
static bool is_alone(const struct stateful_node *n, uint32_t p) {
  uint64_t all = n->processes < 64 ? carrier_bit(n->processes) - 1 : UINT64_MAX;
  if (planted(STATE_ALONE) && !n->joined)
    return true;
  return n->processes <= 64 && !(all & ~n->joined & ~carrier_bit(p));
}

static uint64_t joined_by(const struct trace *t, const struct event *e) {
  bool joins = e->op == OP_JOIN && e->cause &&
               t->events.at[e->cause - 1].proc == e->target;
  return joins ? carrier_bit(e->target) : 0;
}

static void look_for_locks(struct stateful *s, struct stateful_node *n,
                           const struct event *e) {
  const struct trace *t = &s->x->trace;
  n->joined = n[-1].joined | joined_by(t, e);
  if (s->guards.off)
    return;
  struct guards_step step = {.held = held_after(s, e->proc, e->index - 1),
                             .alone = is_alone(&n[-1], e->proc)};
  if (e->op == OP_LOCK || e->op == OP_TRYLOCK)
    step.others = held_by_others(s, e->proc);
  n->held = guards_stepped(&s->guards, t, e, step);
}

void stateful_look_for_data(struct stateful *s, struct stateful_node *n,
                            const struct event *e) {
  const struct access *a = event_access(&s->x->trace, e);
  for (uint32_t i = 0; i < e->accesses && !s->data; i++)
    s->data = !(a[i].mode & ACCESS_ATOMIC);
  look_for_locks(s, n, e);
  n->strange = s->x->options->races == RACES_OFF || n[-1].strange ||
               !race_knowledge_understands(s->x);
}

/* A system that does not tell the parts of its state apart is compared as a
 * whole: all of it is local. */
void stateful_find_state(struct stateful *s, struct stateful_node *n) {
  struct system *system = stateful_system(s);
  if (system->ops->local_state) {
    n->local = n->whole = system->ops->local_state(system);
    digest128_add(&n->whole, system->ops->shared_state(system));
  } else {
    struct changes all = system->ops->changes(system, 0);
    n->local = n->whole = (struct digest128){{all.word[0], all.word[1]}};
  }
  n->ordered = s->ordered && !n->strange;
  if (n->ordered)
    race_knowledge_add(&s->knowledge, s->x, &s->guards, &n->whole);
}

/* No other state has this digest. */
struct digest128 stateful_no_state(const struct stateful *s) {
  return (struct digest128){{s->depth, UINT64_MAX}};
}
