/* The algorithms, by the names in algorithms.def. */
#ifndef EXPLORE_ALGORITHMS_H
#define EXPLORE_ALGORITHMS_H

#include "core/explore.h"

extern const struct algorithm naive_algorithm;
extern const struct algorithm dpor_algorithm;
extern const struct algorithm source_algorithm;
extern const struct algorithm optimal_algorithm;
extern const struct algorithm observers_algorithm;
extern const struct algorithm cs_algorithm;
extern const struct algorithm optimal_cs_algorithm;
extern const struct algorithm optimal_cs_ob_algorithm;
extern const struct algorithm dc_algorithm;

/* As the papers print them: for their tables, not for verdicts. */
extern const struct algorithm printed_cs_algorithm;
extern const struct algorithm printed_optimal_cs_algorithm;
extern const struct algorithm printed_optimal_cs_ob_algorithm;

/* The algorithm of that name, or its printed form if it has one and that is
 * asked for.  NULL: there is none. */
const struct algorithm *algorithm_find(const char *name, bool as_printed);

#endif
