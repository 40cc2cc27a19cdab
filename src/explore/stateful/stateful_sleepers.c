/* What sleepers add to the future of a node: that of the branch in which they
 * were explored, as far as it is still to come. */
#include "explore/stateful/stateful.h"
#include "util/ensure.h"
#include "util/planted.h"

/* ---- carriers -------------------------------------------------------------
 */

/* An object that is met later may be touched by earlier events. */
struct handover *stateful_handover_at(struct stateful *s, uint32_t position) {
  struct stateful_node *n = &s->nodes.at[position + 1];
  const struct trace *t = &s->x->trace;
  if (!n->is_handover || n->objects != s->objects.list.size) {
    n->handover = handover_of(&s->objects, t, &t->events.at[position]);
    n->objects = (uint32_t)s->objects.list.size;
    n->is_handover = true;
  }
  return &n->handover;
}

/* ---- sleepers -------------------------------------------------------------
 */

/* The number of the newest branch of that process that was left. */
static uint32_t branch_of(const struct stateful *s, uint32_t proc) {
  size_t i = s->branched;
  while (i && s->branches.at[i - 1].proc != proc)
    i--;
  ensure(i);
  return (uint32_t)i - 1;
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
static void pass_events(struct stateful *s, struct stateful_node *n,
                        uint32_t from, uint32_t to, struct passage *between) {
  const struct trace *t = &s->x->trace;
  for (uint32_t i = to; i-- > from;) {
    const struct event *e = &t->events.at[i];
    const struct access *a = event_access(t, e);
    pass_event(between, stateful_handover_at(s, i));
    for (uint32_t k = 0; k < e->accesses; k++)
      if ((a[k].mode & ACCESS_WRITE) && !planted(STATE_WRITTEN))
        future_add_live(&n->future, &a[k]);
  }
}

static void add_passed(struct stateful *s, struct stateful_node *n,
                       const struct state_future *branch,
                       const struct passage *between) {
  future_clear(&s->scratch);
  future_add(stateful_segments(s), &s->scratch, branch);
  future_drop_passed(stateful_segments(s), &s->scratch, between);
  future_move(stateful_segments(s), &n->future, &s->scratch);
}

/* The branches of those that were asleep when the node was new, the newest one
 * first: those of later nodes come first, S3. */
static void find_sleeping(struct stateful *s) {
  const struct sleep_node *node = &VEC_TOP(s->b->nodes).sleep;
  uint32_t inherited = node->inherited.end - node->inherited.start;
  s->sleeping.size = 0;
  for (uint32_t i = inherited; i-- > 0;) {
    uint32_t branch = branch_of(s, sleep_at(&s->b->sleep, node, i)->proc);
    size_t at = s->sleeping.size;
    VEC_PUSH(s->sleeping, branch);
    for (; at && s->sleeping.at[at - 1] < branch; at--)
      s->sleeping.at[at] = s->sleeping.at[at - 1];
    s->sleeping.at[at] = branch;
  }
}

/* What lies between a branch and the node is part of what lies between an
 * earlier branch and the node. */
void stateful_add_sleepers(struct stateful *s, struct stateful_node *n) {
  uint32_t position = (uint32_t)s->depth - 1;
  struct passage between;
  if (planted(STATE_SLEEPER))
    return;
  find_sleeping(s);
  between.changed = (struct carriers){0, 0};
  between.moved = between.joined = 0;
  between.ended = n->ended;
  for (size_t i = 0; i < s->sleeping.size; i++) {
    const struct stateful_branch *b = &s->branches.at[s->sleeping.at[i]];
    pass_events(s, n, b->node, position, &between);
    add_passed(s, n, &b->future, &between);
    position = b->node;
  }
}

static struct stateful_branch *push_branch(struct stateful *s) {
  if (s->branched == s->branches.size) {
    VEC_RESERVE(s->branches, 1);
    memset(&s->branches.at[s->branches.size++], 0, sizeof *s->branches.at);
  }
  return &s->branches.at[s->branched++];
}

void stateful_add_branch(struct stateful *s, const struct stateful_node *n,
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
  future_add(stateful_segments(s), &b->future, &n->future);
}
