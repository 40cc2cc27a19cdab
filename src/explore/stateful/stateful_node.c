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
  struct system *system = stateful_system(s);
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
  return !n->stopped && before->processes == stateful_system(s)->processes &&
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

void stateful_look_around(struct stateful *s, struct stateful_node *n,
                          const struct event *e) {
  n->processes = stateful_system(s)->processes;
  if (e && !may_awaken(e) && only_mover_changes(s, n)) {
    n->ended = n[-1].ended;
    n->enabled = n[-1].enabled & ~carrier_bit(e->proc);
    look_at(s, n, e->proc, NOWHERE);
    if (HOSTILE)
      check_mover(s, n);
  } else {
    look_at_all(s, n,
                e && may_awaken(e) ? (uint32_t)trace_length(&s->x->trace)
                                   : NOWHERE);
  }
  VEC_TOP(s->b->nodes).possible =
      n->processes > 64 ? UINT64_MAX : n->enabled & ~sleepers_of(s);
}

void stateful_look_for_data(struct stateful *s, struct stateful_node *n,
                            const struct event *e) {
  const struct access *a = event_access(&s->x->trace, e);
  for (uint32_t i = 0; i < e->accesses && !s->data; i++)
    s->data = !(a[i].mode & ACCESS_ATOMIC);
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
    race_knowledge_add(&s->knowledge, s->x, &n->whole);
}

/* No other state has this digest. */
struct digest128 stateful_no_state(const struct stateful *s) {
  return (struct digest128){{s->depth, UINT64_MAX}};
}
