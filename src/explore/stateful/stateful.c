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
 *
 * Invariants:
 *   S1  there is a node here for each node of the search.
 *   S2  nodes[n].low is the least length to which a cycle from n leads back, or
 *       the node's own length.  Its future is complete if it is its own.
 *   S3  the branches of a node lie above those of its ancestors.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/algorithms.h"
#include "explore/backtrack.h"
#include "explore/stateful/foreseen_plan.h"
#include "explore/stateful/known_states.h"
#include "explore/stateful/race_knowledge.h"
#include "explore/stateful/state_stack.h"
#include "util/ensure.h"
#include "util/planted.h"

/* keep */
struct stateful_node {
  struct state_future future; /* as far as it was explored */
  struct digest128 local;
  struct digest128 whole;
  uint32_t low;             /* S2 */
  uint32_t unfinished;      /* how many there were when the node was new */
  uint32_t branches;        /* likewise */
  struct handover handover; /* of the step to it, if is_handover, ... */
  uint32_t objects;         /* ... when so many objects were known */
  bool is_handover;
  uint64_t awakened;  /* processes that the step to the node let go on */
  uint64_t ended;     /* processes without a next step, of those that moved */
  uint64_t enabled;   /* of the first 64 processes, by bits */
  uint32_t processes; /* how many there were, of any kind */
  uint32_t passed;    /* so many nodes in a row, up to it, are not stored */
  bool head;          /* a cycle leads back to it, ... */
  bool polls;         /* ... which does nothing but look under locks */
  bool known;         /* cut: its future was known */
  bool failed;        /* a step before it has failed */
  bool stopped;       /* the process of the step to it has no next step */
  bool held;          /* some process waits in a loop ... */
  bool waits;         /* ... or may, after its next step */
  bool strange;       /* a step before it orders others in a way of its own */
  bool ordered;       /* `whole` tells what data races can follow */
  uint32_t quiet;     /* a process with a quiet next step, or NOWHERE */
  bool restless;      /* its branch at hand has an alternative whose future is
                          not complete: it must not sleep */
};

/* keep.  A branch of a node that is done, while others are explored. */
struct stateful_branch {
  uint32_t node;
  uint32_t proc;
  struct state_future future; /* at the node, before the step of the branch */
};

/* keep.  A node that was left, on a cycle whose head was not. */
struct unfinished {
  uint32_t low;
  struct known_future future;
};

struct stateful {
  struct backtrack *b;
  struct explorer *x;
  VEC(struct stateful_node) nodes;
  size_t depth; /* so many of them are in use, S1 */
  VEC(struct stateful_branch) branches;
  size_t branched; /* so many of them are in use */
  struct known_states known;
  uint64_t budget; /* bytes for known states; beyond it they are dropped,
                              which costs time */
  struct state_stack open; /* parallel to the nodes */
  VEC(struct unfinished) unfinished;
  struct state_stack unfinished_states; /* parallel */
  struct objects objects;
  struct foreseen_plan plan;
  struct state_future scratch;
  struct race_knowledge knowledge;
  bool data;    /* some access was not atomic */
  bool ordered; /* a cycle was met since: nodes are ordered from now on */
  bool exact;   /* cut_known: the known state is equal in that, too */
};

static struct stateful_node *top(struct stateful *s) {
  return &s->nodes.at[s->depth - 1];
}

static struct system *system_of(const struct stateful *s) {
  return s->x->system;
}

/* ---- nodes ----------------------------------------------------------------
 */

static struct stateful_node *push_node(struct stateful *s) {
  if (s->depth == s->nodes.size) {
    VEC_RESERVE(s->nodes, 1);
    memset(&s->nodes.at[s->nodes.size++], 0, sizeof *s->nodes.at);
  }
  struct stateful_node *n = &s->nodes.at[s->depth];
  future_clear(&n->future);
  n->low = (uint32_t)s->depth++;
  n->unfinished = (uint32_t)s->unfinished.size;
  n->branches = (uint32_t)s->branched;
  n->awakened = n->ended = n->enabled = 0;
  n->quiet = NOWHERE;
  n->passed = 0;
  n->head = n->known = n->held = n->waits = n->stopped = n->is_handover = false;
  n->strange = n->ordered = n->polls = false;
  n->failed = s->x->failures.size;
  return n;
}

/* Steps that touch bytes and nothing else let no process go on. */
static bool may_awaken(const struct event *e) {
  return !op_is(e->op,
                OPCLASS_PLAIN | OPCLASS_ATOMIC | OPCLASS_BULK | OPCLASS_FENCE);
}

static bool is_asleep(const struct stateful *s, uint32_t p) {
  return sleep_contains(&s->b->sleep, &VEC_TOP(s->b->nodes).sleep, p);
}

/* Of an enabled process: is its next step independent of all steps of others?
 * Then it may come first, and no other order need be tried.  Joins and
 * creations come at once: later they would only be in the way. */
static bool is_quiet(const struct outline *next) {
  return !next->accesses && next->choices == 1 && !(next->flags & STEP_BLOCK);
}

/* What a process is about to do at the newest node. */
static void look_at(struct stateful *s, struct stateful_node *n, uint32_t p,
                    uint32_t awakening) {
  struct system *system = system_of(s);
  struct outline next;
  if (!system_outline(system, p, &next)) {
    if (process_length(&s->x->trace, p))
      n->ended |= carrier_bit(p);
    return;
  }
  if (next.cause == awakening)
    n->awakened |= carrier_bit(p);
  bool waits = next.flags & (STEP_LOOK | STEP_AWAIT);
  n->waits |= waits;
  if (!system->ops->enabled(system, p)) {
    n->ended |= planted(STATE_ENDED) ? carrier_bit(p) : 0;
    n->held |= waits;
    return;
  }
  n->enabled |= carrier_bit(p);
  if (n->quiet == NOWHERE && is_quiet(&next) && !is_asleep(s, p))
    n->quiet = p;
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

/* The step to the node touched data, and its process goes on: then only this
 * process is about to do something else than before. */
static bool only_mover_changes(const struct stateful *s,
                               const struct stateful_node *n) {
  const struct stateful_node *before = n - 1;
  return !n->stopped && before->processes == system_of(s)->processes &&
         !before->waits && before->quiet == NOWHERE;
}

static void look_at_all(struct stateful *s, struct stateful_node *n,
                        uint32_t awakening) {
  for (uint32_t p = 0; p < n->processes; p++)
    look_at(s, n, p, awakening);
}

/* In the hostile build. */
static void check_mover(struct stateful *s, const struct stateful_node *n) {
  struct stateful_node all = {.processes = n->processes, .quiet = NOWHERE};
  look_at_all(s, &all, NOWHERE);
  ensure(all.enabled == n->enabled && all.ended == n->ended &&
         all.quiet == n->quiet && all.held == n->held &&
         all.waits == n->waits && all.awakened == n->awakened);
}

/* What every process is about to do at the newest node. */
static void look_around(struct stateful *s, struct stateful_node *n,
                        uint32_t awakening) {
  n->processes = system_of(s)->processes;
  if (awakening == NOWHERE && s->depth > 1 && only_mover_changes(s, n)) {
    uint32_t mover = VEC_TOP(s->x->trace.events).proc;
    n->ended = n[-1].ended;
    n->enabled = n[-1].enabled & ~carrier_bit(mover);
    look_at(s, n, mover, awakening);
    if (HOSTILE)
      check_mover(s, n);
  } else {
    look_at_all(s, n, awakening);
  }
  VEC_TOP(s->b->nodes).possible =
      n->processes > 64 ? UINT64_MAX : n->enabled & ~sleepers_of(s);
}

static void look_for_data(struct stateful *s, struct stateful_node *n,
                          const struct event *e) {
  const struct access *a = event_access(&s->x->trace, e);
  for (uint32_t i = 0; i < e->accesses && !s->data; i++)
    s->data = !(a[i].mode & ACCESS_ATOMIC);
  n->strange = s->x->options->races == RACES_OFF || n[-1].strange ||
               !race_knowledge_understands(s->x);
}

/* A system that does not tell the parts of its state apart is compared as a
 * whole: all of it is local. */
static void find_state(struct stateful *s, struct stateful_node *n) {
  struct system *system = system_of(s);
  if (system->ops->local_state) {
    n->local = n->whole = system->ops->local_state(system);
    digest128_add(&n->whole, system->ops->shared_state(system));
  } else {
    struct changes all = system->ops->changes(system, 0);
    n->local = n->whole = (struct digest128){{all.word[0], all.word[1]}};
  }
  n->ordered = s->ordered && !n->strange;
  if (n->ordered)
    race_knowledge_add(&s->knowledge, s->x, &n->whole);
}

static void compare_states(struct system *system, bool on) {
  if (!system->ops->local_state && system->ops->comparing)
    system->ops->comparing(system, on);
}

/* No other state has this digest. */
static struct digest128 no_state(const struct stateful *s) {
  return (struct digest128){{s->depth, UINT64_MAX}};
}

/* ---- cutting --------------------------------------------------------------
 */

static void try_all(struct stateful *s, uint32_t position) {
  s->b->nodes.at[position].covered.try_all = true;
}

static bool is_in_order(struct stateful *s, struct known_future future) {
  const struct future_access *a;
  size_t count;
  for (size_t n = 0; known_accesses(&s->known, future, n, &a, &count); n++)
    for (size_t i = 0; i < count && !planted(STATE_DATA); i++)
      if (!foreseen_in_order(&s->plan.foreseen, &a[i]))
        return false;
  return true;
}

static struct segments *segments_of(struct stateful *s) {
  return &s->known.segments;
}

static void merge_known(struct stateful *s, struct state_future *to,
                        struct known_future f) {
  size_t lives, count;
  const struct live_bytes *live = known_live(&s->known, f, &lives);
  const uint32_t *segments = known_segments(&s->known, f, &count);
  future_merge(segments_of(s), to, live, lives, segments, count, f.moves);
}

/* Cuts the execution at the newest node, which has this future. */
static bool cut_known(void *context, struct known_future future) {
  struct stateful *s = context;
  foreseen_begin(&s->plan.foreseen);
  if (s->x->options->races != RACES_OFF && !s->exact && !is_in_order(s, future))
    return false;
  foreseen_plan(&s->plan, &s->known, future);
  merge_known(s, &top(s)->future, future);
  top(s)->known = true;
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
    future_add_access(segments_of(s), &n->future, p, &next->access[i],
                      next->flags, wants);
    has_races = true;
  }
  if (has_races && next->cause)
    future_add_cause(segments_of(s), &n->future, p,
                     s->x->trace.events.at[next->cause - 1].proc);
}

/* The accesses of processes that wait here, if for ever; false: none does. */
static bool add_waiting(struct stateful *s, struct stateful_node *n) {
  struct system *system = system_of(s);
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

/* 0: it touched something, and only read it. */
static uint8_t deed_of(const struct stateful *s, const struct event *e) {
  const struct access *a = event_access(&s->x->trace, e);
  bool writes = !e->accesses;
  for (uint32_t i = 0; i < e->accesses; i++)
    writes |= a[i].mode & ACCESS_WRITE;
  return !writes ? 0 : is_of_lock(e) ? FUTURE_LOCKS : FUTURE_WORKS;
}

/* Does the path from the node of this length do nothing but look under locks?
 */
static bool polls_since(const struct stateful *s, uint32_t length) {
  const struct trace *t = &s->x->trace;
  uint8_t deeds = 0;
  for (size_t i = length; i < t->events.size; i++)
    deeds |= deed_of(s, &t->events.at[i]);
  return deeds == FUTURE_LOCKS;
}

/* The future of the newest node leads back to the node of this length.  A
 * process that waits all the time has no event on the cycle.  A C program has
 * its outcome when main returns, though other threads go round for ever. */
static void close_cycle(struct stateful *s, uint32_t head) {
  struct stateful_node *n = top(s);
  s->nodes.at[head].head = true;
  n->low = head;
  n->known = true;
  add_waiting(s, n);
  if (!explorer_is_over(s->x))
    s->nodes.at[head].polls |= polls_since(s, head);
  else if (!n->failed)
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
  const struct stateful_node *n = top(s);
  if (s->x->options->races == RACES_OFF || !s->data || n->ordered)
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
  return system_of(s)->ops->local_state;
}

static bool match_known(struct stateful *s, const struct stateful_node *n) {
  struct digest128 none = no_state(s);
  s->exact = n->ordered;
  bool found = n->ordered && known_find(&s->known, system_of(s), none, n->whole,
                                        cut_known, s);
  s->exact = false;
  return found || known_find(&s->known, system_of(s), n->local,
                             n->ordered ? none : n->whole, cut_known, s);
}

static bool match_unfinished(struct stateful *s, const struct stateful_node *n,
                             uint32_t other) {
  s->exact = n->ordered;
  bool cut = cut_known(s, s->unfinished.at[other].future);
  s->exact = false;
  return cut;
}

static void match(struct stateful *s) {
  struct stateful_node *n = top(s);
  if (!n->failed && match_known(s, n))
    return;
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
static void add_held(struct stateful *s, struct stateful_node *n) {
  struct system *system = system_of(s);
  struct step next;
  for (uint32_t p = 0; n->held && p < system->processes; p++)
    if (!system->ops->enabled(system, p) &&
        system->ops->pending(system, p, &next) &&
        (next.flags & (STEP_LOOK | STEP_AWAIT)))
      for (uint32_t i = 0; i < next.accesses; i++)
        future_add_live(&n->future, &next.access[i]);
}

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
         order_acquires(e->order) && !order_releases(e->order);
}

static bool is_passed(const struct stateful *s, const struct stateful_node *n,
                      const struct event *e) {
  return n[-1].passed < PASSED_MAX && is_within(s, e, n[-1].passed) &&
         (VEC_TOP(s->b->nodes).possible & carrier_bit(e->proc));
}

static void stepped(void *state) {
  struct stateful *s = state;
  backtrack_stepped(s->b);
  struct stateful_node *n = push_node(s);
  const struct event *e = &VEC_TOP(s->x->trace.events);
  struct outline next;
  n->stopped = !system_outline(system_of(s), e->proc, &next);
  look_for_data(s, n, e);
  look_around(s, n,
              may_awaken(e) ? (uint32_t)trace_length(&s->x->trace) : NOWHERE);
  if (is_passed(s, n, e)) {
    n->passed = n[-1].passed + 1;
    n->whole = no_state(s);
  } else {
    find_state(s, n);
    match(s);
  }
  if (!n->known)
    add_held(s, n);
  state_stack_push(&s->open, n->whole);
  VEC_TOP(s->b->nodes).covered.cut = n->known;
}

static enum pick pick(void *state, struct move *move) {
  struct stateful *s = state;
  struct stateful_node *n = top(s);
  bool is_new = !VEC_TOP(s->b->nodes).current && !n->known;
  if (is_new && s->depth == 1)
    look_around(s, n, NOWHERE);
  if (is_new && n->quiet != NOWHERE)
    backtrack_choose(s->b, n->quiet);
  return backtrack_pick(s->b, move);
}

/* ---- the end of an execution ----------------------------------------------
 */

/* The outcome shows bytes, and processes that wait have accesses to come. */
static void add_end(struct stateful *s, struct stateful_node *n) {
  struct system *system = system_of(s);
  const struct access *left = NULL;
  uint32_t count =
      system->ops->left_behind ? system->ops->left_behind(system, &left) : 0;
  for (uint32_t i = 0; i < count; i++)
    future_add_live(&n->future, &left[i]);
  n->future.moves = add_waiting(s, n) ? 0 : FUTURE_WORKS;
}

static void ended(void *state, enum pick why) {
  struct stateful *s = state;
  if (why == PICK_END)
    add_end(s, top(s));
  backtrack_ended(s->b, why);
}

/* ---- carriers -------------------------------------------------------------
 */

/* An object that is met later may be touched by earlier events. */
static struct handover handover_at(struct stateful *s, uint32_t position) {
  struct stateful_node *n = &s->nodes.at[position + 1];
  const struct trace *t = &s->x->trace;
  if (!n->is_handover || n->objects != s->objects.list.size) {
    n->handover = handover_of(&s->objects, t, &t->events.at[position]);
    n->objects = (uint32_t)s->objects.list.size;
    n->is_handover = true;
  }
  return n->handover;
}

/* ---- sleepers -------------------------------------------------------------
 */

/* The newest branch of that process that was left. */
static const struct stateful_branch *branch_of(const struct stateful *s,
                                               uint32_t proc) {
  for (size_t i = s->branched; i-- > 0;)
    if (s->branches.at[i].proc == proc)
      return &s->branches.at[i];
  return NULL;
}

static void pass_event(struct passage *between, const struct handover *h) {
  struct carriers *changed = &between->changed;
  uint64_t self = carrier_bit(h->proc);
  if (self) {
    struct passed_steps *steps = &between->steps[h->proc];
    if (!(between->moved & self))
      *steps = (struct passed_steps){0, 0};
    steps->count += steps->count < UINT8_MAX;
    steps->acquired |= h->acquires;
  }
  between->moved |= self;
  between->joined |= h->ended;
  changed->processes |= self | h->ended;
  changed->objects |= h->acquires | h->releases | h->resets;
}

/* The events between the branch and the node: what they wrote is live.  What
 * carried something to an access of the future by way of one of them need not
 * do so after it: another way may lead to the same state. */
static void pass_events(struct stateful *s, uint32_t from, uint32_t to,
                        struct passage *between) {
  const struct trace *t = &s->x->trace;
  for (uint32_t i = from; i < to; i++) {
    const struct event *e = &t->events.at[i];
    const struct access *a = event_access(t, e);
    struct handover h = handover_at(s, i);
    pass_event(between, &h);
    for (uint32_t k = 0; k < e->accesses; k++)
      if ((a[k].mode & ACCESS_WRITE) && !planted(STATE_WRITTEN))
        future_add_live(&s->scratch, &a[k]);
  }
}

static void add_sleeper(struct stateful *s, struct stateful_node *n,
                        uint32_t length, uint32_t proc) {
  const struct stateful_branch *b = branch_of(s, proc);
  struct passage between;
  ensure(b);
  between.changed = (struct carriers){0, 0};
  between.moved = between.joined = 0;
  between.ended = n->ended;
  future_clear(&s->scratch);
  future_add(segments_of(s), &s->scratch, &b->future);
  pass_events(s, b->node, length, &between);
  future_drop_passed(segments_of(s), &s->scratch, &between);
  future_move(segments_of(s), &n->future, &s->scratch);
}

/* Those that were asleep when the node was new. */
static void add_sleepers(struct stateful *s, struct stateful_node *n) {
  const struct sleep_node *node = &VEC_TOP(s->b->nodes).sleep;
  uint32_t inherited = node->inherited.end - node->inherited.start;
  for (uint32_t i = 0; i < inherited && !planted(STATE_SLEEPER); i++)
    add_sleeper(s, n, (uint32_t)s->depth - 1,
                sleep_at(&s->b->sleep, node, i)->proc);
}

/* ---- going back -----------------------------------------------------------
 */

/* If nothing but looks can follow the head of a cycle, all processes look for
 * ever.  So they do if they lock and unlock for it, but the end of a schedule
 * does not show that. */
static void judge_cycle(struct stateful *s, const struct stateful_node *n,
                        uint32_t length) {
  if (!n->future.moves)
    explorer_livelock(s->x, length);
  else if (n->polls && n->future.moves == FUTURE_LOCKS &&
           system_of(s)->ops->polls)
    explorer_limit(s->x, "a loop that looks under a lock");
}

/* The cycle is explored: what follows its head can follow each node of it. */
static void finish(struct stateful *s, const struct stateful_node *head) {
  for (size_t i = head->unfinished; i < s->unfinished.size; i++) {
    future_clear(&s->scratch);
    merge_known(s, &s->scratch, s->unfinished.at[i].future);
    future_merge(segments_of(s), &s->scratch, head->future.live.at,
                 head->future.live.size, head->future.segments.at,
                 head->future.segments.size, head->future.moves);
    future_forget_order(segments_of(s), &s->scratch);
    known_keep_whole(&s->known, s->unfinished_states.list.at[i].state,
                     known_intern(&s->known, &s->scratch));
  }
  s->unfinished.size = head->unfinished;
  state_stack_truncate(&s->unfinished_states, head->unfinished);
}

/* The node is on a cycle whose head is not left yet. */
static void keep_unfinished(struct stateful *s, const struct stateful_node *n) {
  for (size_t i = n->unfinished; i < s->unfinished.size; i++)
    if (s->unfinished.at[i].low > n->low)
      s->unfinished.at[i].low = n->low;
  if (n->known || n->failed || n->passed)
    return;
  VEC_PUSH(s->unfinished,
           (struct unfinished){n->low, known_intern(&s->known, &n->future)});
  state_stack_push(&s->unfinished_states, n->whole);
}

static void keep_segments(struct stateful *s, const struct known_states *old,
                          struct state_future *f) {
  for (size_t i = 0; i < f->segments.size; i++)
    f->segments.at[i] =
        segments_again(segments_of(s), &old->segments, f->segments.at[i]);
}

static void keep_future(struct stateful *s, const struct known_states *old,
                        struct known_future *future) {
  size_t lives, count;
  const struct live_bytes *live = known_live(old, *future, &lives);
  const uint32_t *segments = known_segments(old, *future, &count);
  future_clear(&s->scratch);
  future_merge(segments_of(s), &s->scratch, live, lives, segments, count,
               future->moves);
  keep_segments(s, old, &s->scratch);
  *future = known_intern(&s->known, &s->scratch);
}

/* The futures of nodes, branches and unfinished nodes are still needed. */
static void drop_all_states(struct stateful *s) {
  struct known_states old = s->known;
  s->known = (struct known_states){0};
  for (size_t i = 0; i < s->depth; i++)
    keep_segments(s, &old, &s->nodes.at[i].future);
  for (size_t i = 0; i < s->branched; i++)
    keep_segments(s, &old, &s->branches.at[i].future);
  for (size_t i = 0; i < s->unfinished.size; i++)
    keep_future(s, &old, &s->unfinished.at[i].future);
  known_free(&old);
}

/* In the hostile build after each few states. */
static bool must_drop(const struct stateful *s) {
  return known_bytes(&s->known) > s->budget ||
         (HOSTILE && s->known.states.size >= 64);
}

/* Sets of futures are kept as long as there is room for states beside them. */
static void drop_states(struct stateful *s) {
  known_drop_half(&s->known);
  if (must_drop(s))
    drop_all_states(s);
}

static void keep_finished(struct stateful *s, struct stateful_node *n,
                          uint32_t length) {
  if (n->head)
    future_forget_order(segments_of(s), &n->future);
  finish(s, n);
  if (n->known || n->failed || n->passed || s->x->diverged)
    return;
  if (system_of(s)->ops->contents)
    explorer_undo(s->x, length);
  if (n->head)
    judge_cycle(s, n, length);
  known_keep(&s->known, system_of(s), n->local,
             known_intern(&s->known, &n->future),
             s->x->options->races == RACES_OFF && !n->head);
  if (must_drop(s))
    drop_states(s);
}

/* The future of the last node, at the node before it. */
static void step_back(struct stateful *s, struct stateful_node *n,
                      const struct event *e) {
  struct handover h = handover_at(s, (uint32_t)(e - s->x->trace.events.at));
  h.awakened = n->awakened;
  future_before(segments_of(s), &n->future, &s->x->trace, e, &h);
  n->future.moves |= n->stopped ? FUTURE_WORKS : deed_of(s, e);
}

static struct stateful_branch *push_branch(struct stateful *s) {
  if (s->branched == s->branches.size) {
    VEC_RESERVE(s->branches, 1);
    memset(&s->branches.at[s->branches.size++], 0, sizeof *s->branches.at);
  }
  return &s->branches.at[s->branched++];
}

static void add_branch(struct stateful *s, const struct stateful_node *n,
                       uint32_t node, uint32_t proc) {
  struct stateful_branch *b =
      s->branched ? &s->branches.at[s->branched - 1] : NULL;
  bool again = s->branched > s->nodes.at[node].branches && b->proc == proc;
  if (!again) { /* not another alternative of it */
    b = push_branch(s);
    b->node = node;
    b->proc = proc;
    future_clear(&b->future);
  }
  future_add(segments_of(s), &b->future, &n->future);
}

static bool leave(void *state) {
  struct stateful *s = state;
  uint32_t length = (uint32_t)s->depth - 1;
  struct stateful_node *n = top(s), *parent = n - 1;
  if (!n->known)
    add_sleepers(s, n);
  s->branched = n->branches;
  if (n->low < length && !planted(STATE_OPEN))
    keep_unfinished(s, n);
  else
    keep_finished(s, n, length);
  const struct event *e = &s->x->trace.events.at[length - 1];
  step_back(s, n, e);
  bool finished = n->low == length;
  parent->restless = !finished || (parent->restless && e->choice);
  if (finished && backtrack_goes_on(s->b))
    add_branch(s, n, length - 1, e->proc);
  future_move(segments_of(s), &parent->future, &n->future);
  if (parent->low > n->low)
    parent->low = n->low;
  s->depth--;
  state_stack_truncate(&s->open, s->depth);
  return !parent->restless;
}

static bool retreat(void *state, size_t *length) {
  struct stateful *s = state;
  if (backtrack_retreat(s->b, length))
    return true;
  if (top(s)->head && !s->x->diverged)
    judge_cycle(s, top(s), 0);
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

static void *create(struct explorer *x) {
  struct stateful *s = calloc(1, sizeof *s);
  ensure(s);
  s->x = x;
  s->b = backtrack_new(x, backtrack_plan_source);
  s->b->tries_blocks = true;
  s->b->leave = leave;
  s->b->context = s;
  s->plan.foreseen = (struct foreseen){.x = x, .objects = &s->objects};
  s->plan.b = s->b;
  s->budget = budget_of(x->options);
  compare_states(x->system, true);
  struct stateful_node *root = push_node(s);
  find_state(s, root);
  state_stack_push(&s->open, root->whole);
  return s;
}

static void destroy(void *state) {
  struct stateful *s = state;
  compare_states(system_of(s), false);
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
                                             .retreat = retreat};
