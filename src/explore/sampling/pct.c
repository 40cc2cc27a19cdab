/* pct=D: few changes of priority, at places by chance.
 *
 * After S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte: A randomized
 * scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010.  Every
 * process has a priority by chance; the one with the highest moves.  At D - 1
 * places of the execution the process that has just moved falls behind all
 * others.  An error that needs D places in a certain order is then found by
 * each run with a probability of at least 1 / (n * k^(D-1)), for n processes
 * and k steps.
 *
 * How long an execution will be is not known: the longest of the first hundred
 * counts.
 */
#include "explore/algorithms.h"
#include "explore/sampling/sampling.h"

enum { GUESSED_LENGTH = 64 };

/* The places where the priority changes. */
static void begin(struct sampler *s) {
  uint64_t length = s->x->sampled_depth;
  if (!length)
    length = GUESSED_LENGTH;
  s->changes.size = 0;
  for (uint32_t i = 1; i < s->x->algorithm->parameter; i++)
    VEC_PUSH(s->changes,
             1 + rng_below(&s->rng, length < UINT32_MAX ? (uint32_t)length
                                                        : UINT32_MAX));
}

/* The later of two changes leads further down. */
static void stepped(struct sampler *s) {
  uint32_t proc = VEC_TOP(s->x->trace.events).proc;
  for (size_t i = 0; i < s->changes.size; i++)
    if (s->changes.at[i] == trace_length(&s->x->trace))
      s->priorities.at[proc] = s->changes.size - i;
}

static const struct strategy pct_strategy = {begin, sampler_highest, stepped};

SAMPLER(pct, "pct=D");
