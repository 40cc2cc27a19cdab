/* Cycles that are livelocks: if nothing but looks can follow the head of a
 * cycle, all processes look for ever.  So they do if they lock for it
 * (system_ops.polls).
 *
 * And cycles in which some processes work for ever and others wait for ever: if
 * no execution from the head ends, and a process moves in none, it waits for
 * what never comes (explorer_stuck()). */
#include "explore/stateful/stateful.h"

/* A wait that ends by time leaves a lock and comes back. */
static bool is_of_lock(const struct event *e) {
  switch (e->op) {
  case OP_WAIT:
  case OP_TIMEOUT:
  case OP_LOCK:
  case OP_TRYLOCK:
  case OP_UNLOCK:
  case OP_RDLOCK:
  case OP_TRYRDLOCK:
  case OP_WRLOCK:
  case OP_TRYWRLOCK:
  case OP_RWUNLOCK:
    return true;
  default:
    return false;
  }
}

static bool writes(const struct stateful *s, const struct event *e) {
  const struct access *a = event_access(&s->x->trace, e);
  for (uint32_t i = 0; i < e->accesses; i++)
    if (a[i].mode & ACCESS_WRITE)
      return true;
  return false;
}

/* Touches nothing, and lets no process go on.  (All alternatives of a choice
 * are in the future.) */
static bool is_idle(const struct event *e) {
  return !e->accesses && (e->op == OP_FENCE || e->op == OP_ASSUME ||
                          e->op == OP_CHOOSE || e->op == OP_INPUT);
}

uint8_t stateful_deed_of(const struct stateful *s, const struct event *e) {
  if (is_idle(e) || (e->accesses && !writes(s, e)))
    return 0;
  return is_of_lock(e) ? FUTURE_LOCKS : FUTURE_WORKS;
}

/* ---- a schedule that shows it ----------------------------------------------
 *
 * It ends where each process waits, or goes round on its own: outside of
 * critical sections if it leaves them, so that others go round, too.
 */

/* How many locks has the process taken, and not given back? */
static uint32_t held_by(const struct stateful *s, uint32_t p) {
  const struct trace *t = &s->x->trace;
  uint32_t held = 0;
  for (uint32_t i = 1; i <= process_length(t, p); i++) {
    const struct event *e = &t->events.at[process_event(t, p, i)];
    if (!is_of_lock(e) || !writes(s, e))
      continue;
    if (op_table[e->op].order == OPORDER_ACQUIRES)
      held++;
    else if (op_table[e->op].order == OPORDER_RELEASES && held)
      held--;
  }
  return held;
}

/* A state on the way of a process that goes on alone. */
struct way_state {
  struct digest128 state;
  bool holds; /* the process holds locks there */
};

struct way_states {
  VEC(struct way_state) list;
};

static struct way_state state_on_way(struct stateful *s, uint32_t p) {
  struct system *system = stateful_system(s);
  struct way_state w = {system->ops->local_state(system), held_by(s, p)};
  digest128_add(&w.state, system->ops->shared_state(system));
  return w;
}

/* The newest state was there before: the way leads round from there.  Where on
 * it does the process rest? */
static size_t find_rest(const struct way_states *w, size_t from) {
  for (size_t i = from; i + 1 < w->list.size; i++)
    if (!w->list.at[i].holds)
      return i;
  return from;
}

static size_t find_before(const struct way_states *w) {
  size_t i = 0;
  while (!digest128_equal(w->list.at[i].state, VEC_TOP(w->list).state))
    i++;
  return i;
}

/* The process goes on to where it waits or, if it goes round, rests. */
static void bring_to_rest(struct stateful *s, uint32_t p) {
  enum { MOST_STEPS = 1000 };
  size_t length = trace_length(&s->x->trace);
  struct way_states w = {0};
  VEC_PUSH(w.list, state_on_way(s, p));
  while (w.list.size <= MOST_STEPS && explorer_go_on(s->x, p)) {
    VEC_PUSH(w.list, state_on_way(s, p));
    size_t before = find_before(&w);
    if (before + 1 == w.list.size)
      continue;
    explorer_shorten(s->x, length + find_rest(&w, before));
    break;
  }
  VEC_FREE(w.list);
}

/* Where one rests, another one may have to wait. */
static void bring_all_to_rest(struct stateful *s) {
  uint32_t processes = stateful_system(s)->processes;
  for (uint32_t round = 0; round < processes; round++) {
    size_t length = trace_length(&s->x->trace);
    for (uint32_t p = 0; p < processes; p++)
      bring_to_rest(s, p);
    if (trace_length(&s->x->trace) == length)
      return;
  }
}

/* After the first `length` steps processes do nothing but look under locks. */
static void tell_polling(struct stateful *s, uint32_t length) {
  explorer_shorten(s->x, length);
  if (!explorer_may_livelock(s->x))
    return;
  bring_all_to_rest(s);
  explorer_livelock(s->x, (uint32_t)trace_length(&s->x->trace));
  explorer_shorten(s->x, length);
}

void stateful_judge_cycle(struct stateful *s, const struct stateful_node *n,
                          uint32_t length) {
  if (!n->future.moves)
    explorer_livelock(s->x, length);
  else if (n->future.moves == FUTURE_LOCKS && stateful_system(s)->ops->polls)
    tell_polling(s, length);
  else if (n->movable != UINT64_MAX)
    explorer_stuck(s->x, length, n->movable);
}
