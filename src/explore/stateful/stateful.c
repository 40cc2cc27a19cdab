/* Stateful exploration: source sets and sleep sets with stored states.
 *
 * The idea.  When a node is left for good, everything that can follow its state
 * is known: its future (future.h).  An execution that comes to a state with the
 * same future, because it agrees with the known one in all that the future
 * reads (known_states.h), is cut there.  What the cut hides are races between
 * the future and the events before it: for those, the processes that can begin
 * a reversal are tried at the node of the event (foreseen_plan.h).
 *
 * A sleeper z at a node n was explored at an ancestor a.  Its executions are
 * not run from n, but they are part of n's future.  So n takes over the future
 * of the branch a.z; as live count, besides, all bytes that were written
 * between a and n.
 *
 * A state that comes again on the same path is a cycle.  The execution is cut
 * there, and at every node on the cycle every process is tried.  The nodes
 * between the two have a future that is not known before the first of them, the
 * head, is left: until then they are `unfinished`.  A state that equals an
 * unfinished one is cut in the same way.  If no execution from the head does
 * more than look, it is a livelock.
 *
 * Data races are no part of the state.  An execution is cut only if the
 * accesses of the future are known to be ordered after all conflicting events
 * (foreseen_in_order()).  States behind a failure are not matched: which later
 * failures count depends on the events before.
 *
 * docs/algorithms/stateful.md has the argument and what others have written.
 */
#include "explore/stateful/stateful.h"

#include <stdlib.h>
#include <string.h>

#include "explore/algorithms.h"
#include "explore/stateful/named_futures.h"
#include "util/ensure.h"
#include "util/planted.h"

/* ---- which states are stored ----------------------------------------------
 *
 * Two ways to one state part before a race and meet after the steps that were
 * in it.  What a process does next on its own belongs to these steps: it takes
 * a lock, and touches what no other process touches while it has the lock.  The
 * state after the last one of them is stored, and the states between are passed
 * over: nothing is lost by that but time, if a match is found a few steps
 * later.  Every cycle has a node that is stored.
 */

enum { PASSED_MAX = 7 };

/* Does the step begin what its process does on its own, or belong to it, if
 * that has `begun`?  (Longer runs would make cycles of loops that wait
 * longer.) */
static bool is_within(const struct stateful *s, const struct event *e,
                      bool begun) {
  bool raced = e->first_race < s->x->trace.races.size;
  if (e->choices > 1 || (e->flags & STEP_LOOK))
    return false;
  if (op_is(e->op, OPCLASS_PLAIN | OPCLASS_ATOMIC))
    return begun && !raced;
  if (e->op == OP_SEM_WAIT || e->op == OP_RDLOCK) /* it is not alone then */
    return false;
  return op_is(e->op, OPCLASS_OBJECT) && (e->flags & STEP_BLOCKING) &&
         op_table[e->op].order == OPORDER_ACQUIRES;
}

static bool may_be_passed(const struct stateful *s,
                          const struct stateful_node *n,
                          const struct event *e) {
  return n[-1].passed < PASSED_MAX && is_within(s, e, n[-1].passed);
}

static bool goes_on(const struct stateful *s, const struct event *e) {
  return VEC_TOP(s->b->nodes).possible & carrier_bit(e->proc);
}

/* A guess costs time if it is wrong, and gains most where many are found. */
static void fetch_known(struct stateful *s, struct stateful_node *n) {
  if (s->found_live && !n->failed)
    known_fetch_key(&s->known, stateful_system(s), n->local, s->found_live - 1,
                    &n->sought);
}

/* A known state is looked for in three parts, with other work between them that
 * needs as much time as memory does. */
static void stepped(void *state) {
  struct stateful *s = state;
  bool again = s->b->stack.left;
  if (again) /* what was written of the node is read when there is one */
    backtrack_stepped(s->b);
  struct stateful_node *n = stateful_push_node(s);
  const struct event *e = &VEC_TOP(s->x->trace.events);
  stateful_look_for_data(s, n, e);
  bool passed = may_be_passed(s, n, e);
  if (!passed) {
    stateful_find_state(s, n);
    fetch_known(s, n);
  }
  if (!again)
    backtrack_stepped(s->b);
  known_fetch_state(&s->known, &n->sought);
  stateful_look_around(s, n, e);
  if (passed && goes_on(s, e)) {
    n->passed = n[-1].passed + 1;
    n->whole = stateful_no_state(s);
  } else {
    if (passed)
      stateful_find_state(s, n);
    if (!again)
      stateful_match(s);
  }
  if (again)
    stateful_stepped_again(s);
  if (!n->known)
    stateful_add_held(s, n);
  state_stack_push(&s->open, n->whole);
  VEC_TOP(s->b->nodes).covered.cut = n->known;
}

/* In a part, where no process is about to go on. */
static void choose_other_way(struct stateful *s,
                             const struct stateful_node *n) {
  const struct backtrack_node *node = &VEC_TOP(s->b->nodes);
  uint32_t last = s->depth > 1 ? VEC_TOP(s->x->trace.events).proc : NOWHERE;
  if (n->processes <= 64 && node->possible &&
      !(node->possible & carrier_bit(last)))
    backtrack_choose(s->b, stateful_other_way(s, node->possible));
}

static enum pick pick(void *state, struct move *move) {
  struct stateful *s = state;
  struct stateful_node *n = stateful_top(s);
  bool is_new = !VEC_TOP(s->b->nodes).current && !n->known;
  if (is_new && s->depth == 1)
    stateful_look_around(s, n, NULL);
  if (is_new && n->quiet != NOWHERE)
    backtrack_choose(s->b, n->quiet);
  else if (is_new && s->b->is_part)
    choose_other_way(s, n);
  return backtrack_pick(s->b, move);
}

/* ---- the end of an execution ----------------------------------------------
 */

/* The outcome shows bytes, and processes that wait have accesses to come. */
static void add_end(struct stateful *s, struct stateful_node *n) {
  struct system *system = stateful_system(s);
  const struct access *left = NULL;
  uint32_t count =
      system->ops->left_behind ? system->ops->left_behind(system, &left) : 0;
  for (uint32_t i = 0; i < count; i++)
    future_add_live(&n->future, &left[i]);
  n->future.moves = stateful_add_waiting(s, n) ? 0 : FUTURE_WORKS;
}

/* Was a process kept from going on, which could have helped others? */
static bool is_halted(const struct stateful *s) {
  struct system *system = stateful_system(s);
  return system->ops->halted && system->ops->halted(system);
}

static void ended(void *state, enum pick why) {
  struct stateful *s = state;
  struct stateful_node *n = stateful_top(s);
  if (why == PICK_END)
    add_end(s, n);
  if (why == PICK_END || n->failed || is_halted(s))
    n->movable = UINT64_MAX;
  s->b->waiting =
      s->depth > 1 ? n->survey.next & ~n->survey.enabled : UINT64_MAX;
  backtrack_ended(s->b, why);
}

/* ---- going back -----------------------------------------------------------
 */

/* The future of the last node, at the node before it. */
static void step_back(struct stateful *s, struct stateful_node *n,
                      const struct event *e) {
  uint32_t position = (uint32_t)(e - s->x->trace.events.at);
  struct handover *h = stateful_handover_at(s, position);
  h->awakened = n->survey.awakened;
  named_before(&s->known, &n->future, &s->x->trace, e, h);
  n->future.moves |= n->stopped ? FUTURE_WORKS : stateful_deed_of(s, e);
}

/* Will some process sleep that has just moved to the last node? */
static bool may_sleep(const struct stateful *s) {
  size_t parent = s->depth - 2;
  return backtrack_goes_on(s->b) || backtrack_is_lent(s->b, parent) ||
         (s->b->is_part && parent == s->b->prefix.size);
}

static bool leave(void *state) {
  struct stateful *s = state;
  uint32_t length = (uint32_t)s->depth - 1;
  struct stateful_node *n = stateful_top(s), *parent = n - 1;
  if (!n->known)
    stateful_add_sleepers(s, n);
  s->branched = n->branches;
  if (n->low < length && !planted(STATE_OPEN))
    stateful_keep_unfinished(s, n);
  else
    stateful_keep_finished(s, n, length);
  const struct event *e = &s->x->trace.events.at[length - 1];
  step_back(s, n, e);
  bool finished = n->low == length;
  parent->restless = !finished || (parent->restless && e->choice);
  bool sleeps = may_sleep(s);
  if (finished && sleeps)
    stateful_add_branch(s, n, length - 1, e->proc);
  named_move(&s->known, &parent->future, &n->future);
  parent->movable |= n->movable;
  if (parent->low > n->low)
    parent->low = n->low;
  s->depth--;
  state_stack_truncate(&s->open, s->depth);
  foreseen_plan_truncate(&s->plan, length - 1);
  return sleeps && !parent->restless;
}

static void begin(struct stateful *);
static void end(struct stateful *);

/* States were compared without something on which they depend, or there is a
 * better order. */
static void begin_anew(struct stateful *s) {
  explorer_begin_anew(s->x);
  end(s);
  guards_begin_anew(&s->guards);
  begin(s);
}

static bool retreat(void *state, size_t *length) {
  struct stateful *s = state;
  bool learnt = s->x->options->jobs <= 1 && deciders_learn(&s->deciders);
  if (s->guards.lost || learnt) {
    begin_anew(s);
    *length = 0;
    return true;
  }
  stateful_exchange(s, false);
  if (backtrack_retreat(s->b, length))
    return true;
  if (backtrack_waits(s->b) || s->b->is_part)
    return false;
  if (stateful_top(s)->head && !s->x->diverged)
    stateful_judge_cycle(s, stateful_top(s), 0);
  return false;
}

/* ---- life -----------------------------------------------------------------
 */

/* A quarter of what the search may use: arrays that grow are there twice for
 * a moment, memory that was given back is not all used again, and the search is
 * ended before it comes to the limit. */
static uint64_t budget_of(const struct options *options) {
  return !options->memory_limit || options->memory_limit == MEMORY_HALF
             ? UINT64_MAX
             : options->memory_limit / 4;
}

static void compare_states(struct system *system, bool on) {
  if (!system->ops->local_state && system->ops->comparing)
    system->ops->comparing(system, on);
}

static void begin(struct stateful *s) {
  struct explorer *x = s->x;
  s->b = backtrack_new(x, backtrack_plan_source);
  s->b->tries_blocks = true;
  s->b->leave = leave;
  s->b->told = stateful_told;
  s->b->may_lend = stateful_may_lend;
  s->b->write_node = stateful_write_node;
  s->b->read_node = stateful_read_node;
  s->b->context = s;
  s->plan.foreseen = (struct foreseen){.x = x, .objects = &s->objects};
  s->plan.b = s->b;
  s->plan.deciders = &s->deciders;
  s->b->rank = s->deciders.rank;
  s->budget = budget_of(x->options);
  named_allow(&s->known, s->budget);
  compare_states(x->system, true);
  struct stateful_node *root = stateful_push_node(s);
  stateful_find_state(s, root);
  state_stack_push(&s->open, root->whole);
}

/* Only what guards data outlives it, and which processes decide. */
static void end(struct stateful *s) {
  struct stateful left = {
      .x = s->x, .guards = s->guards, .deciders = s->deciders};
  compare_states(stateful_system(s), false);
  backtrack_free(s->b);
  for (size_t i = 0; i < s->nodes.size; i++)
    future_free(&s->nodes.at[i].future);
  VEC_FREE(s->nodes);
  for (size_t i = 0; i < s->branches.size; i++)
    future_free(&s->branches.at[i].future);
  VEC_FREE(s->branches);
  VEC_FREE(s->unfinished);
  VEC_FREE(s->objects.list);
  known_free(&s->known);
  state_stack_free(&s->open);
  state_stack_free(&s->unfinished_states);
  foreseen_plan_free(&s->plan);
  race_knowledge_free(&s->knowledge);
  future_free(&s->scratch);
  VEC_FREE(s->sleeping);
  VEC_FREE(s->learnt);
  VEC_FREE(s->learnt_now);
  VEC_FREE(s->again);
  exchange_end(&s->exchange);
  *s = left;
}

/* Processes that share a search would have to begin anew together, and what was
 * relied on before a checkpoint is not written. */
static void *create(struct explorer *x) {
  struct stateful *s = calloc(1, sizeof *s);
  ensure(s);
  s->x = x;
  s->guards.off =
      x->options->races == RACES_OFF || x->options->jobs > 1 || x->keeps;
  begin(s);
  return s;
}

static void destroy(void *state) {
  struct stateful *s = state;
  end(s);
  guards_free(&s->guards);
  free(s);
}

const struct algorithm stateful_algorithm = {.name = "stateful",
                                             .states = true,
                                             .holds = true,
                                             .observes = true,
                                             .order = {.races = true},
                                             .create = create,
                                             .destroy = destroy,
                                             .pick = pick,
                                             .stepped = stepped,
                                             .ended = ended,
                                             .retreat = retreat,
                                             .give = stateful_give,
                                             .take = stateful_take,
                                             .part = stateful_part,
                                             .seen = stateful_seen,
                                             .waits = stateful_waits};
