/* The search with backtrack sets and sleep sets.
 *
 * `source`, `cs` and `dpor` are this search.  They differ in `plan`: which
 * process a race adds to the backtrack set of its node.  In `cs` sleepers stay
 * asleep past steps that they commute with (`context_sensitive`,
 * explore/context/covered_sleep.h).  Where all enabled processes sleep, the
 * execution is cut and counted as blocked.
 *
 * What the papers do not have:
 *   - A process that waits where an execution ends, or is cut, takes part in
 *     races with its pending operation.
 *   - All alternatives of a step with a choice are tried before the next
 *     process.
 *   - If e' is an atomic block, it may touch other variables when it comes
 *     first, so the initials of v are not known.  If its process has an event
 *     before it in v, a process is tried that leads to that event; otherwise
 *     every process.  The same if e' is a compare-and-swap and e wrote a part
 *     of the tested bytes (reordered_footprint.h).
 *
 *   paper            here
 *   backtrack(E)     list from node->tries
 *   sleep(E)         node->sleep
 */
#ifndef EXPLORE_BACKTRACK_H
#define EXPLORE_BACKTRACK_H

#include "explore/context/covered_sleep.h"
#include "core/search.h"
#include "explore/dpor/sleep.h"

/* keep.  A member of a backtrack set, numbered from 1 in a pool. */
struct backtrack_try {
  uint32_t proc;
  uint32_t next;
  bool begun;
  /* See backtrack_units.c. */
  bool asked;     /* the node is another process's */
  bool late;      /* it comes after what was given away */
  bool elsewhere; /* another process explores it: here it only sleeps */
};

typedef VEC(uint32_t) backtrack_processes;

/* keep.  Branches of a node that were given away. */
struct backtrack_lent {
  size_t at;
  uint32_t id;   /* of the unit */
  bool is_first; /* nothing that is kept comes before it */
  backtrack_processes processes;
  bool told; /* they are done, and this sleeps now: */
  struct text sleepers;
  struct text rest; /* what is left of them came back: a stack */
};

/* keep.  A stack that is taken up again: see backtrack_stack.c. */
struct backtrack_stack {
  struct text text; /* empty: there is none */
  size_t at;        /* so much of it is read */
  uint32_t left;    /* nodes that are not at hand yet ... */
  struct move move; /* ... and the step to the next one */
  uint32_t end;     /* what to do at the last one */
  struct move last;
};

/* keep */
struct backtrack_node {
  uint32_t tries;
  uint32_t current; /* the try being explored */
  uint32_t choice;  /* its alternative */
  uint64_t tried;   /* its members, as far as they are of the first 64 */
  uint64_t wanted;  /* the first 64 processes, by bits: these are to be tried if
                       they are enabled */
  /* For searches that want processes: those of the first 64 that are enabled
   * and awake; all of them if that is not known. */
  uint64_t possible;
  struct covered_node covered;
  struct sleep_node sleep;
};

struct backtrack {
  struct explorer *x;
  bool context_sensitive;
  /* A race with an atomic block is reversed by trying the block's own process
   * first: see backtrack_try_block(). */
  bool tries_blocks;
  /* Optional, for the first 64 processes: a free choice takes the greatest
   * one. */
  const int32_t *rank;
  /* Where an execution ends: the processes that may be waiting, by bits, of the
   * first 64; all of them if that is not known. */
  uint64_t waiting;
  struct covered_sleep covered; /* if context_sensitive */
  /* Makes sure that v is run: adds a process that can begin v to the backtrack
   * set of its node, unless one is there. */
  void (*plan)(struct backtrack *);
  VEC(struct backtrack_node) nodes; /* one for each length of the trace */
  VEC(struct backtrack_try) tries;
  uint32_t unused; /* list of free tries */
  struct sleep sleep;
  struct reversal v;
  struct positions pending; /* scratch */
  /* Optional: the last node is about to be left for good.  False: the step that
   * led to it must not sleep in other branches. */
  bool (*leave)(void *context);
  /* Optional: may branches of the node at this length be given away? */
  bool (*may_lend)(void *context, size_t length);
  /* Optional: writes down what a part tells besides; or reads it, when the last
   * node, which was lent, is no longer. */
  void (*told)(void *context, struct packed *);
  /* Optional: what a stack has of the node of this length besides. */
  void (*write_node)(void *context, size_t length, struct packed *);
  /* ... and of the last node, which is read. */
  void (*read_node)(void *context, struct packed *);
  void *context;
  /* See backtrack_units.c. */
  VEC(struct backtrack_lent) lent; /* of one node: the newest last */
  size_t lent_end; /* no node from here on is lent; mostly there are many */
  uint32_t ids;    /* of units that were given away */
  VEC(struct move) prefix; /* of a part; the nodes up to its end are others' */
  bool is_part;
  uint32_t id;       /* of the part */
  uint32_t sleepers; /* of the last node of the prefix that are others' */
  bool begins;       /* its prefix is to be taken again */
  bool waits;        /* the last node has only branches that were given away */
  bool over;         /* nothing is left */
  struct text told_early; /* results and units, before all is at hand */
  /* See backtrack_stack.c. */
  struct backtrack_stack stack;
  bool was_taken; /* a stack was */
  bool ended;     /* the execution at hand has */
  bool drops;     /* it is to end here, without being one */
  bool next;      /* then it goes on with the next branch of the last node */
};

/* Is there a process in the backtrack set of the node of v, tried or not, for
 * which `good` holds? */
bool backtrack_has(struct backtrack *,
                   bool (*good)(struct reversal *, uint32_t proc));
/* Adds a process to it. */
void backtrack_add(struct backtrack *, uint32_t proc);

/* e is the event at `first`, and the event at `needed` does not happen after
 * it.  Makes sure that a process is tried before e that can begin what leads to
 * the needed event. */
void backtrack_plan_needed(struct backtrack *, uint32_t first, uint32_t needed);

/* For searches with `tries_blocks`.  An atomic block is to come before the
 * event at this position, and it is its process's next step there.  What it
 * touches then is not known.  It is tried there: either it can come first, or
 * it races with what must come before it, and for a race of a block e with e'
 * a process is tried that leads to e'.  False: the process sleeps there, so
 * that its races are found elsewhere, or it waits, or that is not known.  Then
 * every process must be tried. */
bool backtrack_try_block(struct backtrack *, uint32_t position, uint32_t proc);

/* Is every process tried, or to be tried, that can be? */
static inline bool backtrack_is_full(const struct backtrack *b,
                                     uint32_t position) {
  const struct backtrack_node *node = &b->nodes.at[position];
  return node->covered.try_all ||
         !(node->possible & ~(node->tried | node->wanted));
}

/* Of the node at this position: these processes are to be tried, by bits, of
 * the first 64. */
void backtrack_want(struct backtrack *, uint32_t position, uint64_t processes);

/* The plan of source-DPOR: adds a process that can begin v, unless one is
 * there. */
void backtrack_plan_source(struct backtrack *);

/* At a node that is new, instead of a free choice: this process moves. */
void backtrack_choose(struct backtrack *, uint32_t proc);

/* Is there something to try at the node before the last one, apart from the
 * branch at hand? */
bool backtrack_goes_on(const struct backtrack *);

/* The functions of an algorithm whose state is a struct backtrack. */
struct backtrack *backtrack_new(struct explorer *,
                                void (*plan)(struct backtrack *));
void backtrack_context_sensitive(struct backtrack *);
void backtrack_free(void *);
enum pick backtrack_pick(void *, struct move *);
void backtrack_stepped(void *);
void backtrack_ended(void *, enum pick);
bool backtrack_retreat(void *, size_t *length);
size_t backtrack_planned(const void *, size_t length);

/* backtrack_units.c: parts for other processes; see struct algorithm. */
bool backtrack_give(void *, struct text *, enum give);
bool backtrack_take(void *, const char *unit, size_t size);
/* The process is a fork of the one that gave the unit. */
void backtrack_part(struct backtrack *, const char *unit, size_t size);
void backtrack_seen(void *, struct packed *);
bool backtrack_waits(const void *);
bool backtrack_is_ready(const void *);
bool backtrack_is_lent(const struct backtrack *, size_t at);
void backtrack_push_lent(struct backtrack *, struct backtrack_lent);
void backtrack_forget_lent(struct backtrack *, struct backtrack_lent *);
/* The last node has nothing else: takes up what came back of its branches, or
 * what was told of them. */
void backtrack_end_lent(struct backtrack *);
/* How much of the part's prefix is the execution at hand? */
size_t backtrack_begin_part(struct backtrack *);
struct backtrack_try *backtrack_try_of(struct backtrack *, size_t at,
                                       uint32_t proc);

/* backtrack_stack.c: the open nodes as text. */
/* Those from this one on. */
void backtrack_write_stack(struct backtrack *, size_t from, struct packed *);
/* The branch at hand of this node, and no other. */
void backtrack_write_branch(struct backtrack *, size_t at, struct packed *);
/* A stack that has only these branches, which are to be begun. */
void backtrack_write_branches(const backtrack_processes *, struct packed *);
/* The stack is to be taken up at the last node. */
void backtrack_put_stack(struct backtrack *, const char *, size_t);
/* Is it still to be taken up? */
bool backtrack_has_stack(const struct backtrack *);
/* Takes it up.  True: a branch is under way. */
bool backtrack_take_stack(struct backtrack *);
/* The next node of the stack is at hand. */
void backtrack_stack_stepped(struct backtrack *);

/* All that was taken is at hand. */
void backtrack_take_early(struct backtrack *);

/* Leaves the last node. */
void backtrack_pop_node(struct backtrack *);

/* A new member of the node's backtrack set. */
uint32_t backtrack_try_new(struct backtrack *, struct backtrack_node *,
                           uint32_t proc);

#endif
