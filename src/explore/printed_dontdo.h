/* Don't-do sets: sequences that need not be run from a node, because another
 * order of the same steps, which is explored, leads to the same state. */
#ifndef EXPLORE_PRINTED_DONTDO_H
#define EXPLORE_PRINTED_DONTDO_H

#include "explore/printed_sequence.h"

/* keep */
struct dontdo {
  VEC(struct sequence *) list;
};

void dontdo_free(struct dontdo *);

/* Adds what the caller goes on holding, unless it is there. */
void dontdo_add(struct dontdo *, struct sequence *);

/* Is this step all that is left of a sequence? */
bool dontdo_forbids(const struct dontdo *, uint32_t proc, uint32_t choice);
/* ... with whatever alternative? */
bool dontdo_forbids_process(const struct dontdo *, uint32_t proc);

/* The shortest sequence that begins with the process, or UINT32_MAX. */
uint32_t dontdo_shortest(const struct dontdo *, uint32_t proc);

/* Which sequences stay below the step x. */
struct inheritance {
  bool observers; /* two writes are independent unless observed */
  bool anywhere;  /* x is also taken out of the middle: section 4.4 */
};

void dontdo_inherit(const struct dontdo *, struct act_of x, struct inheritance,
                    struct dontdo *child);

#endif
