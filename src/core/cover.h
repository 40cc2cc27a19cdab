/* Sleepers that stay asleep past steps which they commute with, and what has to
 * be done for that.
 *
 * z sleeps: what begins with it was explored at a node k.  After the steps w it
 * still sleeps at S = k.w if it commutes with each of them where they meet: z.w
 * and w.z lead to one state, and what follows was explored there (sleep sets
 * with conditional independence, Godefroid and Pirottin 1993).  But executions
 * from there were explored as extensions of k.z.w, not of S.z, and so were
 * their races.  S.z.f may have races that k.z.w.f does not, where z or what
 * follows it races with w, or is hidden behind it; and what these races ask for
 * at the nodes of S is asked by nobody.
 *
 * So at S the search goes on as if S.z had been explored there first.  What f
 * may be is known up to order: the steps seen since k.z was begun (future.h).
 *   - Where one of them can race with an event of S, everybody is to be tried
 *     at the node before that event: whatever the race asks for is among it.
 *   - The same at S itself, where one of them can race with z.  If none can,
 * all that is possible from S is equivalent to something that begins with z: it
 *     is explored, and the execution is cut.
 *   - z itself races with the events of w that it conflicts with.  What that
 *     asks for is done where z can come first, since it sleeps there.
 *   - A race of two events e, e' of S asks for v = notdep(e) . e', and v has
 *     steps of f.  That makes no difference unless e' touches other things
 *     where it comes before e, and one of these steps conflicts with that.
 *
 * Nothing else about races depends on the context: they are those of the strict
 * order, but that two stores of one value are independent (trace.by_value).
 * Wherever everybody is tried, "not needed" may rest on members of v only: what
 * is not in v and independent of it may have been tried here for another reason
 * than v's, and nobody has seen to the rest of v.
 *
 * docs/algorithms.md, "Contexts", has the argument.
 */
#ifndef CORE_COVER_H
#define CORE_COVER_H

#include "core/context.h"
#include "core/future.h"

/* What a node knows. */
struct cover_node {
  uint64_t since; /* when what is known of the branch at hand was begun */
  bool everybody; /* all who are enabled are to be tried */
  bool covered;   /* all that is possible here begins with a sleeper */
  bool goes_on;   /* as if a sleeper had been explored, begun at ... */
  uint64_t begun; /* ... this time at the earliest */
};

/* keep */
struct cover {
  struct explorer *x;
  struct context context;
  struct future future;
  struct sleep *sleep;
  struct positions met; /* scratch */
  /* The node after `length` steps of the algorithm with this state. */
  struct cover_node *(*node)(void *state, size_t length);
  void *state;
};

void cover_init(struct cover *, struct explorer *, struct sleep *,
                struct cover_node *(*node)(void *, size_t length), void *state);
void cover_free(struct cover *);

/* As sleep_child(); the child is the newest node. */
void cover_child(struct cover *, const struct sleep_node *parent,
                 struct sleep_node *child);

/* As sleep_add(); `branch` is what the node knows. */
void cover_add(struct cover *, struct sleep_node *, struct cover_node *branch,
               const struct event *);

/* When it comes before the event at `first`, the one at `second` touches these.
 */
void cover_late(struct cover *, uint32_t first, uint32_t second,
                const struct access *, uint32_t accesses);

/* A process cannot take this step where the execution ended. */
void cover_pending(struct cover *, uint32_t proc, const struct step *);

/* Anticipated cuts (paper 2, section 5.3).  All that begins with the event e is
 * explored: does nothing that may happen instead conflict with it?  Then all
 * other executions from its node are equivalent to one that begins with e.  The
 * system, not the trace, may be taken back to that node to find out. */
bool cover_is_done(struct cover *, const struct cover_node *,
                   const struct event *e);

#endif
