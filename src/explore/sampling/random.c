/* random: at each step, any process that can move, all with the same chance. */
#include "explore/algorithms.h"
#include "explore/sampling/sampling.h"

static void begin(struct sampler *s) {
  (void)s;
}

static uint32_t choose(struct sampler *s) {
  return s->enabled.at[rng_below(&s->rng, (uint32_t)s->enabled.size)];
}

static void stepped(struct sampler *s) {
  (void)s;
}

static const struct strategy random_strategy = {begin, choose, stepped};

SAMPLER(random, "random");
