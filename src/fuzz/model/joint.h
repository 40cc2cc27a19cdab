/* Is it right that a read and the compare-and-swap behind it are one step?
 *
 * By the definition, with values one after the other: the swap is the next
 * operation and succeeds; if another value were found, it would fail and lead
 * the process to a state that it had since it last wrote, before it read, or
 * where it would be if it had read that value, or to another read, which leads
 * where the first would lead.  The model finds this out for all values at once
 * (system/model/retry.c).
 */
#ifndef FUZZ_MODEL_JOINT_H
#define FUZZ_MODEL_JOINT_H

#include "system/model/model.h"

/* keep */
struct joint {
  VEC(int64_t) values; /* that are tried */
  VEC(uint64_t)
  states; /* model_hash_live() of the process since it last wrote,
                           the present one included */
};

/* Finds the values, once for each program. */
void joint_values(struct joint *, const struct program *);
/* The next step of p, the one after `depth` others, is said to be both.  The
 * model is left as it was. */
bool joint_right(const struct joint *, struct model *, unsigned p,
                 size_t depth);
void joint_free(struct joint *);

#endif
