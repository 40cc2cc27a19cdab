/* C8: what may_touch() denies does not happen.
 *
 * From the state in question the other processes run on: first each as long as
 * it can before the next one, then in turns.  None of their steps may conflict
 * with the bytes in question.
 */
#include "inside.h"

#include "core/trace.h"

enum { AHEAD = 64 }; /* steps of each run */

#define NO_PROCESS UINT32_MAX

/* The next process after `last`, other than `but`, that is enabled; NO_PROCESS:
 * none is.  See both_orders.c for OP_CREATE. */
static unsigned next_enabled(const struct check *c, unsigned but,
                             unsigned last) {
  for (unsigned i = 1; i <= c->inner->processes; i++) {
    unsigned p = (last + i) % c->inner->processes;
    struct step pending;
    if (p != but && inner_enabled(c, p) && inner_pending(c, p, &pending) &&
        pending.op != OP_CREATE)
      return p;
  }
  return NO_PROCESS;
}

static bool run_on(struct check *c, unsigned but, bool in_turns,
                   const struct access *access, uint32_t count) {
  unsigned last = 0;
  for (unsigned i = 0; i < AHEAD; i++) {
    struct step step;
    unsigned p =
        next_enabled(c, but, in_turns ? last : last + c->inner->processes - 1);
    if (p == NO_PROCESS)
      return true;
    if (witnessed_step(c, p, &step) == STEP_REFUSED || inner_stale(c))
      return false;
    if (footprint_conflict(access, count, step.access, step.accesses))
      mistake(c,
              "C8: may_touch() says that only T%u can touch this, but T%u does "
              "(%s)",
              but, p, op_name(step.op));
    last = p;
  }
  return true;
}

bool leaves_be(struct check *c, unsigned but, const struct access *access,
               uint32_t count) {
  size_t depth = c->path.steps.size;
  bool known = run_on(c, but, false, access, count);
  known = inner_undo(c, depth) && known && run_on(c, but, true, access, count);
  known = inner_undo(c, depth) && known;
  c->system.processes = c->inner->processes;
  c->totals.left_be++;
  return known;
}
