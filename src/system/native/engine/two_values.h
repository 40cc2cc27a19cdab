/* Places that have only two values: see two_values.c. */
#ifndef SYSTEM_NATIVE_ENGINE_TWO_VALUES_H
#define SYSTEM_NATIVE_ENGINE_TWO_VALUES_H

#include "engine.h"

/* A loop looks at the place for the first time. */
void two_values_begin(struct looked *);
/* A step was taken. */
void two_values_written(struct looked *, const struct record *);
/* Has the place, as far as is known, only these values?  If so, the search
 * begins anew when it gets another one. */
bool two_values_rely(const struct access *, uint64_t one, uint64_t other);

/* The value besides this one, if the place has had no third. */
bool two_values_other(const struct access *, uint64_t one, uint64_t *other);

#endif
