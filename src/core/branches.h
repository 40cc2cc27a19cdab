/* The planned branches of a node where sleepers stay asleep by context
 * (cover.h).
 *
 * What was planned may begin with one who sleeps by now: what was planned with
 * it is dropped.  Where everybody is tried, nobody knows what a block will
 * touch.
 */
#ifndef CORE_BRANCHES_H
#define CORE_BRANCHES_H

#include "core/explore.h"
#include "core/sleep.h"
#include "core/wakeup.h"

/* Drops the first branches as long as they begin with a sleeper or, if the
 * explorer's system is at the node (`here`), with what is not possible. */
void branches_drop(struct wakeup_pool *, uint32_t *tree, const struct sleep *,
                   const struct sleep_node *, struct explorer *, bool here);

/* The newest event is the step of the first branch; returns its subtree, which
 * is empty if it did something else. */
uint32_t branches_take(struct wakeup_pool *, uint32_t *tree,
                       const struct explorer *);

/* Plans everybody who is awake at the node after `length` steps, to which the
 * system, not the trace, is taken back. */
void branches_add_everybody(struct wakeup_pool *, uint32_t *tree,
                            const struct sleep *, const struct sleep_node *,
                            struct explorer *, size_t length);

#endif
