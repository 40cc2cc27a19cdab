/* Backtrack sets: who is to be tried at each node, and the search that tries
 * them, with sleep sets.
 *
 * `source`, `cs` and `dpor` are this search and differ in what a race adds to
 * the set of the node where it must be reversed (`plan`); in `cs` sleepers stay
 * asleep past steps that they commute with (`by_context`, core/cover.h).
 * Sleep sets keep what is explored from being begun again; an execution that
 * reaches a state where all who could go on sleep is cut, and counted as
 * blocked.
 *
 * What the papers do not have:
 *   - A process that is blocked where an execution ends, or where it is cut,
 *     takes part in races with its pending operation.
 *   - All alternatives of a step with a choice are tried before the next
 *     process.
 *   - If e' is an atomic block, it may touch other things when it comes first,
 *     so that nobody knows who can begin v: everybody is tried.  The same if it
 *     is a compare-and-swap and e wrote a part of what it tests (late.h).
 *
 *   paper            here
 *   backtrack(E)     list from node->tries
 *   sleep(E)         node->sleep
 */
#ifndef CORE_BACKTRACK_H
#define CORE_BACKTRACK_H

#include "core/cover.h"
#include "core/explore.h"
#include "core/sleep.h"

/* keep.  A member of a backtrack set, numbered from 1 in a pool. */
struct try {
  uint32_t proc;
  uint32_t next;
  bool begun;
};

/* keep */
struct backtrack_node {
  uint32_t tries;
  uint32_t current; /* the try at hand */
  uint32_t choice;  /* its alternative */
  struct cover_node cover;
  struct sleep_node sleep;
};

struct backtrack {
  struct explorer *x;
  bool by_context;
  struct cover cover; /* if so */
  /* Sees to it that v is run: a process that can begin it must be tried where
   * it begins. */
  void (*plan)(struct backtrack *);
  VEC(struct backtrack_node) nodes; /* one for each length of the trace */
  VEC(struct try) tries;
  uint32_t unused; /* list of free tries */
  struct sleep sleep;
  struct reversal v;
  struct positions pending; /* scratch */
};

/* Is, or was, a process to be tried where v begins that is good for it? */
bool backtrack_has(const struct backtrack *,
                   bool (*good)(const struct reversal *, uint32_t proc));
/* One more is to be tried there. */
void backtrack_add(struct backtrack *, uint32_t proc);

/* The functions of an algorithm whose state is a backtrack. */
struct backtrack *backtrack_new(struct explorer *,
                                void (*plan)(struct backtrack *));
void backtrack_by_context(struct backtrack *);
void backtrack_free(void *);
enum pick backtrack_pick(void *, struct move *);
void backtrack_stepped(void *);
void backtrack_ended(void *, enum pick);
bool backtrack_retreat(void *, size_t *length);

#endif
