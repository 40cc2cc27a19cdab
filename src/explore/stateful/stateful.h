/* The parts of stateful.c: what a search knows of its nodes.
 *
 * Invariants:
 *   S1  there is a node here for each node of the search.
 *   S2  nodes[n].low is the least length to which a cycle from n leads back, or
 *       the node's own length.  Its future is complete if it is its own.
 *   S3  the branches of a node lie above those of its ancestors.
 */
#ifndef EXPLORE_STATEFUL_STATEFUL_H
#define EXPLORE_STATEFUL_STATEFUL_H

#include "explore/backtrack.h"
#include "explore/stateful/foreseen_plan.h"
#include "explore/stateful/guards.h"
#include "explore/stateful/named_futures.h"
#include "explore/stateful/race_knowledge.h"
#include "explore/stateful/state_exchange.h"
#include "explore/stateful/state_stack.h"

/* keep */
struct stateful_node {
  struct state_future future; /* as far as it was explored */
  struct digest128 local;
  struct digest128 whole;
  struct known_key sought;  /* of known_find() */
  uint32_t low;             /* S2 */
  uint32_t unfinished;      /* how many there were when the node was new */
  uint32_t branches;        /* likewise */
  struct handover handover; /* of the step to it, if is_handover, ... */
  uint32_t objects;         /* ... when so many objects were known */
  bool is_handover;
  struct survey survey;
  uint64_t moved;     /* processes that have taken a step ... */
  uint64_t ended;     /* ... and those of them that have no next step */
  uint64_t movable;   /* of the first 64, those that can move here or in an
                         execution from here; all if it may end */
  uint64_t joined;    /* processes that have ended, and were joined */
  uint64_t held;      /* locks of the process of the step to it, after it */
  uint32_t processes; /* how many there were, of any kind */
  uint32_t passed;    /* so many nodes in a row, up to it, are not stored */
  bool head;          /* a cycle leads back to it */
  bool known;         /* cut: its future was known */
  bool failed;        /* a step before it has failed */
  bool stopped;       /* the process of the step to it has no next step */
  bool held_beyond;   /* a process without a bit waits in a loop */
  bool strange;       /* a step before it orders others in a way of its own */
  bool ordered;       /* `whole` tells what data races can follow */
  uint32_t quiet;     /* a process with a quiet next step, or NOWHERE */
  bool restless;      /* the future of an alternative of its branch at hand
                          is not complete: the branch must not sleep */
};

/* keep.  A branch of a node that is done, while others are explored. */
struct stateful_branch {
  uint32_t node;
  uint32_t proc;
  struct state_future future; /* at the node, before the step of the branch */
};

/* keep.  A node that was left.  It is on a cycle, and the head of the cycle was
 * not left yet. */
struct unfinished {
  uint32_t low;
  struct known_future future;
};

struct stateful {
  struct backtrack *b;
  struct explorer *x;
  VEC(struct stateful_node) nodes;
  size_t depth; /* so many of them are in use, S1 */
  VEC(struct stateful_branch) branches;
  size_t branched; /* so many of them are in use */
  struct known_states known;
  uint64_t budget;     /* bytes for known states; beyond it they are dropped,
                              which costs time */
  uint32_t found_live; /* 1 + the set of live bytes of the known state that was
                          found last, or 0 */
  uint32_t uncounted;  /* nodes kept since memory was counted */
  uint64_t drops;      /* so often were some dropped */
  struct state_stack open; /* parallel to the nodes */
  VEC(struct unfinished) unfinished;
  struct state_stack unfinished_states; /* parallel */
  struct objects objects;
  struct foreseen_plan plan;
  struct state_future scratch;
  VEC(uint32_t) sleeping; /* likewise: numbers of branches */
  struct race_knowledge knowledge;
  struct guards guards;
  struct deciders deciders;
  bool data;    /* some access was not atomic */
  bool ordered; /* a cycle was met since: nodes are ordered from now on */
  bool exact;   /* cut_known: the known state is equal in that, too */
  /* If the search is shared: see stateful_units.c. */
  struct state_exchange exchange;
  struct text learnt;     /* by the system, when the exchange began, ... */
  struct text learnt_now; /* ... and when that was last looked at */
  size_t first_branch;    /* of a part: the first one that others ask for */
  struct text again;      /* what is to be read of the next node */
};

static inline struct stateful_node *stateful_top(struct stateful *s) {
  return &s->nodes.at[s->depth - 1];
}

static inline struct system *stateful_system(const struct stateful *s) {
  return s->x->system;
}

static inline struct segments *stateful_segments(struct stateful *s) {
  return &s->known.segments;
}

/* ---- stateful_node.c: what a node's state is ------------------------------
 */

struct stateful_node *stateful_push_node(struct stateful *);
/* What every process is about to do at the newest node, after this event; NULL
 * at the first node. */
void stateful_look_around(struct stateful *, struct stateful_node *,
                          const struct event *);
/* The event, the step to the node, may touch data, under locks or not, or order
 * others in its own way. */
void stateful_look_for_data(struct stateful *, struct stateful_node *,
                            const struct event *);
/* The digests of the state at hand. */
void stateful_find_state(struct stateful *, struct stateful_node *);
/* No other state has this digest. */
struct digest128 stateful_no_state(const struct stateful *);

/* ---- stateful_match.c: known states, and cycles ---------------------------
 */

/* Cuts the execution at the newest node if its future is known. */
void stateful_match(struct stateful *);
void stateful_merge_known(struct stateful *, struct state_future *to,
                          struct known_future);
/* Bytes at which processes that wait in loops look. */
void stateful_add_held(struct stateful *, struct stateful_node *);
/* The accesses of processes that wait here, if for ever; false: none does. */
bool stateful_add_waiting(struct stateful *, struct stateful_node *);

/* ---- stateful_sleepers.c: branches that are done, and sleep ---------------
 */

/* Of the event at this position.  `awakened` is not set. */
struct handover *stateful_handover_at(struct stateful *, uint32_t position);
/* Adds the futures of those that were asleep when the node was new. */
void stateful_add_sleepers(struct stateful *, struct stateful_node *);
/* The branch at `node` with the step of this process is done: it has the future
 * that is in the last node. */
void stateful_add_branch(struct stateful *, const struct stateful_node *,
                         uint32_t node, uint32_t proc);

/* Likewise, with this future, which is lost. */
void stateful_add_told(struct stateful *, uint32_t node, uint32_t proc,
                       struct state_future *);

/* ---- stateful_keep.c: nodes that are left become known states -------------
 */

/* All that can follow the node of this length is known. */
void stateful_keep_finished(struct stateful *, struct stateful_node *,
                            uint32_t length);
/* The node is on a cycle whose head is not left yet. */
void stateful_keep_unfinished(struct stateful *, const struct stateful_node *);
/* ---- stateful_livelock.c: cycles that are livelocks -----------------------
 */

/* FUTURE_ bits; 0: the event only read what it touched, and does not count as
 * work otherwise. */
uint8_t stateful_deed_of(const struct stateful *, const struct event *);
/* The node of this length, to be left, is the head of a cycle. */
void stateful_judge_cycle(struct stateful *, const struct stateful_node *,
                          uint32_t length);

/* ---- stateful_units.c: a search that processes share ----------------------
 */

/* See struct algorithm. */
bool stateful_give(void *, struct text *, enum give);
bool stateful_take(void *, const char *unit, size_t size);
void stateful_part(void *, const char *unit, size_t size);
void stateful_seen(void *, struct packed *);
bool stateful_waits(const void *);
/* See struct backtrack. */
void stateful_told(void *, struct packed *);
bool stateful_may_lend(void *, size_t length);
/* A future; one that is read may have others' numbers of objects. */
void stateful_pack_future(struct stateful *, struct packed *,
                          struct state_future *, const struct objects *told);
/* Which of these nodes do cycles lead to? */
void stateful_pack_heads(struct stateful *, struct packed *, size_t from,
                         size_t end);
void stateful_write_branches(struct stateful *, struct packed *, size_t from,
                             size_t end);
/* Of the last node. */
void stateful_read_branches(struct stateful *, struct packed *,
                            const struct objects *told);
/* Tells other processes what is new, and hears what they know. */
void stateful_exchange(struct stateful *, bool at_once);
/* One of these processes, by bits: another one than other parts would take. */
uint32_t stateful_other_way(const struct stateful *, uint64_t processes);

/* ---- stateful_stack.c: a search that is written down ----------------------
 */

/* See struct backtrack. */
void stateful_write_node(void *, size_t length, struct packed *);
void stateful_read_node(void *, struct packed *);
/* The step to the newest node is taken again. */
void stateful_stepped_again(struct stateful *);

#endif
