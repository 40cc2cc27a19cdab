/* The algorithms, by the names in algorithms.def. */
#ifndef EXPLORE_ALGORITHMS_H
#define EXPLORE_ALGORITHMS_H

#include "core/explore.h"

extern const struct algorithm naive_algorithm;
extern const struct algorithm dpor_algorithm;
extern const struct algorithm source_algorithm;
extern const struct algorithm optimal_algorithm;
extern const struct algorithm cs_algorithm;
extern const struct algorithm optimal_cs_algorithm;

/* NULL: there is none of that name. */
const struct algorithm *algorithm_find(const char *name);

#endif
