/* pos: partial-order sampling.
 *
 * After X. Yuan, J. Yang, R. Gu: Partial order aware concurrency sampling,
 * CAV 2018.  Every step that could be next has a priority by chance, and the
 * highest is taken.  Steps that depend on it draw a new priority: so each order
 * of dependent steps has its chance, however many independent steps there are
 * beside them.
 */
#include "explore/algorithms.h"
#include "explore/sampling/sampling.h"

static void begin(struct sampler *s) {
  (void)s;
}

/* Does the next step of the process depend on the newest event? */
static bool depends(const struct sampler *s, uint32_t proc) {
  const struct trace *t = &s->x->trace;
  const struct event *e = &VEC_TOP(t->events);
  struct step step;
  return s->x->system->ops->pending(s->x->system, proc, &step) &&
         footprint_conflict(event_access(t, e), e->accesses, step.access,
                            step.accesses);
}

static void stepped(struct sampler *s) {
  uint32_t moved = VEC_TOP(s->x->trace.events).proc;
  for (uint32_t p = 0; p < s->priorities.size; p++)
    if (p == moved || (s->priorities.at[p] && depends(s, p)))
      s->priorities.at[p] = 0; /* drawn anew when it is asked for */
}

static const struct strategy pos_strategy = {begin, sampler_highest, stepped};

SAMPLER(pos, "pos");
