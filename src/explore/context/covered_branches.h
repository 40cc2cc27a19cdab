/* The planned branches, of one step each, of a node whose sleepers stay asleep
 * by context (covered_sleep.h).
 *
 * A planned step may have fallen asleep since.  Then the branch is dropped.
 */
#ifndef EXPLORE_CONTEXT_COVERED_BRANCHES_H
#define EXPLORE_CONTEXT_COVERED_BRANCHES_H

#include "core/search.h"
#include "explore/dpor/sleep.h"
#include "explore/dpor/wakeup.h"

/* Drops first branches while they begin with a sleeper or, if the explorer's
 * system is at the node (`here`), with a step that is not possible. */
void covered_branches_drop(struct wakeup_pool *, uint32_t *tree,
                           const struct sleep *, const struct sleep_node *,
                           struct explorer *, bool here);

/* Plans every process that is awake at the node after `length` steps.  The
 * system, not the trace, is taken back to that node. */
void covered_branches_add_all(struct wakeup_pool *, uint32_t *tree,
                              const struct sleep *, const struct sleep_node *,
                              struct explorer *, size_t length);

#endif
