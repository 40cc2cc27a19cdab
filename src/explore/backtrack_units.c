/* Parts of a search with backtrack sets that other processes explore.
 *
 * What is below a node depends on its prefix and its sleep set.  So processes
 * that are still to be tried at a node can be tried elsewhere while others are
 * tried here.  All that the node is to try has an order: the branch at hand,
 * what this process keeps, what was given away, the newest first.  In a branch,
 * those before it are asleep, because they will be explored.  What they touch
 * is found by taking a step (`elsewhere`).  Such a node is *lent*, and the
 * *part* is a unit.
 *
 * Events of a part may race with events of its prefix.  The part has the nodes
 * of its prefix, as they were, with their backtrack sets.  A process that must
 * be added to one of these is only noted (`asked`), and so is one at the lent
 * node itself.  They are told together with the result.  The owner adds those
 * that it has not tried.  One process more than needed would do no harm: what
 * was explored is asleep.  At a lent node it comes after all that was given
 * away (`late`).
 *
 * The owner must not leave a lent node before it knows all that, and what
 * sleeps there now.  It waits if there is nothing else to do.  What is left of
 * a part may come back as a stack (backtrack_stack.c): all of it, if the other
 * process has died.  It is taken up in its place, or given away once more.
 *
 * Invariant:
 *   U1  a lent node is on the way to the node at hand, or is it.
 */
#include <string.h>

#include "explore/backtrack.h"
#include "util/ensure.h"

struct backtrack_try *backtrack_try_of(struct backtrack *b, size_t at,
                                       uint32_t proc) {
  for (uint32_t n = b->nodes.at[at].tries; n; n = b->tries.at[n].next)
    if (b->tries.at[n].proc == proc)
      return &b->tries.at[n];
  return NULL;
}

/* ---- lent nodes ---------------------------------------------------------- */

static struct backtrack_lent *lent_of(struct backtrack *b, uint32_t id) {
  for (size_t i = 0; id && i < b->lent.size; i++)
    if (b->lent.at[i].id == id)
      return &b->lent.at[i];
  return NULL;
}

/* The newest of those at this node. */
static struct backtrack_lent *lent_at(const struct backtrack *b, size_t at) {
  for (size_t i = b->lent.size; i-- > 0;)
    if (b->lent.at[i].at == at)
      return &b->lent.at[i];
  return NULL;
}

bool backtrack_is_ready(const void *state) {
  const struct backtrack *b = state;
  return !b->begins && !b->stack.text.size;
}

void backtrack_push_lent(struct backtrack *b, struct backtrack_lent lent) {
  VEC_PUSH(b->lent, lent);
  if (b->lent_end <= lent.at)
    b->lent_end = lent.at + 1;
}

void backtrack_forget_lent(struct backtrack *b, struct backtrack_lent *lent) {
  size_t i = (size_t)(lent - b->lent.at);
  VEC_FREE(lent->processes);
  VEC_FREE(lent->sleepers);
  VEC_FREE(lent->rest);
  for (; i + 1 < b->lent.size; i++)
    b->lent.at[i] = b->lent.at[i + 1];
  b->lent.size--;
  b->lent_end = 0;
  for (i = 0; i < b->lent.size; i++)
    if (b->lent_end <= b->lent.at[i].at)
      b->lent_end = b->lent.at[i].at + 1;
}

bool backtrack_is_lent(const struct backtrack *b, size_t at) {
  return at < b->lent_end && lent_at(b, at);
}

/* Does another process have it? */
static bool is_out(const struct backtrack_lent *lent) {
  return !lent->told && !lent->rest.size;
}

bool backtrack_waits(const void *state) {
  const struct backtrack *b = state;
  return b->waits && is_out(lent_at(b, b->nodes.size - 1));
}

static void end_late(struct backtrack *b, struct backtrack_node *node) {
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    b->tries.at[n].late = false;
}

/* The newest come first: the older ones sleep there. */
void backtrack_end_lent(struct backtrack *b) {
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  struct backtrack_lent *lent = lent_at(b, b->nodes.size - 1);
  b->waits = false;
  if (lent->rest.size) {
    backtrack_put_stack(b, lent->rest.at, lent->rest.size);
  } else {
    struct packed p = packed_reader(lent->sleepers.at, lent->sleepers.size);
    sleep_read(&b->sleep, &node->sleep, &p);
    if (b->told)
      b->told(b->context, &p);
    ensure(packed_is_over(&p));
  }
  backtrack_forget_lent(b, lent);
  if (!backtrack_is_lent(b, b->nodes.size - 1))
    end_late(b, node);
}

/* ---- giving ------------------------------------------------------------- */

/* The processes in the backtrack set, the oldest first. */
static void find_tried(const struct backtrack *b, size_t at,
                       backtrack_processes *list) {
  list->size = 0;
  for (uint32_t n = b->nodes.at[at].tries; n; n = b->tries.at[n].next)
    VEC_PUSH(*list, b->tries.at[n].proc);
  for (size_t i = 0; i < list->size / 2; i++) {
    uint32_t proc = list->at[i];
    list->at[i] = list->at[list->size - 1 - i];
    list->at[list->size - 1 - i] = proc;
  }
}

static bool is_left(const struct backtrack *b, size_t at,
                    const struct backtrack_try *try) {
  return !try->begun && !try->late &&
         !sleep_contains(&b->sleep, &b->nodes.at[at].sleep, try->proc);
}

/* The later half of what this process still has to try at the node. */
static void find_half(const struct backtrack *b, size_t at,
                      backtrack_processes *list) {
  size_t kept;
  list->size = 0;
  for (uint32_t n = b->nodes.at[at].tries; n; n = b->tries.at[n].next)
    if (is_left(b, at, &b->tries.at[n]))
      VEC_PUSH(*list, b->tries.at[n].proc);
  kept = list->size / 2;
  for (size_t i = kept; i < list->size; i++)
    list->at[i - kept] = list->at[i];
  list->size -= kept;
}

static bool contains(const backtrack_processes *list, uint32_t proc) {
  for (size_t i = 0; i < list->size; i++)
    if (list->at[i] == proc)
      return true;
  return false;
}

/* What comes before these branches of the node, but is not asleep there yet,
 * without the branch at hand. */
static void find_elsewhere(const struct backtrack *b,
                           const struct backtrack_lent *given,
                           backtrack_processes *list) {
  size_t at = given->at;
  list->size = 0;
  if (given->is_first)
    return;
  for (uint32_t n = b->nodes.at[at].tries; n; n = b->tries.at[n].next)
    if (is_left(b, at, &b->tries.at[n]) &&
        !contains(&given->processes, b->tries.at[n].proc))
      VEC_PUSH(*list, b->tries.at[n].proc);
  for (const struct backtrack_lent *l = given + 1;
       l < b->lent.at + b->lent.size; l++)
    for (size_t i = 0; l->at == at && i < l->processes.size; i++)
      if (!contains(list, l->processes.at[i]))
        VEC_PUSH(*list, l->processes.at[i]);
}

/* The sleep set of the node when the branch at hand, if any, is done. */
static void write_sleepers(const struct backtrack *b,
                           const struct backtrack_lent *given,
                           struct packed *p) {
  const struct trace *t = &b->x->trace;
  struct sleep current = {0};
  struct sleep_node node;
  size_t at = given->at;
  sleep_root(&current, &node);
  if (at + 1 < b->nodes.size && !given->is_first)
    sleep_add(&current, &node, t, &t->events.at[at]);
  sleep_write(&b->sleep, &b->nodes.at[at].sleep, 0, p);
  sleep_write(&current, &node, 0, p);
  sleep_free(&current);
}

/* The way to the node and what is known of the nodes on it. */
static void write_way(const struct backtrack *b,
                      const struct backtrack_lent *given, struct packed *p) {
  VEC(struct move) moves = {0};
  backtrack_processes list = {0};
  for (size_t i = 0; i < given->at; i++) {
    const struct event *e = &b->x->trace.events.at[i];
    VEC_PUSH(moves, (struct move){e->proc, e->choice});
  }
  PACKED_VEC(p, moves);
  for (size_t i = 0; i <= given->at; i++) {
    find_tried(b, i, &list);
    PACKED_VEC(p, list);
  }
  find_elsewhere(b, given, &list);
  PACKED_VEC(p, list);
  write_sleepers(b, given, p);
  VEC_FREE(moves);
  VEC_FREE(list);
}

/* A unit: its number, the way to its first node, a stack. */
static void write_unit(struct backtrack *b, struct backtrack_lent *given,
                       struct packed *p) {
  size_t item = packed_open(p), part;
  given->id = ++b->ids;
  PACKED(p, given->id);
  part = packed_open(p);
  write_way(b, given, p);
  packed_close(p, part);
  part = packed_open(p);
  if (given->rest.size)
    text_add(p->to, given->rest.at, given->rest.size);
  else
    backtrack_write_branches(&given->processes, p);
  packed_close(p, part);
  packed_close(p, item);
  VEC_FREE(given->rest);
}

static bool give_rest(struct backtrack *b, size_t at, struct packed *p) {
  for (size_t i = b->lent.size; i-- > 0;)
    if (b->lent.at[i].at == at && b->lent.at[i].rest.size) {
      write_unit(b, &b->lent.at[i], p);
      return true;
    }
  return false;
}

/* Branches of the node that come after what is kept, but before what was given
 * away. */
static struct backtrack_lent *add_lent(struct backtrack *b, size_t at,
                                       const backtrack_processes *list) {
  struct backtrack_lent lent = {.at = at}, *before = lent_at(b, at);
  for (size_t i = 0; i < list->size; i++)
    VEC_PUSH(lent.processes, list->at[i]);
  if (!before || !before->is_first) {
    backtrack_push_lent(b, lent);
    return &VEC_TOP(b->lent);
  }
  size_t i = (size_t)(before - b->lent.at);
  struct backtrack_lent first = *before;
  b->lent.at[i] = lent;
  backtrack_push_lent(b, first);
  return &b->lent.at[i];
}

static bool lend(struct backtrack *b, size_t at, struct packed *p) {
  backtrack_processes half = {0};
  find_half(b, at, &half);
  bool some = half.size;
  if (some)
    write_unit(b, add_lent(b, at, &half), p);
  for (size_t i = 0; i < half.size; i++)
    backtrack_try_of(b, at, half.at[i])->begun = true;
  VEC_FREE(half);
  return some;
}

/* All alternatives of a step come before the next process. */
static bool may_lend(const struct backtrack *b, size_t at) {
  bool last = at + 1 == b->nodes.size ||
              b->nodes.at[at].choice + 1 >= b->x->trace.events.at[at].choices;
  return last && (!b->may_lend || b->may_lend(b->context, at));
}

static bool may_give(const struct backtrack *b) {
  return !explorer_is_bounded(b->x) && backtrack_is_ready(b);
}

/* The shallowest node has most below it.  A fork needs a node below it. */
static bool give_half(struct backtrack *b, struct packed *p) {
  size_t end = b->leave ? b->nodes.size - 1 : b->nodes.size;
  for (size_t at = b->prefix.size; at < end && may_give(b); at++)
    if (may_lend(b, at) && (give_rest(b, at, p) || lend(b, at, p)))
      return true;
  return false;
}

/* The shallowest node that has more than the branch at hand, or the first; but
 * nothing below it may be with other processes. */
static size_t find_fork(const struct backtrack *b) {
  backtrack_processes half = {0};
  size_t least = b->prefix.size, at;
  for (size_t i = 0; i < b->lent.size; i++)
    if (is_out(&b->lent.at[i]) && b->lent.at[i].at > least)
      least = b->lent.at[i].at;
  for (at = least; at + 1 < b->nodes.size; at++) {
    find_half(b, at, &half);
    if (half.size || backtrack_is_lent(b, at))
      break;
  }
  VEC_FREE(half);
  return at + 1 < b->nodes.size ? at : least;
}

/* The branch at hand comes before all others of its node. */
static bool give_branch(struct backtrack *b, struct packed *p) {
  size_t at = find_fork(b);
  backtrack_processes branch = {0};
  if (!may_give(b) || b->next || b->waits || at + 1 >= b->nodes.size)
    return false;
  VEC_PUSH(branch, b->x->trace.events.at[at].proc);
  struct backtrack_lent *lent = add_lent(b, at, &branch);
  struct packed rest = packed_writer(&lent->rest);
  lent->is_first = true;
  backtrack_write_branch(b, at, &rest);
  write_unit(b, lent, p);
  while (b->nodes.size > at + 1)
    backtrack_pop_node(b);
  sleep_return(&b->sleep, &VEC_TOP(b->nodes).sleep);
  VEC_TOP(b->nodes).current = 0;
  b->ended = false;
  b->next = true;
  VEC_FREE(branch);
  return true;
}

/* What is left of the part, or of the search. */
static void write_all(struct backtrack *b, struct packed *p) {
  size_t item = packed_open(p), part;
  uint64_t no_way = 0;
  PACKED(p, b->id);
  PACKED(p, no_way);
  part = packed_open(p);
  backtrack_write_stack(b, b->prefix.size, p);
  packed_close(p, part);
  packed_close(p, item);
}

bool backtrack_give(void *state, struct text *to, enum give how) {
  struct backtrack *b = state;
  struct packed p = packed_writer(to);
  if (how != GIVE_ALL)
    return how == GIVE_HALF ? give_half(b, &p) : give_branch(b, &p);
  if (!b->over)
    write_all(b, &p);
  return true;
}

/* ---- taking ------------------------------------------------------------- */

static void add_tried(struct backtrack *b, size_t at,
                      const backtrack_processes *list) {
  for (size_t i = 0; i < list->size; i++) {
    uint32_t n = backtrack_try_new(b, &b->nodes.at[at], list->at[i]);
    b->tries.at[n].begun = true;
  }
}

static void set_elsewhere(struct backtrack *b, backtrack_processes *list,
                          struct packed *p) {
  PACKED_VEC(p, *list);
  for (size_t i = 0; i < list->size; i++) {
    struct backtrack_try *try =
        backtrack_try_of(b, b->prefix.size, list->at[i]);
    p->bad |= !try;
    if (try) {
      try->begun = false;
      try->elsewhere = true;
    }
  }
}

/* The nodes of the prefix, which is taken again before anything else. */
static void read_way(struct backtrack *b, struct packed *p) {
  backtrack_processes list = {0};
  PACKED_VEC(p, b->prefix);
  while (b->nodes.size <= b->prefix.size)
    VEC_PUSH(b->nodes, (struct backtrack_node){.possible = UINT64_MAX});
  for (size_t at = 0; at <= b->prefix.size && !p->bad; at++) {
    PACKED_VEC(p, list);
    add_tried(b, at, &list);
  }
  set_elsewhere(b, &list, p);
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  sleep_read(&b->sleep, &node->sleep, p);
  sleep_read(&b->sleep, &node->sleep, p);
  b->sleepers = node->sleep.done.end - node->sleep.done.start;
  b->is_part = true;
  VEC_FREE(list);
}

/* Of a unit. */
struct backtrack_unit {
  uint32_t id;
  struct packed way; /* empty: it is all of a search, or what came back */
  const char *stack;
  size_t size;
};

static struct backtrack_unit read_unit(struct packed *p) {
  struct backtrack_unit u = {0};
  const char *at = NULL;
  size_t size = 0;
  packed_part(p, &at, &size);
  struct packed item = packed_reader(at, size);
  PACKED(&item, u.id);
  packed_part(&item, &at, &size);
  u.way = packed_reader(at, size);
  packed_part(&item, &u.stack, &u.size);
  p->bad |= !packed_is_over(&item) || !u.size;
  return u;
}

static bool is_unused(const struct backtrack *b) {
  return b->nodes.size == 1 && !b->nodes.at[0].tries && !b->stack.text.size;
}

static void begin(struct backtrack *b, struct backtrack_unit *u) {
  b->id = u->id;
  if (u->way.at < u->way.end)
    read_way(b, &u->way);
  backtrack_put_stack(b, u->stack, u->size);
  b->begins = true;
}

/* It is to be done here after all, or given away once more. */
static void take_back(struct backtrack *b, const struct backtrack_unit *u) {
  struct backtrack_lent *lent = lent_of(b, u->id);
  ensure(lent); /* U1 */
  lent->told = false;
  lent->sleepers.size = lent->rest.size = 0;
  text_add(&lent->rest, u->stack, u->size);
}

/* The unit to begin with: the one that no other process has given, or the only
 * one. */
static struct backtrack_unit first_unit(const char *at, size_t size) {
  struct packed p = packed_reader(at, size);
  struct backtrack_unit u = {.id = 1};
  while (!p.bad && p.at < p.end && u.id)
    u = read_unit(&p);
  return u;
}

/* What comes back, or is told, before all that was taken is at hand. */
static void keep_early(struct backtrack *b, bool is_told, const char *at,
                       size_t size) {
  struct packed p = packed_writer(&b->told_early);
  PACKED(&p, is_told);
  packed_part(&p, &at, &size);
}

static void take_later(struct backtrack *b, const char *unit, size_t size) {
  struct packed p = packed_reader(unit, size);
  struct backtrack_unit u = read_unit(&p);
  if (!p.bad && backtrack_is_ready(b))
    take_back(b, &u);
  else
    keep_early(b, false, unit, size);
}

bool backtrack_take(void *state, const char *unit, size_t size) {
  struct backtrack *b = state;
  struct packed p = packed_reader(unit, size);
  const char *begun = NULL;
  if (is_unused(b) && size) {
    struct backtrack_unit u = first_unit(unit, size);
    begun = u.stack;
    if (begun)
      begin(b, &u);
    p.bad |= !begun || u.way.bad;
  }
  while (!p.bad && p.at < p.end) {
    const char *at = p.at;
    struct backtrack_unit u = read_unit(&p);
    if (!p.bad && u.stack != begun)
      take_later(b, at, (size_t)(p.at - at));
  }
  return !p.bad;
}

void backtrack_take_early(struct backtrack *b) {
  struct text early = b->told_early;
  struct packed p = packed_reader(early.at, early.size);
  b->told_early = (struct text){0};
  while (p.at < p.end) {
    bool is_told = false;
    const char *at = NULL;
    size_t size = 0;
    PACKED(&p, is_told);
    packed_part(&p, &at, &size);
    struct packed told = packed_reader(at, size);
    ensure(!p.bad);
    if (is_told)
      backtrack_seen(b, &told);
    else
      take_later(b, at, size);
  }
  VEC_FREE(early);
}

/* The nodes of the prefix are at hand, and so is what sleeps: the branches that
 * other processes explore do not. */
void backtrack_part(struct backtrack *b, const char *unit, size_t size) {
  struct packed p = packed_reader(unit, size);
  struct backtrack_unit u = read_unit(&p);
  PACKED_VEC(&u.way, b->prefix);
  ensure(!p.bad && b->prefix.size + 1 < b->nodes.size);
  while (b->lent.size)
    backtrack_forget_lent(b, &VEC_TOP(b->lent));
  while (b->nodes.size > b->prefix.size + 1)
    backtrack_pop_node(b);
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  const struct sleep_node *sleep = &node->sleep;
  sleep_return(&b->sleep, sleep);
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next)
    b->tries.at[n].begun = true;
  b->sleepers = sleep->inherited.end - sleep->inherited.start +
                sleep->done.end - sleep->done.start;
  b->id = u.id;
  b->ids = 0;
  b->is_part = b->begins = true;
  b->waits = false;
  backtrack_put_stack(b, u.stack, u.size);
}

size_t backtrack_begin_part(struct backtrack *b) {
  const struct trace *t = &b->x->trace;
  size_t i = 0;
  while (i < b->prefix.size && i < trace_length(t) &&
         t->events.at[i].proc == b->prefix.at[i].proc &&
         t->events.at[i].choice == b->prefix.at[i].choice)
    i++;
  return i;
}

/* ---- what a part asks for ----------------------------------------------- */

static void write_asked(const struct backtrack *b, size_t at,
                        struct packed *p) {
  const struct backtrack_node *node = &b->nodes.at[at];
  uint64_t wanted = node->wanted;
  bool all = node->covered.try_all;
  backtrack_processes asked = {0};
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
  backtrack_processes asked = {0};
  PACKED_VEC(p, asked);
  PACKED(p, wanted);
  PACKED(p, all);
  for (size_t i = asked.size; i-- > 0;)
    if (!backtrack_try_of(b, at, asked.at[i]))
      backtrack_try_new(b, node, asked.at[i]);
  backtrack_want(b, (uint32_t)at, wanted);
  node->covered.try_all |= all;
  VEC_FREE(asked);
}

static void write_told(const struct backtrack *b, struct packed *p) {
  size_t end = b->prefix.size;
  const struct backtrack_node *node = &b->nodes.at[end];
  uint32_t id = b->id;
  PACKED(p, id);
  PACKED(p, end);
  for (size_t at = 0; at <= end; at++)
    write_asked(b, at, p);
  sleep_write(&b->sleep, &node->sleep, b->sleepers, p);
  if (b->told)
    b->told(b->context, p);
}

void backtrack_seen(void *state, struct packed *p) {
  struct backtrack *b = state;
  uint32_t id = 0;
  size_t end = 0;
  if (p->to) {
    if (b->is_part)
      write_told(b, p);
    return;
  }
  if (is_unused(b) || !backtrack_is_ready(b)) {
    keep_early(b, true, p->at, (size_t)(p->end - p->at));
    return;
  }
  PACKED(p, id);
  PACKED(p, end);
  struct backtrack_lent *lent = lent_of(b, id);
  ensure(lent && lent->at == end); /* U1 */
  for (size_t at = 0; at <= end; at++)
    read_asked(b, at, p);
  text_add(&lent->sleepers, p->at, (size_t)(p->end - p->at));
  lent->told = true;
}
