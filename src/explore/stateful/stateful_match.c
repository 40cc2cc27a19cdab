/* Where `stateful` cuts executions: at states whose future is known, and at
 * states that come again on the same path. */
#include "explore/stateful/stateful.h"
#include "util/planted.h"

/* ---- known states ---------------------------------------------------------
 */

static void try_all(struct stateful *s, uint32_t position) {
  s->b->nodes.at[position].covered.try_all = true;
}

/* What guards a place does so in the execution and in its future (guards.h).
 * This is asked only where there are cycles, whose futures have no order. */
static bool has_no_race(struct stateful *s, const struct future_access *a) {
  return foreseen_in_order(&s->plan.foreseen, a) ||
         (s->ordered && guards_cover(&s->guards, a->granule));
}

static bool is_in_order(struct stateful *s, struct known_future future) {
  const struct future_access *a;
  size_t count;
  for (size_t n = 0; known_accesses(&s->known, future, n, &a, &count); n++)
    for (size_t i = 0; i < count && !planted(STATE_DATA); i++)
      if (!has_no_race(s, &a[i]))
        return false;
  return true;
}

void stateful_merge_known(struct stateful *s, struct state_future *to,
                          struct known_future f) {
  size_t lives, count;
  const struct live_bytes *live = known_live(&s->known, f, &lives);
  const uint32_t *segments = known_segments(&s->known, f, &count);
  future_merge(stateful_segments(s), to, live, lives, segments, count, f.moves);
}

/* Cuts the execution at the newest node, which has this future. */
static bool cut_known(void *context, struct known_future future) {
  struct stateful *s = context;
  foreseen_begin(&s->plan.foreseen);
  if (s->x->options->races != RACES_OFF && !s->exact && !is_in_order(s, future))
    return false;
  foreseen_plan(&s->plan, &s->known, future);
  stateful_merge_known(s, &stateful_top(s)->future, future);
  stateful_top(s)->known = true;
  return true;
}

static void add_pending(struct stateful *s, struct stateful_node *n, uint32_t p,
                        const struct step *next) {
  bool has_races = false;
  for (uint32_t i = 0; i < next->accesses; i++) {
    uint8_t wants = next->flags & STEP_LOOK ? WANTS_LOOK : next->wants;
    future_add_live(&n->future, &next->access[i]);
    if (!wants || planted(STATE_PENDING))
      continue;
    future_add_access(stateful_segments(s), &n->future, p, &next->access[i],
                      next->flags, wants);
    has_races = true;
  }
  if (has_races && next->cause)
    future_add_cause(stateful_segments(s), &n->future, p,
                     s->x->trace.events.at[next->cause - 1].proc);
}

/* The accesses of processes that wait here, if for ever; false: none does. */
bool stateful_add_waiting(struct stateful *s, struct stateful_node *n) {
  struct system *system = stateful_system(s);
  bool some = false;
  for (uint32_t p = 0; p < system->processes; p++) {
    struct step next;
    if (system->ops->enabled(system, p) ||
        !system->ops->pending(system, p, &next))
      continue;
    some = true;
    add_pending(s, n, p, &next);
  }
  return some;
}

/* The future of the newest node leads back to the node of this length.  A
 * process that waits all the time has no event on the cycle.  A C program has
 * its outcome when main returns, though other threads go round for ever. */
static void close_cycle(struct stateful *s, uint32_t head) {
  struct stateful_node *n = stateful_top(s);
  s->nodes.at[head].head = true;
  n->low = head;
  n->known = true;
  stateful_add_waiting(s, n);
  if (explorer_is_over(s->x) && !n->failed)
    explorer_outcome(s->x);
  for (uint32_t i = head; i + 1 < s->depth && !planted(STATE_CYCLE); i++)
    try_all(s, i);
}

/* What follows a cycle is not known yet, and data races may.  So where there is
 * data, the cycle is closed when the state comes again together with what is
 * known of accesses before it: from then on states tell that.  If that cannot
 * be told, a cycle in which data is touched is not closed. */
static bool may_close(struct stateful *s, uint32_t head) {
  const struct trace *t = &s->x->trace;
  const struct stateful_node *n = stateful_top(s);
  if (s->x->options->races == RACES_OFF || !s->data || n->ordered ||
      planted(STATE_KNOWN))
    return true;
  if (!n->strange) {
    s->ordered = true;
    return false;
  }
  for (size_t i = t->events.at[head].first_access; i < t->accesses.size; i++)
    if (!(t->accesses.at[i].mode & ACCESS_ATOMIC))
      return false;
  return true;
}

/* States that are compared as a whole have counters in them that never come
 * again. */
static bool closes_cycles(const struct stateful *s) {
  return stateful_system(s)->ops->local_state;
}

/* By the local part and what is live. */
static bool match_local(struct stateful *s, struct stateful_node *n) {
  struct digest128 none = stateful_no_state(s);
  bool found =
      known_find(&s->known, stateful_system(s), n->local,
                 n->ordered ? none : n->whole, &n->sought, cut_known, s);
  if (found)
    s->found_live = n->sought.live;
  return found;
}

static bool match_known(struct stateful *s, struct stateful_node *n) {
  struct digest128 none = stateful_no_state(s);
  struct known_key exact = {.live = 0};
  s->exact = n->ordered;
  bool found = n->ordered && known_find(&s->known, stateful_system(s), none,
                                        n->whole, &exact, cut_known, s);
  s->exact = false;
  return found || match_local(s, n);
}

static bool match_unfinished(struct stateful *s, const struct stateful_node *n,
                             uint32_t other) {
  s->exact = n->ordered;
  bool cut = cut_known(s, s->unfinished.at[other].future);
  s->exact = false;
  return cut;
}

void stateful_match(struct stateful *s) {
  struct stateful_node *n = stateful_top(s);
  if (!n->failed && match_known(s, n)) {
    n->movable = UINT64_MAX; /* if not, that was told at the known state */
    return;
  }
  if (!closes_cycles(s))
    return;
  uint32_t head = state_stack_find(&s->open, n->whole);
  if (head != NOWHERE) {
    if (may_close(s, head))
      close_cycle(s, head);
    return;
  }
  uint32_t other = state_stack_find(&s->unfinished_states, n->whole);
  if (other != NOWHERE && !n->failed &&
      may_close(s, s->unfinished.at[other].low) &&
      match_unfinished(s, n, other))
    close_cycle(s, s->unfinished.at[other].low);
}

/* Which processes wait in a loop depends on the bytes that they look at, though
 * a write that does not look at them may come next.  (Whether a process can
 * have a lock depends on the lock, which every operation on it looks at.) */
void stateful_add_held(struct stateful *s, struct stateful_node *n) {
  struct system *system = stateful_system(s);
  struct step next;
  bool held = (n->survey.waits & ~n->survey.enabled) || n->held_beyond;
  for (uint32_t p = 0; held && p < system->processes; p++)
    if (!system->ops->enabled(system, p) &&
        system->ops->pending(system, p, &next) &&
        (next.flags & (STEP_LOOK | STEP_AWAIT)))
      for (uint32_t i = 0; i < next.accesses; i++)
        future_add_live(&n->future, &next.access[i]);
}
