/* C5: steps that the dependence relation calls independent commute.
 *
 * After a step of p, another process q takes one too.  If the two footprints do
 * not conflict and p's step is not the cause of q's, then the same must be
 * possible the other way round, with the same two steps, and lead to the same
 * state.  Two states are compared by their fingerprints, and because not all
 * that lies on a stack is known to matter, by what p and q do next in them.
 */
#include "inside.h"

#include "core/trace.h"

enum {
  PARTNERS = 4, /* processes tried with one step */
  AHEAD = 4,    /* steps taken after the two, to see whether states differ */
};

static bool conflicts(const struct sequence *a, const struct taken *t,
                      const struct sequence *b, const struct taken *u) {
  return footprint_conflict(taken_access(a, t), t->step.accesses,
                            taken_access(b, u), u->step.accesses);
}

static void must_commute(const struct check *c, uint32_t q, const char *what,
                         const char *why) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  mistake(c,
          "C5: the last step, of T%u (%s), and the next one of T%u (%s) should "
          "be independent, but %s%s",
          p->proc, op_name(p->step.op), q,
          c->trial.steps.size ? op_name(c->trial.steps.at[0].step.op) : "none",
          what, why);
}

/* ---- who can move -------------------------------------------------------- */

/* A step may take another process's possibility away only by what it did to
 * what that process is about to touch. */
static void check_still_enabled(struct check *c, uint32_t q) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  const struct view *v = &c->views.at[q];
  if (!v->enabled || inner_enabled(c, q))
    return;
  if (!v->pending ||
      !footprint_conflict(taken_access(&c->path, p), p->step.accesses,
                          c->view_accesses.at + v->first, v->step.accesses))
    mistake(c, "C5: the last step, of T%u (%s), disables T%u (%s), with which "
               "it has nothing in common",
            p->proc, op_name(p->step.op), q, op_name(v->step.op));
}

/* A new thread gets its number when it is first created.  The explorer should
 * be the first to do so: otherwise numbers depend on what is verified. */
static bool may_try(struct check *c, uint32_t q) {
  const struct view *v = &c->views.at[q];
  return inner_enabled(c, q) && v->step.op != OP_CREATE;
}

/* ---- both orders --------------------------------------------------------- */

/* Takes a step for the first time.  False: unsupported, or it changes what a
 * step is. */
static bool take_first(struct check *c, uint32_t proc) {
  struct step step;
  enum step_result result = inner_step(c, proc, 0, &step);
  if (result == STEP_REFUSED || inner_stale(c))
    return false;
  sequence_push(&c->trial, proc, 0, result, &step);
  return true;
}

/* p and q in turn, as far as they can. */
static bool look_ahead(struct check *c, uint32_t p, uint32_t q) {
  for (unsigned i = 0; i < AHEAD; i++) {
    uint32_t next = i % 2 ? q : p;
    struct step pending;
    if (!inner_enabled(c, next) || !inner_pending(c, next, &pending) ||
        pending.op == OP_CREATE)
      continue;
    if (!take_first(c, next))
      return false;
  }
  return true;
}

/* The first order, from the state after p's step: what will be compared. */
static bool first_order(struct check *c, uint32_t q,
                        struct fingerprint *after) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  uint32_t depth = (uint32_t)c->path.steps.size;
  c->trial.steps.size = c->trial.accesses.size = 0;
  if (!take_first(c, q))
    return false;
  const struct taken *t = &c->trial.steps.at[0];
  if (t->step.cause == depth || conflicts(&c->path, p, &c->trial, t))
    return false;
  if (!look_ahead(c, p->proc, q))
    return false;
  *after = inner_fingerprint(c, false);
  return true;
}

/* Was the difference there without changing the order? */
static bool first_order_again(struct check *c,
                              const struct fingerprint *before) {
  size_t depth = c->path.steps.size;
  struct step step;
  if (!inner_undo(c, depth - 1) ||
      take_again(c, &c->path, &VEC_TOP(c->path.steps), 0, &step))
    return false;
  for (size_t i = 0; i < c->trial.steps.size; i++)
    if (take_again(c, &c->trial, &c->trial.steps.at[i], 0, &step))
      return false;
  struct fingerprint now = inner_fingerprint(c, false);
  return !fingerprint_difference(before, &now);
}

/* Not commuting is our mistake unless the program is not deterministic. */
static void disagree(struct check *c, const struct fingerprint *before,
                     const char *what, const char *why) {
  const struct taken *q = &c->trial.steps.at[0];
  if (first_order_again(c, before))
    must_commute(c, q->proc, what, why);
  violate(c, q->proc, q->step.pc,
          "the same schedule does not lead to the same state");
}

/* The second order, from the state before p's step. */
static void second_order(struct check *c, const struct fingerprint *before) {
  uint32_t depth = (uint32_t)c->path.steps.size;
  const struct taken *p = &VEC_TOP(c->path.steps);
  const char *why;
  struct step step;
  if ((why = take_again(c, &c->trial, &c->trial.steps.at[0], 0, &step))) {
    disagree(c, before, "coming first, the other one differs in ", why);
    return;
  }
  if ((why = take_again(c, &c->path, p, 0, &step))) {
    disagree(c, before, "coming second, this one differs in ", why);
    return;
  }
  for (size_t i = 1; i < c->trial.steps.size; i++)
    if ((why = take_again(c, &c->trial, &c->trial.steps.at[i], depth, &step))) {
      disagree(c, before, "a step after both in the other order differs in ",
               why);
      return;
    }
  struct fingerprint now = inner_fingerprint(c, false);
  if ((why = fingerprint_difference(before, &now)))
    disagree(c, before, "the order makes a difference to ", why);
}

static void swap(struct check *c, uint32_t q, struct step *out) {
  size_t depth = c->path.steps.size;
  struct fingerprint after;
  bool independent = first_order(c, q, &after);
  if (!inner_undo(c, depth - 1))
    return;
  if (independent) {
    second_order(c, &after);
    c->totals.swapped++;
    if (c->violated || !inner_undo(c, depth - 1))
      return;
  }
  const struct taken *p = &VEC_TOP(c->path.steps);
  const char *why = take_again(c, &c->path, p, 0, out);
  if (why && !inner_stale(c))
    violate(c, p->proc, p->step.pc,
            "a step taken again differs from the first time in %s", why);
}

void commute(struct check *c, struct step *out) {
  uint32_t count = (uint32_t)c->views.size, partners = 0;
  for (uint32_t i = 0; i < count && partners < PARTNERS; i++) {
    uint32_t q = (uint32_t)(c->totals.steps + i) % count;
    if (c->violated || inner_stale(c))
      return;
    if (q == VEC_TOP(c->path.steps).proc)
      continue;
    check_still_enabled(c, q);
    if (!may_try(c, q))
      continue;
    partners++;
    swap(c, q, out);
  }
}
