#include "explore/algorithms.h"

#include <stdlib.h>
#include <string.h>

#include "util/ensure.h"

/* ---- the lists ---------------------------------------------------------- */

static const struct algorithm *const built[] = {
#define ALGORITHM(id, name, help) &id##_algorithm,
#include "explore/algorithms.def"
};

static const struct algorithm *const printed[] = {
#define PRINTED(id, name, help) &printed_##id##_algorithm,
#include "explore/algorithms.def"
};

static const struct {
  const struct algorithm *algorithm;
  unsigned promises;
} promises[] = {
#define PROMISES(id, promises) {&id##_algorithm, promises},
#include "explore/algorithms.def"
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

_Static_assert(LENGTH(promises) == LENGTH(built), "each has its promises");

/* ---- the family quasi=K ------------------------------------------------- */

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
  q->algorithm = quasi_algorithm;
  q->algorithm.name = strcpy(q->name, name);
  q->algorithm.parameter = k;
  q->next = *list;
  *list = q;
  return &q->algorithm;
}

static const struct algorithm *find_quasi(const char *name) {
  static struct quasi *list;
  uint32_t k = algorithm_quasi(name);
  if (!k)
    return NULL;
  for (struct quasi *q = list; q; q = q->next)
    if (q->algorithm.parameter == k)
      return &q->algorithm;
  return add_quasi(&list, name, k);
}

/* ---- finding ------------------------------------------------------------ */

static const struct algorithm *find(const struct algorithm *const *list,
                                    size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (list[i] != &quasi_algorithm && !strcmp(list[i]->name, name))
      return list[i];
  return NULL;
}

const struct algorithm *algorithm_find(const char *name, bool as_printed) {
  const struct algorithm *found = NULL;
  if (as_printed)
    found = find(printed, LENGTH(printed), name);
  if (!found)
    found = find(built, LENGTH(built), name);
  return found ? found : find_quasi(name);
}

unsigned algorithm_promises(const struct algorithm *a) {
  if (a->printed)
    return MAY_LOSE;
  if (algorithm_quasi(a->name))
    a = &quasi_algorithm;
  for (size_t i = 0; i < LENGTH(promises); i++)
    if (promises[i].algorithm == a)
      return promises[i].promises;
  return 0;
}
