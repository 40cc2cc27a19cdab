/* pairs: samples guided by coverage of racing pairs.
 *
 * A racing pair is two places in the code whose steps raced in some run.  As in
 * pos, every step that could be next has a priority by chance.  But where a
 * step is the first of a pair of which the other order was never seen, it is
 * put off in half of the cases: behind all others, until a step comes that
 * depends on it, or no other process can move.  So orders that chance shows
 * seldom are sought; when every pair was seen in both orders, it is pos.
 *
 * The idea is that of active testing: K. Sen, Race directed random testing of
 * concurrent programs, PLDI 2008, without its first phase: the pairs are those
 * of the runs so far.
 */
#include "explore/algorithms.h"
#include "explore/sampling/sampling.h"

static void begin(struct sampler *s) {
  (void)s;
}

/* Is the pending step of the process the first of a pair that was never seen
 * the other way round? */
static bool is_worth_delay(struct sampler *s, uint32_t proc) {
  struct step step;
  return s->x->system->ops->pending(s->x->system, proc, &step) &&
         sampler_always_first(s, step.pc);
}

static uint32_t choose(struct sampler *s) {
  for (size_t i = 0; i < s->enabled.size; i++) {
    uint32_t best = sampler_highest(s);
    bool delayed = s->priorities.at[best] < PRIORITY_LOW;
    if (delayed || !is_worth_delay(s, best) || rng_below(&s->rng, 2))
      return best;
    s->priorities.at[best] = 1 + rng_below(&s->rng, PRIORITY_LOW - 1);
  }
  return sampler_highest(s);
}

static const struct strategy pairs_strategy = {begin, choose,
                                               sampler_renew_dependent};

SAMPLER(pairs, "pairs", .alone = true);
