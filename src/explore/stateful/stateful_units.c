/* A search of `stateful` that several processes share.
 *
 * A unit is a node and the processes that are still to be tried there, as for
 * `source` (explore/backtrack_units.c).  The other process is a fork of this
 * one, and goes on with all that is known here.  The branch at hand is explored
 * here meanwhile.  It does not sleep there: its future is not known.
 *
 * What the part tells in the end, besides what it asks for: the future of the
 * node by way of its branches, how far up cycles lead, and the futures of those
 * branches that may sleep at the node from now on.  A node with branches that
 * were given away is not left before that is known, nor are those above it.  So
 * whether the future of a node is complete depends on nothing that another
 * process has to do yet, and a known state is known for all processes: see
 * state_exchange.h.
 */
#include "explore/stateful/stateful.h"
#include "util/ensure.h"
#include "util/hostile.h"
#include "util/rng.h"

/* ---- what the system has learnt ------------------------------------------
 */

static struct digest128 digest_of(const struct text *t) {
  struct digest128 d = {{t->size, ~t->size}};
  for (size_t i = 0; i + 8 <= t->size; i += 8) {
    uint64_t word;
    memcpy(&word, t->at + i, sizeof word);
    d.word[0] = rng_mix(d.word[0] ^ word);
    d.word[1] = (d.word[1] + word) * 0x9e3779b97f4a7c15u;
  }
  for (size_t i = t->size / 8 * 8; i < t->size; i++)
    d.word[0] = rng_mix(d.word[0] ^ (unsigned char)t->at[i]);
  return d;
}

/* What it has learnt by now. */
static const struct text *find_learnt(struct stateful *s) {
  struct system *system = stateful_system(s);
  struct packed p = packed_writer(&s->learnt_now);
  s->learnt_now.size = 0;
  if (system->ops->learnt)
    system->ops->learnt(system, &p);
  return &s->learnt_now;
}

/* No more than what all know, or, before the exchange began, than what it had
 * learnt when that was last looked at? */
static bool has_learnt_no_more(struct stateful *s) {
  const struct text *now = find_learnt(s), *then = &s->learnt;
  return now->size == then->size &&
         (!now->size || !memcmp(now->at, then->at, now->size));
}

/* ---- telling states ------------------------------------------------------
 */

/* So many new states are told at once: the sooner others know them, the less is
 * explored twice.  To find out what was learnt takes time, too. */
static size_t batch(const struct stateful *s) {
  return HOSTILE ? 1 : 8 + s->learnt.size / 2048;
}

void stateful_exchange(struct stateful *s, bool at_once) {
  struct state_exchange *x = &s->exchange;
  size_t untold = exchange_untold(x, &s->known);
  if (!x->log || !untold || (!at_once && untold < batch(s)))
    return;
  if (!has_learnt_no_more(s)) {
    exchange_dropped(x, &s->known, false); /* these are for itself */
    return;
  }
  exchange_write(x, &s->known, &s->objects);
  exchange_read(x, &s->known, &s->objects);
  s->data |= x->data;
}

/* ---- giving --------------------------------------------------------------
 */

/* Of the processes that are wanted at a node, those that can be tried there are
 * given away, too. */
static void settle(struct backtrack *b, size_t at) {
  struct backtrack_node *node = &b->nodes.at[at];
  uint64_t all = node->covered.try_all ? UINT64_MAX : node->wanted;
  if (node->possible == UINT64_MAX)
    return;
  for (all &= node->possible & ~node->tried; all; all &= all - 1)
    backtrack_try_new(b, node, (uint32_t)__builtin_ctzll(all));
}

/* The first process to give something away begins to tell states.  What all
 * know is what it has learnt; it gives nothing while it still learns. */
static bool begin_exchange(struct stateful *s) {
  if (!has_learnt_no_more(s)) {
    struct text then = s->learnt;
    s->learnt = s->learnt_now;
    s->learnt_now = then;
    return false;
  }
  enum { MOST = 1 << 30 };
  uint64_t most = s->budget < MOST ? s->budget : MOST;
  if (exchange_begin(&s->exchange, most))
    exchange_dropped(&s->exchange, &s->known, false); /* all forks know them */
  return true;
}

/* States on a cycle that leads above a part are never known to it.  Where all
 * is one cycle, each part would explore all of it. */
bool stateful_may_lend(void *context, size_t length) {
  const struct stateful *s = context;
  for (size_t i = 0; i <= length; i++)
    if (s->nodes.at[i].head)
      return false;
  return true;
}

bool stateful_give(void *state, struct text *to, enum give how) {
  struct stateful *s = state;
  struct backtrack *b = s->b;
  if (how == GIVE_HALF && !b->begins) {
    if (!s->exchange.log && !begin_exchange(s))
      return false;
    for (size_t at = b->prefix.size; at + 1 < b->nodes.size; at++)
      settle(b, at);
    stateful_exchange(s, true);
  }
  if (how == GIVE_ALL)
    stateful_exchange(s, true);
  return backtrack_give(b, to, how);
}

/* ---- taking --------------------------------------------------------------
 */

/* A unit that comes back, or all that is left. */
bool stateful_take(void *state, const char *unit, size_t size) {
  return backtrack_take(((struct stateful *)state)->b, unit, size);
}

bool stateful_waits(const void *state) {
  return backtrack_waits(((const struct stateful *)state)->b);
}

/* The nodes below the one that was given are the other process's. */
static void drop_nodes(struct stateful *s, size_t depth) {
  const struct stateful_node *next = &s->nodes.at[depth];
  s->unfinished.size = next->unfinished;
  state_stack_truncate(&s->unfinished_states, next->unfinished);
  s->branched = next->branches;
  s->depth = depth;
  foreseen_plan_truncate(&s->plan, depth - 1);
  state_stack_truncate(&s->open, depth);
}

void stateful_part(void *state, const char *unit, size_t size) {
  struct stateful *s = state;
  backtrack_part(s->b, unit, size);
  drop_nodes(s, s->b->nodes.size);
  struct stateful_node *n = stateful_top(s);
  future_clear(&n->future);
  n->low = (uint32_t)s->depth - 1;
  s->first_branch = s->branched;
  if (s->exchange.log)
    exchange_forked(&s->exchange, &s->known);
}

/* Processes that share a search should not all go the same way. */
uint32_t stateful_other_way(const struct stateful *s, uint64_t processes) {
  uint64_t seed = rng_mix(s->exchange.self);
  unsigned turn = (unsigned)seed % 64;
  uint64_t turned = processes << turn | processes >> (63 & (64 - turn));
  unsigned found = (unsigned)(seed >> 63 ? __builtin_ctzll(turned)
                                         : 63 - __builtin_clzll(turned));
  return (found + 64 - turn) % 64;
}

/* ---- what a part tells ----------------------------------------------------
 */

static void pack_objects(struct packed *p, struct objects *mine,
                         struct objects *told) {
  if (p->to)
    PACKED_VEC(p, mine->list);
  else
    PACKED_VEC(p, told->list);
}

static uint64_t objects_here(struct objects *mine, const struct objects *told,
                             uint64_t set) {
  uint64_t here = 0;
  for (; set; set &= set - 1)
    here |=
        carrier_bit(object_enter(mine, told->list.at[__builtin_ctzll(set)]));
  return here;
}

static uint32_t read_segment(struct stateful *s, struct packed *p,
                             const struct objects *told) {
  struct access_list *l = segments_open(stateful_segments(s), NO_SEGMENT);
  PACKED_VEC(p, l->list);
  for (size_t i = 0; i < l->list.size; i++) {
    struct future_access *a = &l->list.at[i];
    a->carriers.objects = objects_here(&s->objects, told, a->carriers.objects);
    a->acquired = objects_here(&s->objects, told, a->acquired);
    s->data |= !(a->mode & ACCESS_ATOMIC);
  }
  return segments_intern(stateful_segments(s), l);
}

void stateful_pack_future(struct stateful *s, struct packed *p,
                          struct state_future *f, const struct objects *told) {
  size_t count = packed_count(p, f->segments.size, 1);
  f->name = 0;
  PACKED_VEC(p, f->live);
  PACKED(p, f->moves);
  for (size_t i = 0; i < count && !p->bad; i++) {
    if (p->to) {
      struct access_list *l =
          segments_open(stateful_segments(s), f->segments.at[i]);
      PACKED_VEC(p, l->list);
    } else {
      VEC_PUSH(f->segments, read_segment(s, p, told));
    }
  }
}

void stateful_pack_heads(struct stateful *s, struct packed *p, size_t from,
                         size_t end) {
  for (size_t i = from; i < end; i++) {
    struct stateful_node *n = &s->nodes.at[i];
    bool head = n->head;
    PACKED(p, head);
    n->head |= head;
  }
}

void stateful_write_branches(struct stateful *s, struct packed *p, size_t from,
                             size_t end) {
  size_t count = packed_count(p, end - from, 1);
  for (size_t i = from; i < from + count; i++) {
    struct stateful_branch *b = &s->branches.at[i];
    PACKED(p, b->proc);
    stateful_pack_future(s, p, &b->future, NULL);
  }
}

void stateful_read_branches(struct stateful *s, struct packed *p,
                            const struct objects *told) {
  size_t count = packed_count(p, 0, 1);
  for (size_t i = 0; i < count && !p->bad; i++) {
    uint32_t proc;
    PACKED(p, proc);
    future_clear(&s->scratch);
    stateful_pack_future(s, p, &s->scratch, told);
    stateful_add_told(s, (uint32_t)s->depth - 1, proc, &s->scratch);
  }
}

/* Of the node where the part begins, which is the last one. */
void stateful_told(void *context, struct packed *p) {
  struct stateful *s = context;
  struct stateful_node *n = stateful_top(s);
  struct objects told = {0};
  uint32_t low = n->low;
  uint64_t movable = n->movable;
  pack_objects(p, &s->objects, &told);
  stateful_pack_heads(s, p, 0, s->depth);
  PACKED(p, low);
  PACKED(p, movable);
  if (p->to) {
    stateful_pack_future(s, p, &n->future, NULL);
    stateful_write_branches(s, p, s->first_branch, s->branched);
    return;
  }
  if (n->low > low)
    n->low = low;
  n->movable |= movable;
  future_clear(&s->scratch);
  stateful_pack_future(s, p, &s->scratch, &told);
  future_move(stateful_segments(s), &n->future, &s->scratch);
  stateful_read_branches(s, p, &told);
  VEC_FREE(told.list);
}

/* What a process has learnt decides what is a step, and which accesses are in
 * a future. */
void stateful_seen(void *state, struct packed *p) {
  struct stateful *s = state;
  struct digest128 learnt = digest_of(find_learnt(s)), told = learnt;
  if (p->to && !s->b->is_part)
    return;
  PACKED(p, told);
  if (!digest128_equal(told, learnt))
    p->bad = true;
  else
    backtrack_seen(s->b, p);
  if (p->to)
    stateful_exchange(s, true);
}
