#include "explore/algorithms.h"

#include <string.h>

const struct algorithm *algorithm_find(const char *name) {
  static const struct algorithm *const all[] = {
      &naive_algorithm,   &dpor_algorithm,       &source_algorithm,
      &optimal_algorithm, &optimal_cs_algorithm, &cs_algorithm};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i]->name, name))
      return all[i];
  return NULL;
}
