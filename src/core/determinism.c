/* The same moves again.
 *
 * A program is deterministic if the same moves give the same steps.  The search
 * relies on it: it undoes steps and takes them again, and algorithms plan steps
 * that they have seen in another execution.  Every step that is taken again is
 * compared with what is known of it.  The first difference ends the search
 * (`diverged`), which then proves nothing.
 */
#include "core/search.h"

#include "core/search_parts.h"

static void diverge(struct explorer *x, const struct finding *finding) {
  if (!x->diverged)
    explorer_tell(x, finding, false);
  x->diverged = true;
}

/* A search that begins anew may have gone astray in its last step. */
static void did_something_else(struct explorer *x, const struct event *e) {
  if (explorer_stale(x))
    return;
  struct finding finding = {.kind = FINDING_NONDETERMINISM,
                            .proc = e->proc,
                            .pc = e->pc,
                            .message = "a step taken again from the same state "
                                       "did something else"};
  diverge(x, &finding);
}

void explorer_impossible(struct explorer *x, uint32_t proc) {
  struct finding finding = {.kind = FINDING_NONDETERMINISM,
                            .proc = proc,
                            .message = "a step that was possible after the "
                                       "same steps is not possible again"};
  diverge(x, &finding);
}

void explorer_surprised(struct explorer *x) {
  did_something_else(x, &VEC_TOP(x->trace.events));
}

/* ---- comparing ------------------------------------------------------------
 */

/* Whether a write changes anything may depend on the order, and whether an
 * operation is part of a step with a link; which writes are blind is the
 * trace's decision. */
static bool same_footprint(const struct trace *t, const struct event *e,
                           const struct access *b, uint32_t count) {
  const struct access *a = event_access(t, e);
  count = accesses_before_link(b, count);
  if (e->accesses != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (a[i].addr != b[i].addr || a[i].size != b[i].size ||
        ((a[i].mode ^ b[i].mode) & ~(uint32_t)(ACCESS_SILENT | ACCESS_BLIND)))
      return false;
  return true;
}

bool explorer_same_footprint(const struct trace *t, const struct event *e,
                             const struct step *step) {
  return same_footprint(t, e, step->access, step->accesses);
}

void explorer_expect(struct explorer *x, const struct access *access,
                     uint32_t count) {
  const struct event *e = &VEC_TOP(x->trace.events);
  if (!same_footprint(&x->trace, e, access, count))
    did_something_else(x, e);
}

/* The newest event must do what the event with its history did in whatever
 * execution.  The cache forgets: most repetitions are found, not all. */
void explorer_compare_deed(struct explorer *x) {
  const struct trace_deed *deed = &x->trace.deed;
  size_t size = sizeof x->known_deeds / sizeof *x->known_deeds;
  struct trace_deed *known = &x->known_deeds[deed->cause % size];
  if (known->cause != deed->cause)
    *known = *deed;
  else if (known->deed != deed->deed)
    did_something_else(x, &VEC_TOP(x->trace.events));
}

/* ---- undoing and repeating ------------------------------------------------
 */

void explorer_undo(struct explorer *x, size_t depth) {
  if (!x->diverged && !x->system->ops->undo(x->system, depth))
    diverge(x, x->system->ops->finding(x->system));
}

/* A step that the system refuses here it would refuse in an execution, too.
 * The search ends at once, and the system's finding stays as it is. */
bool explorer_probe(struct explorer *x, uint32_t proc, uint32_t choice,
                    struct step *step) {
  if (!x->system->ops->enabled(x->system, proc))
    return false;
  if (x->system->ops->step(x->system, proc, choice, step) != STEP_REFUSED)
    return true;
  x->refused = x->diverged = true;
  return false;
}

bool explorer_try(struct explorer *x, size_t position) {
  const struct event *e = &x->trace.events.at[position];
  struct step step = {0};
  return explorer_probe(x, e->proc, e->choice, &step) && e->op == step.op &&
         e->pc == step.pc && explorer_same_footprint(&x->trace, e, &step);
}

void explorer_retake(struct explorer *x, size_t position) {
  if (!x->diverged && !explorer_stale(x) && !explorer_try(x, position))
    did_something_else(x, &x->trace.events.at[position]);
}
