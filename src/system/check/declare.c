/* C9 and C10: a step touches only what it declares.
 *
 * C9  compares the memory before and after the step.  For C10 the step is taken
 * again with other bytes in all memory that it does not declare: first any
 * other bytes, then zeros.  It must be the same step and lead to the same state
 * as before.
 *
 * A violation is our own mistake: an access of the program without a hook, or
 * an access of the runtime that is missing in a footprint.
 */
#include "inside.h"

enum {
  ROUNDS = 2,  /* other bytes, zeros: the seed modulo this */
  CONFIRM = 3, /* times that a difference must show */
};

void witness(const struct check *c) {
  if (c->thorough && c->inner->ops->witness)
    c->inner->ops->witness(c->inner);
}

void check_writes(const struct check *c, uint32_t proc,
                  const struct step *step) {
  if (!c->thorough || !c->inner->ops->undeclared)
    return;
  const char *where = c->inner->ops->undeclared(c->inner);
  if (where)
    mistake(c,
            "C9: a step of T%u (%s) shows a change that no step declares: %s",
            proc, op_name(step->op), where);
}

enum step_result witnessed_step(const struct check *c, uint32_t proc,
                                struct step *out) {
  witness(c);
  enum step_result result = inner_step(c, proc, 0, out);
  if (result != STEP_REFUSED)
    check_writes(c, proc, out);
  return result;
}

/* ---- C10 ----------------------------------------------------------------- */

/* A step taken again: the difference, or NULL, and the state that it leads
 * to. */
struct repetition {
  const char *why;
  struct fingerprint state;
};

/* The last step once more, with the places from 0 up to `end` disturbed. */
static struct repetition repeat(struct check *c, size_t end, struct step *out) {
  const struct taken *t = &VEC_TOP(c->path.steps);
  struct repetition r = {0};
  if (!inner_undo(c, c->path.steps.size - 1))
    return r;
  c->inner->ops->disturb(c->inner, end);
  r.why = take_again(c, &c->path, t, SAME_ORDER, out);
  r.state = inner_fingerprint(c, true);
  return r;
}

static const char *difference(const struct repetition *r,
                              const struct fingerprint *calm) {
  return r->why ? r->why : fingerprint_difference(calm, &r->state);
}

/* The least number of places, from the first on, that must be disturbed to make
 * a difference.  `end` are enough.  The last of the places found is the one
 * that matters. */
static size_t fewest(struct check *c, const struct fingerprint *calm,
                     size_t end, struct step *out) {
  size_t same = 0;
  while (end - same > 1) {
    size_t middle = same + (end - same) / 2;
    struct repetition r = repeat(c, middle, out);
    if (difference(&r, calm))
      end = middle;
    else
      same = middle;
  }
  return end;
}

static void accuse(struct check *c, const struct fingerprint *calm,
                   size_t places, struct step *out) {
  const struct taken *t = &VEC_TOP(c->path.steps);
  size_t end = fewest(c, calm, places, out);
  struct repetition r = repeat(c, end, out);
  const char *why = difference(&r, calm);
  mistake(c,
          "C10: the last step, of T%u (%s), depends on memory that it does not "
          "declare: with another value near address %#llx it differs in %s",
          t->proc, op_name(t->step.op),
          (unsigned long long)c->inner->ops->place(c->inner, end - 1),
          why ? why : "something");
}

/* The step with all places disturbed; the step as it was if there are none. */
static struct repetition disturbed(struct check *c, uint64_t seed,
                                   size_t *places, struct step *out) {
  *places = c->inner->ops->places(c->inner, seed);
  return repeat(c, *places, out);
}

/* A difference must show again with other bytes: one that shows only once is
 * chance. */
static void confirm(struct check *c, const struct fingerprint *calm,
                    uint64_t seed, struct step *out) {
  size_t places = 0;
  for (unsigned i = 0; i < CONFIRM; i++) {
    struct repetition r = disturbed(c, seed + i * ROUNDS, &places, out);
    struct repetition again = repeat(c, 0, out);
    if (!places || c->violated || !difference(&r, calm) ||
        difference(&again, calm))
      return;
  }
  accuse(c, calm, places, out);
}

void check_reads(struct check *c, struct step *out) {
  struct repetition r[ROUNDS];
  uint64_t seed = ROUNDS * c->totals.steps;
  size_t places;
  if (!c->inner->ops->places)
    return;
  for (unsigned i = 0; i < ROUNDS; i++) {
    r[i] = disturbed(c, seed + i, &places, out);
    if (c->violated || inner_stale(c))
      return;
  }
  struct repetition calm = repeat(c, 0, out);
  for (unsigned i = 0; i < ROUNDS; i++)
    if (!c->violated && difference(&r[i], &calm.state))
      confirm(c, &calm.state, seed + i, out);
  c->totals.disturbed++;
}
