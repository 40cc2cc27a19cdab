/* C5: steps that the dependence relation calls independent commute.
 *
 * After a step of p, another process q takes some steps.  As long as their
 * footprints do not conflict with p's step, and p's step is not their cause,
 * the same steps of q must be possible before p's step, and both orders must
 * lead to the same state.  States are compared by their fingerprints.  Not
 * every byte of a stack matters, so they are also compared by the next steps of
 * p.
 */
#include "inside.h"

#include "core/trace.h"

enum {
  PARTNERS = 4, /* processes tried with one step */
  RUN = 4,      /* steps of each */
  AHEAD = 2,    /* steps of p after that, to see whether states differ */
};

/* Data that is not in footprints may order steps, too.  Then there is a data
 * race, which is not reported here. */
static bool conflicts(const struct sequence *a, const struct taken *t,
                      const struct sequence *b, const struct taken *u) {
  return footprint_conflict(taken_access(a, t), t->step.accesses + t->step.data,
                            taken_access(b, u),
                            u->step.accesses + u->step.data);
}

/* ---- enabled processes --------------------------------------------------- */

/* A step may disable another process only by touching bytes that the process is
 * about to touch. */
static void check_still_enabled(struct check *c, uint32_t q) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  const struct view *v = &c->views.at[q];
  if (!v->enabled || inner_enabled(c, q))
    return;
  if (!v->pending ||
      !footprint_conflict(taken_access(&c->path, p), p->step.accesses,
                          c->view_accesses.at + v->first, v->step.accesses))
    mistake(c,
            "C5: the last step, of T%u (%s), disables T%u (%s), but their "
            "footprints do not conflict",
            p->proc, op_name(p->step.op), q, op_name(v->step.op));
}

/* ---- both orders --------------------------------------------------------- */

/* Takes a step for the first time.  False: unsupported, or it changes what a
 * step is. */
static bool take_first(struct check *c, uint32_t proc) {
  struct step step;
  enum step_result result = witnessed_step(c, proc, &step);
  if (result == STEP_REFUSED || inner_stale(c))
    return false;
  sequence_push(&c->trial, proc, 0, result, &step);
  return true;
}

/* A new thread gets its number when it is first created.  The explorer should
 * create it first: otherwise numbers depend on the experiments. */
static bool can_go_on(struct check *c, uint32_t proc) {
  struct step pending;
  return inner_enabled(c, proc) && inner_pending(c, proc, &pending) &&
         pending.op != OP_CREATE;
}

/* Has the event before `first` made this step possible? */
static bool is_caused(const struct step *step, uint32_t first) {
  for (uint32_t i = 0; i < step->more; i++)
    if (step->causes[i] == first)
      return true;
  return step->cause == first;
}

/* Takes steps of q as long as they are independent of p's step, which came
 * before.  Returns their number; the trial may hold one more step, which is
 * dependent. */
static uint32_t run_partner(struct check *c, uint32_t q) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  uint32_t first = (uint32_t)c->path.steps.size, count = 0;
  while (count < RUN && can_go_on(c, q) && take_first(c, q)) {
    const struct taken *t = &VEC_TOP(c->trial.steps);
    if (is_caused(&t->step, first) || conflicts(&c->path, p, &c->trial, t))
      break;
    count++;
  }
  return count;
}

/* The first order, from the state after p's step.  Returns how many steps of q
 * may come before p's step; the rest of the trial are steps of p after all of
 * them. */
static uint32_t first_order(struct check *c, uint32_t q,
                            struct fingerprint *after) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  size_t depth = c->path.steps.size;
  c->trial.steps.size = c->trial.accesses.size = 0;
  uint32_t count = run_partner(c, q);
  if (!count || inner_stale(c) || !inner_undo(c, depth + count))
    return 0;
  sequence_truncate(&c->trial, count);
  for (unsigned i = 0; i < AHEAD && can_go_on(c, p->proc); i++)
    if (!take_first(c, p->proc))
      return 0;
  *after = inner_fingerprint(c, false);
  return count;
}

/* Takes the steps of the trial from `first` up to `end` again. */
static const char *trial_again(struct check *c, size_t first, size_t end,
                               struct reorder order) {
  const char *why = NULL;
  struct step step;
  for (size_t i = first; i < end && !why; i++)
    why = take_again(c, &c->trial, &c->trial.steps.at[i], order, &step);
  return why;
}

/* Does the first order, taken once more, lead to the same state? */
static bool first_order_again(struct check *c,
                              const struct fingerprint *expected) {
  struct step step;
  if (!inner_undo(c, c->path.steps.size - 1) ||
      take_again(c, &c->path, &VEC_TOP(c->path.steps), SAME_ORDER, &step) ||
      trial_again(c, 0, c->trial.steps.size, SAME_ORDER))
    return false;
  struct fingerprint now = inner_fingerprint(c, false);
  return !fingerprint_difference(expected, &now);
}

/* Steps that do not commute are our mistake, unless the program is not
 * deterministic, or the system has found out in the meantime that they do not
 * (`stale`). */
static void disagree(struct check *c, uint32_t count,
                     const struct fingerprint *expected, const char *what,
                     const char *why) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  const struct taken *q = &c->trial.steps.at[count - 1];
  if (inner_stale(c))
    return;
  if (first_order_again(c, expected))
    mistake(c,
            "C5: the last step, of T%u (%s), should be independent of the next "
            "%u of T%u (the last of them: %s), but %s%s",
            p->proc, op_name(p->step.op), count, q->proc, op_name(q->step.op),
            what, why);
  violate(c, q->proc, q->step.pc,
          "the same schedule does not lead to the same state");
}

/* The second order, from the state before p's step. */
static void second_order(struct check *c, uint32_t count,
                         const struct fingerprint *expected) {
  const struct taken *p = &VEC_TOP(c->path.steps);
  struct reorder order = {(uint32_t)c->path.steps.size, count};
  const char *why;
  struct step step;
  if ((why = trial_again(c, 0, count, order))) {
    disagree(c, count, expected, "coming first, they differ in ", why);
  } else if ((why = take_again(c, &c->path, p, order, &step))) {
    disagree(c, count, expected, "coming later, it differs in ", why);
  } else if ((why = trial_again(c, count, c->trial.steps.size, order))) {
    disagree(c, count, expected, "a step after both then differs in ", why);
  } else {
    struct fingerprint now = inner_fingerprint(c, false);
    if ((why = fingerprint_difference(expected, &now)))
      disagree(c, count, expected, "the order makes a difference to ", why);
  }
}

/* Back to the state before p's step. */
static bool go_back(struct check *c, const struct fingerprint *before) {
  if (!c->violated && inner_undo(c, c->path.steps.size - 1) && !inner_stale(c))
    check_restored(c, before);
  return !c->violated;
}

/* Takes p's step once more. */
static void go_on(struct check *c, const struct fingerprint *before,
                  struct step *out) {
  if (!go_back(c, before))
    return;
  const struct taken *p = &VEC_TOP(c->path.steps);
  const char *why = take_again(c, &c->path, p, SAME_ORDER, out);
  if (inner_stale(c)) { /* the search begins anew: any version of the step will
                           do */
    *out = p->step;
    out->access = taken_access(&c->path, p);
    out->data = 0;
  } else if (why) {
    violate(c, p->proc, p->step.pc,
            "a step taken again differs from the first time in %s", why);
  }
}

static void reorder(struct check *c, uint32_t q,
                    const struct fingerprint *before, struct step *out) {
  struct fingerprint after;
  uint32_t count = first_order(c, q, &after);
  if (count && go_back(c, before)) {
    second_order(c, count, &after);
    c->totals.reordered++;
  }
  go_on(c, before, out);
}

void commute(struct check *c, const struct fingerprint *before,
             struct step *out) {
  uint32_t count = (uint32_t)c->views.size, partners = 0;
  for (uint32_t i = 0; i < count && partners < PARTNERS; i++) {
    uint32_t q = (uint32_t)(c->totals.steps + i) % count;
    if (c->violated || inner_stale(c))
      return;
    if (q == VEC_TOP(c->path.steps).proc)
      continue;
    check_still_enabled(c, q);
    if (!can_go_on(c, q))
      continue;
    partners++;
    reorder(c, q, before, out);
    if (c->violated || inner_stale(c))
      return;
    meet(c, q, before);
    go_on(c, before, out);
  }
}
