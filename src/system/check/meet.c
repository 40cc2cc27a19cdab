/* C7: changes() tells whether two runs from one state meet.
 *
 * The last step of p and a step of q are taken in both orders, dependent or
 * not.  If changes() is equal for both, the states must be equal: in their
 * fingerprints and in the next steps of p and q.  If the fingerprints and all
 * stacks are equal, changes() must be equal.
 *
 * Two things may differ between the orders: the causes of steps, and the step
 * in which a thread is found to wait in a loop.
 */
#include "inside.h"

enum { AHEAD = 2 }; /* steps of each of the two after both */

/* A state after two steps. */
struct met_place {
  struct changes changes;
  struct fingerprint state;
  uint64_t stacks;
};

static struct met_place look(const struct check *c, size_t depth) {
  struct met_place at = {.changes = c->inner->ops->changes(c->inner, depth),
                         .state = inner_fingerprint(c, false)};
  struct fingerprint exact = inner_fingerprint(c, true);
  at.stacks = exact.part[FINGERPRINT_STACKS];
  return at;
}

static bool same_changes(const struct changes *a, const struct changes *b) {
  return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* A new thread gets its number when it is first created: see both_orders.c. */
static bool can_go_on(const struct check *c, uint32_t proc) {
  struct step pending;
  return inner_enabled(c, proc) && inner_pending(c, proc, &pending) &&
         pending.op != OP_CREATE;
}

/* ---- what comes after ---------------------------------------------------- */

/* Takes some steps of p and q.  False: unsupported, or steps are finer now. */
static bool run_ahead(struct check *c, uint32_t p, uint32_t q) {
  c->trial.steps.size = c->trial.accesses.size = 0;
  for (unsigned i = 0; i < 2 * AHEAD; i++) {
    uint32_t proc = i % 2 ? q : p;
    struct step step;
    if (!can_go_on(c, proc))
      continue;
    enum step_result result = witnessed_step(c, proc, &step);
    if (result == STEP_REFUSED || inner_stale(c))
      return false;
    sequence_push(&c->trial, proc, 0, result, &step);
  }
  return true;
}

/* Takes the same steps after the other order.  NULL, or the difference. */
static const char *run_ahead_again(struct check *c) {
  const char *why = NULL;
  for (size_t i = 0; i < c->trial.steps.size && !why; i++) {
    struct taken *t = &c->trial.steps.at[i];
    struct step step;
    if (!inner_enabled(c, t->proc))
      return t->step.flags & STEP_AWAIT ? NULL : "whether it is possible";
    enum step_result result = inner_step(c, t->proc, 0, &step);
    if ((step.flags | t->step.flags) & STEP_AWAIT)
      return NULL;
    t->step.cause = step.cause;
    why = step_difference(&c->trial, t, result, &step, SAME_ORDER);
  }
  return why;
}

/* ---- both orders --------------------------------------------------------- */

/* Takes the step of q, then the step of p, from the state before both. */
static bool other_order(struct check *c, uint32_t q) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  struct step step;
  for (int i = 0; i < 2; i++) {
    uint32_t proc = i ? p->proc : q;
    if (!can_go_on(c, proc) || witnessed_step(c, proc, &step) == STEP_REFUSED ||
        inner_stale(c))
      return false;
  }
  return true;
}

static void compare(struct check *c, uint32_t q, const struct met_place *first,
                    const struct met_place *second) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  const char *state = fingerprint_difference(&first->state, &second->state);
  bool same = same_changes(&first->changes, &second->changes);
  bool alike = !state && first->stacks == second->stacks;
  c->totals.compared++;
  c->totals.met += !state;
  c->totals.seen_to_meet += same;
  if (same && state)
    mistake(c,
            "C7: the last step, of T%u (%s), and the next of T%u, in both "
            "orders: changes() sees no difference, but there is one in %s",
            p->proc, op_name(p->step.op), q, state);
  if (!same && alike && first->stacks)
    mistake(c,
            "C7: the last step, of T%u (%s), and the next of T%u, in both "
            "orders: changes() sees a difference, but there is none",
            p->proc, op_name(p->step.op), q);
  const char *why = same ? run_ahead_again(c) : NULL;
  if (why)
    mistake(c,
            "C7: the last step, of T%u (%s), and the next of T%u, in both "
            "orders: changes() sees no difference, but a step after them "
            "differs in %s",
            p->proc, op_name(p->step.op), q, why);
}

/* From the state after p's step; the caller goes back. */
void meet(struct check *c, uint32_t q, const struct fingerprint *before) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  size_t depth = c->path.steps.size - 1;
  struct step step;
  if (!c->inner->ops->changes || p->choice || !c->views.at[q].enabled ||
      p->step.op == OP_CREATE || p->result == STEP_REFUSED)
    return;
  if (!can_go_on(c, q) || witnessed_step(c, q, &step) == STEP_REFUSED ||
      inner_stale(c))
    return;
  struct met_place first = look(c, depth);
  if (!run_ahead(c, p->proc, q) || !inner_undo(c, depth))
    return;
  check_restored(c, before);
  if (c->violated || !other_order(c, q))
    return;
  struct met_place second = look(c, depth);
  compare(c, q, &first, &second);
}
