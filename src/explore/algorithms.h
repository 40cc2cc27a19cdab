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
extern const struct algorithm unfold_algorithm; /* also quasi=K */
extern const struct algorithm dc_algorithm;

/* As the papers print them: for their tables, not for verdicts. */
extern const struct algorithm printed_cs_algorithm;
extern const struct algorithm printed_optimal_cs_algorithm;
extern const struct algorithm printed_optimal_cs_ob_algorithm;

/* The algorithm of that name, or its printed form if it has one and that is
 * asked for.  NULL: there is none. */
const struct algorithm *algorithm_find(const char *name, bool as_printed);

/* K if the name is quasi=K, with K from 1 and without zeros before it; else 0.
 */
static inline uint32_t algorithm_quasi(const char *name) {
  static const char stem[] = "quasi=";
  uint32_t k = 0;
  for (unsigned i = 0; i < sizeof stem - 1; i++)
    if (*name++ != stem[i])
      return 0;
  if (*name == '0')
    return 0;
  for (; *name >= '0' && *name <= '9' && k < 100000000; name++)
    k = 10 * k + (uint32_t)(*name - '0');
  return *name ? 0 : k;
}

#endif
