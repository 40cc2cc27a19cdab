#include "explore/backtrack.h"

#include <stdlib.h>

#include "explore/dpor/reordered_footprint.h"
#include "util/ensure.h"
#include "util/planted.h"

/* ---- sets --------------------------------------------------------------- */

static uint64_t bit_of(uint32_t proc) {
  return proc < 64 ? (uint64_t)1 << proc : 0;
}

/* Does the node belong to another process? */
static bool is_others(const struct backtrack *b,
                      const struct backtrack_node *node) {
  return b->is_part && (size_t)(node - b->nodes.at) <= b->prefix.size;
}

uint32_t backtrack_try_new(struct backtrack *b, struct backtrack_node *node,
                           uint32_t proc) {
  uint32_t n = b->unused;
  if (n) {
    b->unused = b->tries.at[n].next;
  } else {
    n = (uint32_t)b->tries.size;
    VEC_PUSH(b->tries, (struct backtrack_try){0});
  }
  bool asked = is_others(b, node);
  bool late =
      b->lent.size && backtrack_is_lent(b, (size_t)(node - b->nodes.at));
  b->tries.at[n] = (struct backtrack_try){.proc = proc,
                                          .next = node->tries,
                                          .begun = asked,
                                          .asked = asked,
                                          .late = late};
  node->tries = n;
  node->tried |= bit_of(proc);
  return n;
}

static void tries_drop(struct backtrack *b, struct backtrack_node *node) {
  while (node->tries) {
    uint32_t next = b->tries.at[node->tries].next;
    b->tries.at[node->tries].next = b->unused;
    b->unused = node->tries;
    node->tries = next;
  }
  node->tried = 0;
}

static bool is_tried(const struct backtrack *b,
                     const struct backtrack_node *node, uint32_t proc) {
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    if (b->tries.at[n].proc == proc)
      return true;
  return false;
}

bool backtrack_has(struct backtrack *b,
                   bool (*good)(struct reversal *, uint32_t proc)) {
  for (uint32_t n = b->nodes.at[b->v.at].tries; n; n = b->tries.at[n].next)
    if (good(&b->v, b->tries.at[n].proc))
      return true;
  return false;
}

void backtrack_add(struct backtrack *b, uint32_t proc) {
  backtrack_try_new(b, &b->nodes.at[b->v.at], proc);
}

/* Is the next event of the process in v, with nothing in v before it, and
 * happens it before the needed one? */
static bool leads_to(struct reversal *v, uint32_t proc,
                     const struct event *needed) {
  const struct trace *t = v->trace;
  return reversal_is_initial(v, proc) &&
         happens_before(
             t,
             &t->events
                  .at[process_event(t, proc, reversal_first_index(v, proc))],
             needed);
}

void backtrack_plan_needed(struct backtrack *b, uint32_t first,
                           uint32_t needed) {
  const struct trace *t = &b->x->trace;
  const struct event *last = &t->events.at[needed];
  uint32_t i = first + 1;
  reversal_of_unknown(&b->v, t, first);
  for (uint32_t n = b->nodes.at[first].tries; n; n = b->tries.at[n].next)
    if (leads_to(&b->v, b->tries.at[n].proc, last))
      return;
  while (!reversal_contains(&b->v, i) ||
         !happens_before(t, &t->events.at[i], last))
    i++;
  backtrack_add(b, t->events.at[i].proc);
}

void backtrack_want(struct backtrack *b, uint32_t position,
                    uint64_t processes) {
  struct backtrack_node *node = &b->nodes.at[position];
  node->wanted |= processes & ~node->tried;
}

void backtrack_plan_source(struct backtrack *b) {
  if (!backtrack_has(b, reversal_is_initial))
    backtrack_add(b, reversal_beginning(&b->v).proc);
}

/* ---- going down --------------------------------------------------------- */

static bool asleep(const void *context, uint32_t proc) {
  const struct backtrack *b = context;
  return sleep_contains(&b->sleep, &VEC_TOP(b->nodes).sleep, proc);
}

/* A process is not preferred any more if it has taken so many steps more than
 * the usual one: loops that wait do not starve it. */
enum { MOST_AHEAD = 100 };

static uint32_t by_rank(const struct backtrack *b,
                        const struct backtrack_node *node, uint32_t usual) {
  const struct trace *t = &b->x->trace;
  uint32_t best = usual;
  if (!b->rank || usual >= 64 || node->possible == UINT64_MAX)
    return usual;
  for (uint64_t left = node->possible; left; left &= left - 1) {
    uint32_t p = (uint32_t)__builtin_ctzll(left);
    if (b->rank[p] > b->rank[best] &&
        process_length(t, p) <= process_length(t, usual) + MOST_AHEAD)
      best = p;
  }
  return best;
}

void backtrack_choose(struct backtrack *b, uint32_t proc) {
  VEC_TOP(b->nodes).current = backtrack_try_new(b, &VEC_TOP(b->nodes), proc);
}

/* A step that was taken before. */
static enum pick pick_again(struct backtrack *b, const struct move *move) {
  struct system *system = b->x->system;
  if (system->ops->enabled(system, move->proc))
    return PICK_MOVE;
  explorer_impossible(b->x, move->proc);
  return PICK_DROP;
}

enum pick backtrack_pick(void *state, struct move *move) {
  struct backtrack *b = state;
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  if (trace_length(&b->x->trace) < b->prefix.size) {
    *move = b->prefix.at[trace_length(&b->x->trace)];
    return pick_again(b, move);
  }
  if (b->drops)
    return PICK_DROP;
  if (b->stack.left) {
    *move = b->stack.move;
    return pick_again(b, move);
  }
  if (node->covered.cut)
    return PICK_CUT;
  if (!node->current) {
    uint32_t proc;
    enum pick pick = explorer_free_choice(b->x, asleep, b, &proc);
    if (pick != PICK_MOVE)
      return pick;
    backtrack_choose(b, by_rank(b, node, proc));
  }
  /* If the next process may not preempt, the process that moved last was tried
   * first here.  All other processes would preempt it. */
  if (!explorer_allows(b->x, b->tries.at[node->current].proc)) {
    explorer_leave_out(b->x, 1);
    return PICK_BOUND;
  }
  b->tries.at[node->current].begun = true;
  *move = (struct move){b->tries.at[node->current].proc, node->choice};
  return PICK_MOVE;
}

/* ---- races -------------------------------------------------------------- */

static void enter_child(struct backtrack *b) {
  VEC_PUSH(b->nodes, (struct backtrack_node){.possible = UINT64_MAX});
  struct backtrack_node *child = &VEC_TOP(b->nodes), *node = child - 1;
  if (b->context_sensitive)
    covered_child(&b->covered, &node->sleep, &child->sleep);
  else
    sleep_child(&b->sleep, &node->sleep, &b->x->trace, &child->sleep);
}

/* The process moves on the way to e', or e' is its first step in v. */
static bool leads_to_last(struct reversal *v, uint32_t proc) {
  uint32_t index = reversal_first_index(v, proc);
  if (!reversal_is_initial(v, proc))
    return false;
  return (proc == v->last.proc && index == v->last.index) ||
         reversal_needs(v, process_event(v->trace, proc, index));
}

/* Makes sure that a process is tried that can begin what leads to e': it is not
 * enough that it can begin v. */
static void plan_leading(struct backtrack *b) {
  struct reversal *v = &b->v;
  uint32_t i = v->at + 1;
  if (backtrack_has(b, leads_to_last))
    return;
  if (leads_to_last(v, v->last.proc)) {
    backtrack_add(b, v->last.proc);
    return;
  }
  while (i < v->trace->events.size &&
         !(reversal_contains(v, i) && reversal_needs(v, i)))
    i++;
  ensure(i < v->trace->events.size); /* e' waits for an event of v */
  backtrack_add(b, v->trace->events.at[i].proc);
}

static void plan_reversal(struct backtrack *b) {
  const struct event *e = &b->x->trace.events.at[b->v.at];
  if (b->tries_blocks && (e->flags & STEP_BLOCK) && !planted(STATE_LEADING))
    plan_leading(b);
  else
    b->plan(b);
}

/* An event after e that must come before e' whatever e' touches, or NOWHERE. */
static uint32_t certain_event(const struct backtrack *b,
                              const struct race *race) {
  const struct trace *t = &b->x->trace;
  const struct event *last = &t->events.at[race->second];
  uint32_t before = trace_count_before(t, last->proc, race->first);
  uint32_t next = process_event(t, last->proc, before + 1);
  if (next < race->second)
    return next;
  bool caused = b->tries_blocks && last->cause > race->first + 1 &&
                !happens_before(t, &t->events.at[race->first],
                                &t->events.at[last->cause - 1]);
  return caused ? last->cause - 1 : NOWHERE;
}

bool backtrack_try_block(struct backtrack *b, uint32_t position,
                         uint32_t proc) {
  const struct backtrack_node *node = &b->nodes.at[position];
  if (!b->tries_blocks || node->possible == UINT64_MAX)
    return false;
  if (!(node->possible & bit_of(proc)))
    return planted(STATE_ASLEEP);
  backtrack_want(b, position, bit_of(proc));
  return true;
}

/* e' may be another step if it comes first.  The events of its process before
 * it are not. */
static void plan_reordered(struct backtrack *b, const struct race *race) {
  const struct event *last = &b->x->trace.events.at[race->second];
  uint32_t certain = certain_event(b, race);
  if (certain != NOWHERE && !b->context_sensitive)
    backtrack_plan_needed(b, race->first, certain);
  else if (!(last->flags & STEP_BLOCK) ||
           !backtrack_try_block(b, race->first, last->proc))
    b->nodes.at[race->first].covered.try_all = true;
}

static void plan_race(struct backtrack *b, const struct race *race) {
  const struct trace *t = &b->x->trace;
  if (race->kind == RACE_CHOICE)
    return;
  if (reordered_must_run(t, race->first, race->second) && !planted(BLOCK)) {
    plan_reordered(b, race);
    return;
  }
  reversal_of_race(&b->v, t, race->first, race->second);
  plan_reversal(b);
}

static void plan_races(struct backtrack *b, size_t from) {
  const struct trace *t = &b->x->trace;
  for (size_t i = from; i < t->races.size; i++)
    plan_race(b, &t->races.at[i]);
}

/* Does another process explore the branch at hand of the node at this length?
 */
static bool is_elsewhere(const struct backtrack *b, size_t at) {
  return b->tries.at[b->nodes.at[at].current].elsewhere;
}

void backtrack_stepped(void *state) {
  struct backtrack *b = state;
  if (trace_length(&b->x->trace) <= b->prefix.size)
    return; /* the races were planned where the part comes from */
  enter_child(b);
  b->drops = is_elsewhere(b, b->nodes.size - 2);
  if (b->stack.left)
    backtrack_stack_stepped(b);
  else if (!b->drops)
    plan_races(b, VEC_TOP(b->x->trace.events).first_race);
}

static bool is_waiting(const struct backtrack *b, uint32_t p,
                       struct step *step) {
  struct system *system = b->x->system;
  bool may_wait = p >= 64 || (b->waiting & bit_of(p));
  bool waits = (may_wait || HOSTILE) && !system->ops->enabled(system, p) &&
               system->ops->pending(system, p, step);
  ensure(may_wait || !waits);
  return waits;
}

static void plan_pending(struct backtrack *b) {
  struct explorer *x = b->x;
  for (uint32_t p = 0; p < x->system->processes; p++) {
    struct step step;
    if (!is_waiting(b, p, &step))
      continue;
    if (b->context_sensitive)
      covered_pending(&b->covered, p, &step);
    trace_pending_races(&x->trace, p, &step, &b->pending);
    for (size_t i = 0; i < b->pending.list.size; i++) {
      uint32_t first = b->pending.list.at[i];
      struct step before = explorer_pending_before(x, p, &step, first);
      reversal_of_pending(&b->v, &x->trace, first, p, &before);
      plan_reversal(b);
    }
  }
}

/* In the hostile build, after every execution. */
static void check(struct backtrack *b) {
  for (uint32_t i = 0; i < b->nodes.size; i++)
    sleep_check(&b->sleep, &b->nodes.at[i].sleep, &b->x->trace, i,
                !b->context_sensitive);
  if (b->context_sensitive)
    seen_check(&b->covered.seen);
}

void backtrack_ended(void *state, enum pick why) {
  struct backtrack *b = state;
  b->ended = true;
  b->drops = false;
  if (why == PICK_DROP)
    return;
  if (!planted(SOURCE_PENDING) && !(planted(LOOK_CUT) && why == PICK_CUT))
    plan_pending(b);
  if (HOSTILE)
    check(b);
}

/* ---- going back --------------------------------------------------------- */

static bool is_wanted(const struct backtrack_node *node, uint32_t proc) {
  return node->covered.try_all || (node->wanted & bit_of(proc));
}

/* Only at the node can the system say which processes are enabled. */
static void add_wanted(struct backtrack *b, struct backtrack_node *node,
                       size_t length) {
  struct system *system = b->x->system;
  explorer_undo(b->x, length);
  for (uint32_t p = 0; p < system->processes; p++)
    if (is_wanted(node, p) && system->ops->enabled(system, p) &&
        !is_tried(b, node, p))
      backtrack_try_new(b, node, p);
  node->covered.try_all = false;
  node->wanted = 0;
}

static uint32_t next_try(const struct backtrack *b,
                         const struct backtrack_node *node) {
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    if (!b->tries.at[n].begun && !b->tries.at[n].late &&
        !sleep_contains(&b->sleep, &node->sleep, b->tries.at[n].proc))
      return n;
  return 0;
}

/* A branch of the part's first node that other processes explore. */
static uint32_t next_elsewhere(const struct backtrack *b,
                               const struct backtrack_node *node) {
  uint32_t n = b->is_part && is_others(b, node) ? node->tries : 0;
  while (n && (b->tries.at[n].begun || !b->tries.at[n].elsewhere ||
               sleep_contains(&b->sleep, &node->sleep, b->tries.at[n].proc)))
    n = b->tries.at[n].next;
  return n;
}

/* Most nodes have nothing else to try.  Then covered_is_done() need not be
 * asked. */
static bool is_something_left(const struct backtrack *b,
                              const struct backtrack_node *node) {
  return node->covered.try_all || node->wanted || next_try(b, node);
}

/* Moves on to the next branch of the last node; false if there is none. */
static bool go_on(struct backtrack *b) {
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  bool is_lent;
  node->choice = 0;
  node->current = next_elsewhere(b, node);
  if (node->current)
    return true;
  if (backtrack_has_stack(b) && backtrack_take_stack(b))
    return true;
  is_lent = b->lent.size && backtrack_is_lent(b, b->nodes.size - 1);
  if ((node->covered.try_all || node->wanted) && !is_lent &&
      !is_others(b, node))
    add_wanted(b, node, b->nodes.size - 1);
  node->current = next_try(b, node);
  b->waits = !node->current && is_lent;
  return node->current != 0;
}

/* The branch of the last node that began with e is done. */
static bool advance(struct backtrack *b, struct backtrack_node *node,
                    const struct event *e, bool sleeps) {
  sleep_return(&b->sleep, &node->sleep);
  if (node->choice + 1 < e->choices) {
    node->choice++;
    return true;
  }
  if (is_elsewhere(b, b->nodes.size - 1))
    b->sleepers++;
  /* Elsewhere another process's branch may not have been asleep. */
  if (b->was_taken && sleep_has(&b->sleep, &node->sleep, e->proc, e->choice))
    sleeps = false;
  if (!b->context_sensitive && sleeps)
    sleep_add(&b->sleep, &node->sleep, &b->x->trace, e);
  else if (b->context_sensitive)
    covered_add(&b->covered, &node->sleep, &node->covered, e);
  if (b->context_sensitive && is_something_left(b, node) &&
      covered_is_done(&b->covered, &node->covered, e))
    return false;
  return go_on(b);
}

bool backtrack_goes_on(const struct backtrack *b) {
  const struct backtrack_node *node = &b->nodes.at[b->nodes.size - 2];
  const struct event *e = &b->x->trace.events.at[b->nodes.size - 2];
  return node->choice + 1 < e->choices || is_something_left(b, node);
}

void backtrack_pop_node(struct backtrack *b) {
  tries_drop(b, &VEC_TOP(b->nodes));
  b->nodes.size--;
}

/* Goes back to a node with something left to do.  False: there is none, or it
 * is not known yet. */
static bool go_back(struct backtrack *b, size_t *length) {
  for (;;) {
    *length = b->nodes.size - 1;
    if (backtrack_waits(b))
      return false;
    if (b->waits) {
      backtrack_end_lent(b);
      if (go_on(b))
        return true;
      continue;
    }
    if (b->nodes.size == b->prefix.size + 1) {
      ensure(!b->lent.size); /* U1 */
      b->over = true;
      return false;
    }
    bool sleeps = !b->leave || b->leave(b->context);
    backtrack_pop_node(b);
    --*length;
    if (advance(b, &VEC_TOP(b->nodes), &b->x->trace.events.at[*length], sleeps))
      return true;
  }
}

bool backtrack_retreat(void *state, size_t *length) {
  struct backtrack *b = state;
  size_t most = b->begins ? backtrack_begin_part(b) : b->nodes.size - 1;
  bool goes_on = b->begins || b->next;
  b->ended = b->next = b->begins = false;
  *length = b->nodes.size - 1;
  bool left = (goes_on && go_on(b)) || go_back(b, length);
  if (*length > most)
    *length = most;
  return left;
}

/* ---- life --------------------------------------------------------------- */

struct backtrack *backtrack_new(struct explorer *x,
                                void (*plan)(struct backtrack *)) {
  struct backtrack *b = calloc(1, sizeof *b);
  ensure(b);
  b->x = x;
  b->plan = plan;
  b->waiting = UINT64_MAX;
  VEC_PUSH(b->tries, (struct backtrack_try){0}); /* 0 is no try */
  struct backtrack_node root = {.possible = UINT64_MAX};
  sleep_root(&b->sleep, &root.sleep);
  VEC_PUSH(b->nodes, root);
  return b;
}

static struct covered_node *covered_at(void *state, size_t length) {
  struct backtrack *b = state;
  return &b->nodes.at[length].covered;
}

void backtrack_context_sensitive(struct backtrack *b) {
  b->context_sensitive = true;
  covered_init(&b->covered, b->x, &b->sleep, covered_at, b);
}

void backtrack_free(void *state) {
  struct backtrack *b = state;
  if (b->context_sensitive)
    covered_free(&b->covered);
  sleep_free(&b->sleep);
  VEC_FREE(b->nodes);
  VEC_FREE(b->tries);
  while (b->lent.size)
    backtrack_forget_lent(b, &VEC_TOP(b->lent));
  VEC_FREE(b->lent);
  VEC_FREE(b->stack.text);
  VEC_FREE(b->told_early);
  VEC_FREE(b->prefix);
  reversal_free(&b->v);
  positions_free(&b->pending);
  free(b);
}

size_t backtrack_planned(const void *state, size_t length) {
  const struct backtrack *b = state;
  size_t count = 0;
  uint32_t n = length < b->nodes.size ? b->nodes.at[length].tries : 0;
  for (; n; n = b->tries.at[n].next)
    count += !b->tries.at[n].begun;
  return count;
}
