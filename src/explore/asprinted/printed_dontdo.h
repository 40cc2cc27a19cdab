/* Don't-do sets: sequences that need not be run from a node, because another
 * order of the same steps, which is explored, leads to the same state. */
#ifndef EXPLORE_ASPRINTED_PRINTED_DONTDO_H
#define EXPLORE_ASPRINTED_PRINTED_DONTDO_H

#include "explore/asprinted/printed_sequence.h"

/* keep */
struct dontdo {
  VEC(struct printed_sequence *) list;
};

void dontdo_free(struct dontdo *);

/* Adds a sequence, unless it is there.  The caller keeps its own hold. */
void dontdo_add(struct dontdo *, struct printed_sequence *);

/* Is a sequence left that consists of this step? */
bool dontdo_forbids(const struct dontdo *, uint32_t proc, uint32_t choice);
/* The same with any alternative of the step. */
bool dontdo_forbids_process(const struct dontdo *, uint32_t proc);

/* The shortest sequence that begins with the process, or UINT32_MAX. */
uint32_t dontdo_shortest(const struct dontdo *, uint32_t proc);

/* Which sequences stay below the step x. */
struct dontdo_inheritance {
  bool observers; /* two writes are independent unless observed */
  bool anywhere;  /* x is also taken out of the middle: section 4.4 */
};

void dontdo_inherit(const struct dontdo *, struct printed_act_of x,
                    struct dontdo_inheritance, struct dontdo *child);

#endif
