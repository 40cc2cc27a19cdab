/* Sleepers that stay asleep past steps which they commute with, and what must
 * be tried because of that.
 *
 * A step z sleeps: executions that begin with z were explored at a node k.
 * After the steps w, at the node S = k.w, z still sleeps if it commutes with
 * each of the steps of w where they meet.  Then z.w and w.z lead to one state,
 * from which everything was explored (sleep sets with conditional independence,
 * Godefroid and Pirottin 1993).  But those executions were explored as
 * extensions of k.z.w, not of S.z, and only the races of k.z.w.f were looked
 * at.  S.z.f may have other races, where z or a step after z races with w, or
 * is hidden behind it.  These races ask for steps at the nodes of S.
 *
 * So the search at S goes on as if S.z had been explored there first.  The
 * steps of f are known up to their order: they are among the steps seen since
 * k.z was begun (seen_steps.h).
 *   - If one of them can race with an event of S, every process is tried at the
 *     node before that event.  Whatever the race asks for is among that.
 *   - If one of them can race with z, every process is tried at S.  If none
 *     can, every execution from S is equivalent to one that begins with z.
 *     These are explored, and the execution is cut.
 *   - z itself races with the events of w that it conflicts with.  What such a
 *     race asks for is done where z can come first, since z sleeps there.
 *   - A race of two events e, e' of S asks for v = notdep(e) . e', and v has
 *     steps of f.  That makes no difference unless e' touches other bytes when
 *     it comes before e, and one of these steps conflicts with them.
 *
 * Nothing else about races depends on the context.  Races are those of the
 * strict order, except that two stores of one value are independent
 * (order_rules.by_value).  Where every process is tried, only members of v may
 * make v redundant: a step that is not in v and independent of it may have been
 * tried for another reason, and then the rest of v is not planned.
 *
 * docs/algorithms/context.md has the argument.
 */
#ifndef EXPLORE_CONTEXT_COVERED_SLEEP_H
#define EXPLORE_CONTEXT_COVERED_SLEEP_H

#include "explore/context/commute.h"
#include "explore/context/seen_steps.h"

/* For each node of the search. */
struct covered_node {
  uint64_t since; /* when the oldest branch that the newest one relies on was
                     begun */
  bool try_all;   /* every enabled process is to be tried */
  bool cut; /* every execution from here is equivalent to one that begins with a
               sleeper */
  bool as_if_explored; /* the search goes on as if a sleeper had been explored
                          here, ... */
  uint64_t explored_since; /* ... in a branch begun at this time, or later */
};

/* keep */
struct covered_sleep {
  struct explorer *x;
  struct commute_cache commute;
  struct seen_steps seen;
  struct sleep *sleep;
  struct positions met; /* scratch */
  /* The node after `length` steps of the algorithm with this state. */
  struct covered_node *(*node)(void *state, size_t length);
  void *state;
};

void covered_init(struct covered_sleep *, struct explorer *, struct sleep *,
                  struct covered_node *(*node)(void *, size_t length),
                  void *state);
void covered_free(struct covered_sleep *);

/* As sleep_child(); the child is the newest node. */
void covered_child(struct covered_sleep *, const struct sleep_node *parent,
                   struct sleep_node *child);

/* As sleep_add(); `branch` is what the node knows. */
void covered_add(struct covered_sleep *, struct sleep_node *,
                 struct covered_node *branch, const struct event *);

/* The event at `second` has this footprint when it comes before the event at
 * `first`. */
void covered_reordered(struct covered_sleep *, uint32_t first, uint32_t second,
                       const struct access *, uint32_t accesses);

/* The process waits with this step at the end of the execution. */
void covered_pending(struct covered_sleep *, uint32_t proc,
                     const struct step *);

/* Anticipated cuts (paper 2, section 5.3).  All executions that begin with the
 * event e are explored.  Does no step that may come instead of e conflict with
 * it?  Then all other executions from its node are equivalent to one that
 * begins with e.  The system, not the trace, may be taken back to that node to
 * find out. */
bool covered_is_done(struct covered_sleep *, const struct covered_node *,
                     const struct event *e);

#endif
