/* Nodes that are left become known states, and these are dropped if they take
 * too much memory. */
#include "explore/stateful/stateful.h"
#include "util/ensure.h"

/* The cycle is explored: what follows its head can follow each node of it. */
static void finish(struct stateful *s, const struct stateful_node *head) {
  for (size_t i = head->unfinished; i < s->unfinished.size; i++) {
    future_clear(&s->scratch);
    stateful_merge_known(s, &s->scratch, s->unfinished.at[i].future);
    future_merge(stateful_segments(s), &s->scratch, head->future.live.at,
                 head->future.live.size, head->future.segments.at,
                 head->future.segments.size, head->future.moves);
    future_forget_order(stateful_segments(s), &s->scratch);
    known_keep_whole(&s->known, s->unfinished_states.list.at[i].state,
                     known_intern(&s->known, &s->scratch));
  }
  s->unfinished.size = head->unfinished;
  state_stack_truncate(&s->unfinished_states, head->unfinished);
}

/* The node is on a cycle whose head is not left yet. */
void stateful_keep_unfinished(struct stateful *s,
                              const struct stateful_node *n) {
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
  f->name = 0;
  for (size_t i = 0; i < f->segments.size; i++)
    f->segments.at[i] =
        segments_again(stateful_segments(s), &old->segments, f->segments.at[i]);
}

static void keep_future(struct stateful *s, struct known_states *old,
                        struct known_future *future) {
  size_t lives, count;
  const struct live_bytes *live = known_live(old, *future, &lives);
  const uint32_t *segments = known_segments(old, *future, &count);
  future_clear(&s->scratch);
  future_merge(stateful_segments(s), &s->scratch, live, lives, segments, count,
               future->moves);
  keep_segments(s, old, &s->scratch);
  *future = known_intern(&s->known, &s->scratch);
}

/* The futures of nodes, branches and unfinished nodes are still needed. */
static void drop_all_states(struct stateful *s) {
  struct known_states old = s->known;
  s->known = (struct known_states){.most_names = old.most_names};
  s->found_live = 0;
  for (size_t i = 0; i < s->depth; i++) {
    keep_segments(s, &old, &s->nodes.at[i].future);
    s->nodes.at[i].sought.live = 0;
  }
  for (size_t i = 0; i < s->branched; i++)
    keep_segments(s, &old, &s->branches.at[i].future);
  for (size_t i = 0; i < s->unfinished.size; i++)
    keep_future(s, &old, &s->unfinished.at[i].future);
  known_free(&old);
}

/* In the hostile build after each few states, but twice as many each time: with
 * nothing to match, a program may take exponentially more steps. */
static size_t hostile_states(const struct stateful *s) {
  return (size_t)64 << (s->drops < 32 ? s->drops : 32);
}

static bool is_too_much(const struct stateful *s) {
  return known_bytes(&s->known) > s->budget ||
         (HOSTILE && s->known.states.size >= hostile_states(s));
}

/* Sets of futures are kept as long as there is room for states beside them. */
static void drop_states(struct stateful *s) {
  bool all;
  stateful_exchange(s, true);
  known_drop_half(&s->known);
  s->drops++;
  all = is_too_much(s);
  if (all)
    drop_all_states(s);
  exchange_dropped(&s->exchange, &s->known, all);
}

/* It takes time to count, so not after each state. */
enum { COUNTED_AFTER = HOSTILE ? 1 : 64 };

static void limit_memory(struct stateful *s) {
  if (++s->uncounted < COUNTED_AFTER)
    return;
  s->uncounted = 0;
  if (is_too_much(s))
    drop_states(s);
}

/* In the hostile build: has the state the key that was looked for in it? */
static void check_key(struct stateful *s, struct stateful_node *n,
                      struct known_future future) {
  if (known_key_is(&n->sought, future))
    ensure(digest128_equal(
        n->sought.key,
        known_key_of(&s->known, stateful_system(s), n->local, future.live)));
}

void stateful_keep_finished(struct stateful *s, struct stateful_node *n,
                            uint32_t length) {
  if (n->head)
    future_forget_order(stateful_segments(s), &n->future);
  finish(s, n);
  if (n->known || n->failed || n->passed || s->x->diverged)
    return;
  struct known_future future = named_intern(&s->known, &n->future);
  bool has_key = known_key_is(&n->sought, future) && !HOSTILE;
  if (stateful_system(s)->ops->contents && (!has_key || n->head))
    explorer_undo(s->x, length);
  if (n->head)
    stateful_judge_cycle(s, n, length);
  if (HOSTILE)
    check_key(s, n, future);
  known_keep(&s->known, stateful_system(s), n->local, future, &n->sought,
             s->x->options->races == RACES_OFF && !n->head && !s->exchange.log);
  limit_memory(s);
}
