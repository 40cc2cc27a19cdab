#include "explore/algorithms.h"

#include <string.h>

static const struct algorithm *find(const struct algorithm *const *list,
                                    size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i]->name, name))
      return list[i];
  return NULL;
}

const struct algorithm *algorithm_find(const char *name, bool as_printed) {
  static const struct algorithm *const all[] = {
      &naive_algorithm,     &dpor_algorithm,          &source_algorithm,
      &optimal_algorithm,   &optimal_cs_algorithm,    &cs_algorithm,
      &observers_algorithm, &optimal_cs_ob_algorithm, &dc_algorithm};
  static const struct algorithm *const printed[] = {
      &printed_cs_algorithm, &printed_optimal_cs_algorithm,
      &printed_optimal_cs_ob_algorithm};
  const struct algorithm *found = NULL;
  if (as_printed)
    found = find(printed, sizeof printed / sizeof *printed, name);
  return found ? found : find(all, sizeof all / sizeof *all, name);
}
