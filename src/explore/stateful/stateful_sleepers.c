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
    pass_event(between, stateful_handover_at(s, i));
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
  future_add(stateful_segments(s), &s->scratch, &b->future);
  pass_events(s, b->node, length, &between);
  future_drop_passed(stateful_segments(s), &s->scratch, &between);
  future_move(stateful_segments(s), &n->future, &s->scratch);
}

/* Those that were asleep when the node was new. */
void stateful_add_sleepers(struct stateful *s, struct stateful_node *n) {
  const struct sleep_node *node = &VEC_TOP(s->b->nodes).sleep;
  uint32_t inherited = node->inherited.end - node->inherited.start;
  for (uint32_t i = 0; i < inherited && !planted(STATE_SLEEPER); i++)
    add_sleeper(s, n, (uint32_t)s->depth - 1,
                sleep_at(&s->b->sleep, node, i)->proc);
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
