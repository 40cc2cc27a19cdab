/* The planned branches of a node where sleepers stay asleep by context
 * (cover.h): one step each.
 *
 * What was planned may sleep by now: it is dropped.
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

/* Plans everybody who is awake at the node after `length` steps, to which the
 * system, not the trace, is taken back. */
void branches_add_everybody(struct wakeup_pool *, uint32_t *tree,
                            const struct sleep *, const struct sleep_node *,
                            struct explorer *, size_t length);

#endif
