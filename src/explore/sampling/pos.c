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

static const struct strategy pos_strategy = {begin, sampler_highest,
                                             sampler_renew_dependent};

SAMPLER(pos, "pos");
