/* Parts of a search with backtrack sets that other processes explore.
 *
 * What is below a node depends on its prefix and its sleep set.  So the
 * processes that are still to be tried at a node can be tried elsewhere while
 * the branch at hand is explored here: that branch is asleep there, because it
 * will be explored.  Such a node is *lent*, and the *part* is a unit.
 *
 * Events of a part may race with events of its prefix.  The part has the nodes
 * of its prefix, as they were, with their backtrack sets.  A process that must
 * be added to one of these is only noted (`asked`), and so is one at the lent
 * node itself.  They are told together with the result.  The owner adds those
 * that it has not tried.  One process more than needed would do no harm: what
 * was explored is asleep.
 *
 * The owner must not leave a lent node before it knows that, and what sleeps
 * there now.  It waits if there is nothing else to do.  If the other process
 * dies, the unit comes back, and the processes are tried here after all.
 *
 * Invariant:
 *   U1  a lent node is on the way to the node at hand, or is it.
 */
#include <string.h>

#include "explore/backtrack.h"
#include "util/ensure.h"

static uint32_t first_try(const struct backtrack *b, size_t at) {
  return b->nodes.at[at].tries;
}

static struct backtrack_try *try_of(struct backtrack *b, size_t at,
                                    uint32_t proc) {
  for (uint32_t n = first_try(b, at); n; n = b->tries.at[n].next)
    if (b->tries.at[n].proc == proc)
      return &b->tries.at[n];
  return NULL;
}

static struct backtrack_lent *lent_at(struct backtrack *b, size_t at) {
  for (size_t i = 0; i < b->lent.size; i++)
    if (b->lent.at[i].at == at)
      return &b->lent.at[i];
  return NULL;
}

static void forget_lent(struct backtrack *b, struct backtrack_lent *lent) {
  VEC_FREE(lent->sleepers);
  *lent = VEC_POP(b->lent);
}

bool backtrack_is_lent(const struct backtrack *b, size_t at) {
  for (size_t i = 0; i < b->lent.size; i++)
    if (b->lent.at[i].at == at)
      return true;
  return false;
}

/* ---- giving ------------------------------------------------------------- */

typedef VEC(uint32_t) processes;

/* The processes in the backtrack set, the oldest first. */
static void find_tried(const struct backtrack *b, size_t at, processes *list) {
  list->size = 0;
  for (uint32_t n = first_try(b, at); n; n = b->tries.at[n].next)
    VEC_PUSH(*list, b->tries.at[n].proc);
  for (size_t i = 0; i < list->size / 2; i++) {
    uint32_t proc = list->at[i];
    list->at[i] = list->at[list->size - 1 - i];
    list->at[list->size - 1 - i] = proc;
  }
}

static void find_left(const struct backtrack *b, size_t at, processes *list) {
  const struct backtrack_node *node = &b->nodes.at[at];
  list->size = 0;
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    if (!b->tries.at[n].begun &&
        !sleep_contains(&b->sleep, &node->sleep, b->tries.at[n].proc))
      VEC_PUSH(*list, b->tries.at[n].proc);
}

/* The sleep set of the node when the branch at hand is done. */
static void write_sleepers(const struct backtrack *b, size_t at,
                           struct packed *p) {
  const struct trace *t = &b->x->trace;
  struct sleep current = {0};
  struct sleep_node node;
  sleep_root(&current, &node);
  sleep_add(&current, &node, t, &t->events.at[at]);
  sleep_write(&b->sleep, &b->nodes.at[at].sleep, 0, p);
  sleep_write(&current, &node, 0, p);
  sleep_free(&current);
}

static void write_unit(const struct backtrack *b, size_t at, processes *left,
                       struct packed *p) {
  VEC(struct move) moves = {0};
  processes tried = {0};
  for (size_t i = 0; i < at; i++) {
    const struct event *e = &b->x->trace.events.at[i];
    VEC_PUSH(moves, (struct move){e->proc, e->choice});
  }
  size_t item = packed_open(p);
  PACKED_VEC(p, moves);
  PACKED_VEC(p, *left);
  for (size_t i = 0; i <= at; i++) {
    find_tried(b, i, &tried);
    PACKED_VEC(p, tried);
  }
  write_sleepers(b, at, p);
  packed_close(p, item);
  VEC_FREE(moves);
  VEC_FREE(tried);
}

/* All alternatives of a step come before the next process. */
static bool may_lend(const struct backtrack *b, size_t at) {
  const struct event *e = &b->x->trace.events.at[at];
  return b->nodes.at[at].choice + 1 >= e->choices && !backtrack_is_lent(b, at);
}

static bool lend(struct backtrack *b, size_t at, struct packed *p) {
  processes left = {0};
  find_left(b, at, &left);
  bool some = left.size;
  if (some) {
    write_unit(b, at, &left, p);
    VEC_PUSH(b->lent, (struct backtrack_lent){.at = at});
  }
  for (size_t i = 0; i < left.size; i++)
    try_of(b, at, left.at[i])->begun = true;
  VEC_FREE(left);
  return some;
}

/* The shallowest node has most below it.  All that is left is only asked for
 * when the search is over. */
bool backtrack_give(void *state, struct text *to, enum give how) {
  struct backtrack *b = state;
  struct packed p = packed_writer(to);
  if (how == GIVE_ALL)
    return true;
  if (explorer_is_bounded(b->x) || b->begins)
    return false;
  for (size_t at = b->prefix.size; at + 1 < b->nodes.size; at++)
    if (may_lend(b, at) && lend(b, at, &p))
      return true;
  return false;
}

/* ---- taking ------------------------------------------------------------- */

static bool is_unused(const struct backtrack *b) {
  return b->nodes.size == 1 && !first_try(b, 0);
}

static void add_tried(struct backtrack *b, size_t at, const processes *list) {
  for (size_t i = 0; i < list->size; i++) {
    uint32_t n = backtrack_try_new(b, &b->nodes.at[at], list->at[i]);
    b->tries.at[n].begun = true;
  }
}

/* The nodes of the prefix, which is taken again before anything else. */
static void begin_part(struct backtrack *b, struct packed *p) {
  processes left = {0}, tried = {0};
  PACKED_VEC(p, b->prefix);
  PACKED_VEC(p, left);
  while (b->nodes.size <= b->prefix.size)
    VEC_PUSH(b->nodes, (struct backtrack_node){.possible = UINT64_MAX});
  for (size_t at = 0; at <= b->prefix.size && !p->bad; at++) {
    PACKED_VEC(p, tried);
    add_tried(b, at, &tried);
  }
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  sleep_read(&b->sleep, &node->sleep, p);
  sleep_read(&b->sleep, &node->sleep, p);
  node->sleep.inherited = node->sleep.done;
  node->sleep.done.start = node->sleep.done.end;
  b->sleepers = node->sleep.inherited.end - node->sleep.inherited.start;
  for (size_t i = left.size; i-- > 0;) {
    struct backtrack_try *try = try_of(b, b->prefix.size, left.at[i]);
    p->bad |= !try;
    if (try)
      try->begun = false;
  }
  b->is_part = b->begins = true;
  VEC_FREE(left);
  VEC_FREE(tried);
}

/* The process that was to explore it is gone. */
static void take_back(struct backtrack *b, struct packed *p) {
  VEC(struct move) moves = {0};
  processes left = {0};
  PACKED_VEC(p, moves);
  PACKED_VEC(p, left);
  struct backtrack_lent *lent = lent_at(b, moves.size);
  ensure(lent); /* U1 */
  for (size_t i = 0; i < left.size; i++)
    try_of(b, moves.size, left.at[i])->begun = false;
  forget_lent(b, lent);
  VEC_FREE(moves);
  VEC_FREE(left);
}

bool backtrack_take(void *state, const char *unit, size_t size) {
  struct backtrack *b = state;
  struct packed p = packed_reader(unit, size);
  while (!p.bad && p.at < p.end) {
    const char *at = NULL;
    size_t length = 0;
    packed_part(&p, &at, &length);
    struct packed item = packed_reader(at, length);
    if (is_unused(b))
      begin_part(b, &item);
    else
      take_back(b, &item);
    p.bad |= item.bad;
  }
  return !p.bad;
}

/* The nodes of the prefix are at hand, and so is what sleeps: the branch that
 * the other process explores does not. */
void backtrack_part(struct backtrack *b, const char *unit, size_t size) {
  struct packed p = packed_reader(unit, size), item;
  processes left = {0};
  const char *at = NULL;
  size_t length = 0;
  packed_part(&p, &at, &length);
  item = packed_reader(at, length);
  PACKED_VEC(&item, b->prefix);
  PACKED_VEC(&item, left);
  ensure(!item.bad && b->prefix.size + 1 < b->nodes.size);
  while (b->lent.size)
    forget_lent(b, &VEC_TOP(b->lent));
  while (b->nodes.size > b->prefix.size + 1)
    backtrack_pop_node(b);
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  const struct sleep_node *sleep = &node->sleep;
  sleep_return(&b->sleep, sleep);
  b->sleepers = sleep->inherited.end - sleep->inherited.start +
                sleep->done.end - sleep->done.start;
  for (size_t i = 0; i < left.size; i++)
    try_of(b, b->prefix.size, left.at[i])->begun = false;
  b->is_part = b->begins = true;
  b->waits = false;
  VEC_FREE(left);
}

size_t backtrack_begin_part(struct backtrack *b) {
  const struct trace *t = &b->x->trace;
  size_t i = 0;
  while (i < b->prefix.size && i < trace_length(t) &&
         t->events.at[i].proc == b->prefix.at[i].proc &&
         t->events.at[i].choice == b->prefix.at[i].choice)
    i++;
  b->begins = false;
  return i;
}

/* ---- what a part asks for ----------------------------------------------- */

static void write_asked(const struct backtrack *b, size_t at,
                        struct packed *p) {
  const struct backtrack_node *node = &b->nodes.at[at];
  uint64_t wanted = node->wanted;
  bool all = node->covered.try_all;
  processes asked = {0};
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    if (b->tries.at[n].asked)
      VEC_PUSH(asked, b->tries.at[n].proc);
  PACKED_VEC(p, asked);
  PACKED(p, wanted);
  PACKED(p, all);
  VEC_FREE(asked);
}

/* The oldest first, as they were added. */
static void read_asked(struct backtrack *b, size_t at, struct packed *p) {
  struct backtrack_node *node = &b->nodes.at[at];
  uint64_t wanted = 0;
  bool all = false;
  processes asked = {0};
  PACKED_VEC(p, asked);
  PACKED(p, wanted);
  PACKED(p, all);
  for (size_t i = asked.size; i-- > 0;)
    if (!try_of(b, at, asked.at[i]))
      backtrack_try_new(b, node, asked.at[i]);
  backtrack_want(b, (uint32_t)at, wanted);
  node->covered.try_all |= all;
  VEC_FREE(asked);
}

static void write_told(const struct backtrack *b, struct packed *p) {
  size_t end = b->prefix.size;
  const struct backtrack_node *node = &b->nodes.at[end];
  PACKED(p, end);
  for (size_t at = 0; at <= end; at++)
    write_asked(b, at, p);
  sleep_write(&b->sleep, &node->sleep, b->sleepers, p);
  if (b->told)
    b->told(b->context, p);
}

void backtrack_seen(void *state, struct packed *p) {
  struct backtrack *b = state;
  size_t end = 0;
  if (p->to) {
    if (b->is_part)
      write_told(b, p);
    return;
  }
  PACKED(p, end);
  struct backtrack_lent *lent = lent_at(b, end);
  ensure(lent); /* U1 */
  for (size_t at = 0; at <= end; at++)
    read_asked(b, at, p);
  text_add(&lent->sleepers, p->at, (size_t)(p->end - p->at));
  lent->told = true;
}

bool backtrack_waits(const void *state) {
  const struct backtrack *b = state;
  for (size_t i = 0; b->waits && i < b->lent.size; i++)
    if (b->lent.at[i].at + 1 == b->nodes.size && !b->lent.at[i].told)
      return true;
  return false;
}

/* The last node: its other branches are done, or came back. */
void backtrack_end_lent(struct backtrack *b) {
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  struct backtrack_lent *lent = lent_at(b, b->nodes.size - 1);
  b->waits = false;
  if (!lent)
    return;
  struct packed p = packed_reader(lent->sleepers.at, lent->sleepers.size);
  sleep_read(&b->sleep, &node->sleep, &p);
  if (b->told)
    b->told(b->context, &p);
  ensure(packed_is_over(&p));
  forget_lent(b, lent);
}
