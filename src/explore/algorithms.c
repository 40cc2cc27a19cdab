#include "explore/algorithms.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

static const struct algorithm *find(const struct algorithm *const *list,
                                    size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i]->name, name))
      return list[i];
  return NULL;
}

/* keep.  One for each K that was ever asked for. */
struct quasi {
  struct algorithm algorithm;
  char name[32];
  struct quasi *next;
};

static const struct algorithm *add_quasi(struct quasi **list, const char *name,
                                         uint32_t k) {
  struct quasi *q = calloc(1, sizeof *q);
  ensure(q && strlen(name) < sizeof q->name);
  q->algorithm = unfold_algorithm;
  q->algorithm.name = strcpy(q->name, name);
  q->algorithm.spikes = k;
  q->next = *list;
  *list = q;
  return &q->algorithm;
}

/* "quasi=K" */
static const struct algorithm *find_quasi(const char *name) {
  static struct quasi *list;
  uint32_t k = algorithm_quasi(name);
  if (!k)
    return NULL;
  for (struct quasi *q = list; q; q = q->next)
    if (q->algorithm.spikes == k)
      return &q->algorithm;
  return add_quasi(&list, name, k);
}

const struct algorithm *algorithm_find(const char *name, bool as_printed) {
  static const struct algorithm *const all[] = {
      &naive_algorithm,     &dpor_algorithm,          &source_algorithm,
      &optimal_algorithm,   &optimal_cs_algorithm,    &cs_algorithm,
      &observers_algorithm, &optimal_cs_ob_algorithm, &unfold_algorithm,
      &dc_algorithm};
  static const struct algorithm *const printed[] = {
      &printed_cs_algorithm, &printed_optimal_cs_algorithm,
      &printed_optimal_cs_ob_algorithm};
  const struct algorithm *found = NULL;
  if (as_printed)
    found = find(printed, sizeof printed / sizeof *printed, name);
  if (!found)
    found = find(all, sizeof all / sizeof *all, name);
  return found ? found : find_quasi(name);
}
