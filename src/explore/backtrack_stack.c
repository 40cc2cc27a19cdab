/* The open nodes of a search with backtrack sets as text: what is left of it.
 *
 * A stack begins at some node.  For each node it has what belongs to it alone:
 * its backtrack set, the branches that are done and sleep, what was given away
 * of it and came back; and the step of the branch at hand.  What a node
 * inherits is found again when the steps are taken again, one after another.
 *
 * In the end the search is where it was: inside an execution, behind one that
 * has ended, or at a node before its next branch is chosen.  A step
 * that is taken again has no race that is not planned yet, so it counts for
 * nothing.
 *
 * Invariant:
 *   K1  a node that is read is the last one.
 */
#include <string.h>

#include "explore/backtrack.h"
#include "util/ensure.h"

enum {
  END_PICK,  /* the execution goes on, with the branch of `last` if any */
  END_ENDED, /* the execution has ended */
  END_NEXT,  /* the last node has no branch under way */
};

enum { IS_BEGUN = 1, IS_LATE = 2 };

struct written_try {
  uint32_t proc;
  uint32_t flags;
};

typedef VEC(struct written_try) written_tries;

static const struct move no_move = {NOWHERE, 0};

/* ---- writing -------------------------------------------------------------
 */

/* The oldest first.  What a part asks for is told, not written. */
static void find_written(const struct backtrack *b,
                         const struct backtrack_node *node,
                         written_tries *list) {
  list->size = 0;
  for (uint32_t n = node->tries; n; n = b->tries.at[n].next) {
    const struct backtrack_try *try = &b->tries.at[n];
    uint32_t flags = (try->begun ? IS_BEGUN : 0) | (try->late ? IS_LATE : 0);
    if (!try->asked && !try->elsewhere)
      VEC_PUSH(*list, (struct written_try){try->proc, flags});
  }
  for (size_t i = 0; i < list->size / 2; i++) {
    struct written_try try = list->at[i];
    list->at[i] = list->at[list->size - 1 - i];
    list->at[list->size - 1 - i] = try;
  }
}

static void write_tries(struct packed *p, written_tries *tries, uint64_t wanted,
                        bool all) {
  PACKED_VEC(p, *tries);
  PACKED(p, wanted);
  PACKED(p, all);
}

static void pack_text(struct packed *p, struct text *t) {
  PACKED_VEC(p, *t);
}

/* What other processes have keeps its number. */
static void pack_lent(struct packed *p, struct backtrack_lent *lent) {
  uint32_t id = lent->told || lent->rest.size ? 0 : lent->id;
  PACKED(p, id);
  PACKED(p, lent->is_first);
  lent->id = id;
  PACKED(p, lent->told);
  PACKED_VEC(p, lent->processes);
  pack_text(p, &lent->sleepers);
  pack_text(p, &lent->rest);
}

static void write_lent(struct backtrack *b, size_t at, struct packed *p) {
  uint32_t count = 0;
  for (size_t i = 0; i < b->lent.size; i++)
    count += b->lent.at[i].at == at;
  PACKED(p, count);
  for (size_t i = 0; i < b->lent.size; i++)
    if (b->lent.at[i].at == at)
      pack_lent(p, &b->lent.at[i]);
}

static void write_node(struct backtrack *b, size_t at, struct packed *p) {
  const struct backtrack_node *node = &b->nodes.at[at];
  const struct sleep_range *inherited = &node->sleep.inherited;
  bool is_first = b->is_part && at == b->prefix.size;
  uint32_t from = is_first ? b->sleepers : inherited->end - inherited->start;
  written_tries tries = {0};
  find_written(b, node, &tries);
  write_tries(p, &tries, is_first ? 0 : node->wanted,
              !is_first && node->covered.try_all);
  sleep_write(&b->sleep, &node->sleep, from, p);
  write_lent(b, at, p);
  size_t more = packed_open(p);
  if (b->write_node)
    b->write_node(b->context, at, p);
  packed_close(p, more);
  VEC_FREE(tries);
}

static uint32_t end_at_hand(const struct backtrack *b) {
  if (b->next || b->waits)
    return END_NEXT;
  return b->ended || b->drops ? END_ENDED : END_PICK;
}

static struct move move_at_hand(const struct backtrack *b) {
  const struct backtrack_node *node = &VEC_TOP(b->nodes);
  return node->current
             ? (struct move){b->tries.at[node->current].proc, node->choice}
             : no_move;
}

static void write_head(struct packed *p, uint32_t end, uint32_t nodes,
                       struct move last) {
  PACKED(p, end);
  PACKED(p, nodes);
  PACKED(p, last);
}

/* What is not at hand yet is as it was. */
static void write_left(const struct backtrack *b, struct packed *p) {
  const struct backtrack_stack *s = &b->stack;
  struct move move = s->move;
  PACKED(p, move);
  text_add(p->to, s->text.at + s->at, s->text.size - s->at);
}

static void write_event(const struct backtrack *b, size_t at,
                        struct packed *p) {
  const struct event *e = &b->x->trace.events.at[at];
  struct move move = {e->proc, e->choice};
  PACKED(p, move);
}

static void write_nodes(struct backtrack *b, size_t from, struct packed *p) {
  for (size_t i = from; i < b->nodes.size; i++) {
    write_node(b, i, p);
    if (i + 1 < b->nodes.size)
      write_event(b, i, p);
  }
}

void backtrack_write_stack(struct backtrack *b, size_t from, struct packed *p) {
  const struct backtrack_stack *s = &b->stack;
  if (backtrack_has_stack(b)) {
    text_add(p->to, s->text.at, s->text.size);
    return;
  }
  write_head(p, s->left ? s->end : end_at_hand(b),
             (uint32_t)(b->nodes.size - from) + s->left,
             s->left ? s->last : move_at_hand(b));
  write_nodes(b, from, p);
  if (s->left)
    write_left(b, p);
}

/* A node that has nothing but these branches. */
static void write_bare(const backtrack_processes *list, uint32_t flags,
                       struct packed *p) {
  written_tries tries = {0};
  uint32_t none = 0;
  uint64_t nothing = 0;
  for (size_t i = 0; i < list->size; i++)
    VEC_PUSH(tries, (struct written_try){list->at[i], flags});
  write_tries(p, &tries, 0, false);
  PACKED(p, none);    /* sleepers */
  PACKED(p, none);    /* lent */
  PACKED(p, nothing); /* more */
  VEC_FREE(tries);
}

void backtrack_write_branches(const backtrack_processes *list,
                              struct packed *p) {
  write_head(p, END_NEXT, 1, no_move);
  write_bare(list, 0, p);
}

void backtrack_write_branch(struct backtrack *b, size_t at, struct packed *p) {
  backtrack_processes branch = {0};
  VEC_PUSH(branch, b->x->trace.events.at[at].proc);
  write_head(p, end_at_hand(b), (uint32_t)(b->nodes.size - at),
             move_at_hand(b));
  write_bare(&branch, IS_BEGUN, p);
  write_event(b, at, p);
  write_nodes(b, at + 1, p);
  VEC_FREE(branch);
}

/* ---- reading -------------------------------------------------------------
 */

static void read_try(struct backtrack *b, const struct written_try *from) {
  size_t at = b->nodes.size - 1;
  struct backtrack_try *try = backtrack_try_of(b, at, from->proc);
  bool is_new = !try;
  if (is_new) {
    uint32_t n = backtrack_try_new(b, &b->nodes.at[at], from->proc);
    try = &b->tries.at[n];
  }
  if (is_new || !(from->flags & IS_BEGUN)) {
    try->begun = from->flags & IS_BEGUN;
    try->late = from->flags & IS_LATE;
    try->asked = false;
  }
}

static void read_lent(struct backtrack *b, struct packed *p) {
  uint32_t count = 0;
  PACKED(p, count);
  for (uint32_t i = 0; i < count && !p->bad; i++) {
    struct backtrack_lent lent = {.at = b->nodes.size - 1};
    pack_lent(p, &lent);
    backtrack_push_lent(b, lent);
    if (b->ids < lent.id)
      b->ids = lent.id;
  }
}

static void read_node(struct backtrack *b, struct packed *p) {
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  written_tries tries = {0};
  uint64_t wanted = 0;
  bool all = false;
  const char *at = NULL;
  size_t size = 0;
  PACKED_VEC(p, tries);
  PACKED(p, wanted);
  PACKED(p, all);
  for (size_t i = 0; i < tries.size; i++)
    read_try(b, &tries.at[i]);
  backtrack_want(b, (uint32_t)b->nodes.size - 1, wanted);
  node->covered.try_all |= all;
  sleep_read(&b->sleep, &node->sleep, p);
  read_lent(b, p);
  packed_part(p, &at, &size);
  struct packed more = packed_reader(at, size);
  if (size && !p->bad && b->read_node)
    b->read_node(b->context, &more);
  p->bad |= more.bad;
  VEC_FREE(tries);
}

/* The branch of the last node that is under way. */
static void begin_branch(struct backtrack *b, struct move move) {
  struct backtrack_node *node = &VEC_TOP(b->nodes);
  uint32_t n = node->tries;
  while (n && b->tries.at[n].proc != move.proc)
    n = b->tries.at[n].next;
  node->current = n;
  node->choice = move.choice;
}

/* The last node of the stack is at hand. */
static void end_stack(struct backtrack *b) {
  uint32_t end = b->stack.end;
  struct move last = b->stack.last;
  VEC_FREE(b->stack.text);
  b->stack = (struct backtrack_stack){.at = 0};
  b->was_taken = true;
  b->drops = end != END_PICK;
  b->next = end == END_NEXT;
  backtrack_take_early(b);
  if (end == END_PICK && last.proc != NOWHERE)
    begin_branch(b, last);
}

/* Reads the last node, and the step to the next one. */
static bool read_more(struct backtrack *b) {
  struct backtrack_stack *s = &b->stack;
  struct packed p = packed_reader(s->text.at + s->at, s->text.size - s->at);
  read_node(b, &p);
  if (s->left) {
    PACKED(&p, s->move);
    begin_branch(b, s->move);
    if (VEC_TOP(b->nodes).current)
      b->tries.at[VEC_TOP(b->nodes).current].begun = true;
    else
      p.bad = true;
  }
  s->at = s->text.size - (size_t)(p.end - p.at);
  return !p.bad;
}

void backtrack_put_stack(struct backtrack *b, const char *at, size_t size) {
  ensure(!b->stack.text.size);
  text_add(&b->stack.text, at, size);
}

bool backtrack_has_stack(const struct backtrack *b) {
  return b->stack.text.size && !b->stack.at;
}

bool backtrack_take_stack(struct backtrack *b) {
  struct backtrack_stack *s = &b->stack;
  struct packed p = packed_reader(s->text.at, s->text.size);
  uint32_t nodes = 0;
  PACKED(&p, s->end);
  PACKED(&p, nodes);
  PACKED(&p, s->last);
  s->left = nodes - 1;
  s->at = s->text.size - (size_t)(p.end - p.at);
  ensure(!p.bad && nodes && read_more(b));
  if (s->left)
    return true;
  end_stack(b);
  if (!b->next)
    return true;
  b->next = b->drops = false;
  return false;
}

void backtrack_stack_stepped(struct backtrack *b) {
  b->stack.left--;
  ensure(read_more(b));
  if (!b->stack.left)
    end_stack(b);
}
