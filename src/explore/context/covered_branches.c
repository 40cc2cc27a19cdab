#include "explore/context/covered_branches.h"

static bool goes(const struct wakeup_pool *pool, uint32_t tree,
                 const struct sleep *sleep, const struct sleep_node *node,
                 struct explorer *x, bool here) {
  struct option first = wakeup_first(pool, tree);
  uint32_t choice = first.choice == ANY_CHOICE ? 0 : first.choice;
  return !sleep_has(sleep, node, first.proc, choice) &&
         (!here || x->system->ops->enabled(x->system, first.proc));
}

void covered_branches_drop(struct wakeup_pool *pool, uint32_t *tree,
                           const struct sleep *sleep,
                           const struct sleep_node *node, struct explorer *x,
                           bool here) {
  while (*tree && !goes(pool, *tree, sleep, node, x, here))
    wakeup_drop(pool, wakeup_take(pool, tree));
}

void covered_branches_add_all(struct wakeup_pool *pool, uint32_t *tree,
                              const struct sleep *sleep,
                              const struct sleep_node *node, struct explorer *x,
                              size_t length) {
  struct system *s = x->system;
  struct step step;
  explorer_undo(x, length);
  for (uint32_t p = 0; p < s->processes && !x->diverged; p++) {
    uint32_t choice;
    if (!s->ops->enabled(s, p) || !sleep_alternative(sleep, node, p, &choice) ||
        !s->ops->pending(s, p, &step))
      continue;
    struct option o = {p,
                       trace_count_before(&x->trace, p, (uint32_t)length) + 1,
                       choice, step.accesses, step.access};
    wakeup_append(pool, tree, 0, &o);
  }
}
