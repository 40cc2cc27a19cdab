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

/* ---- algorithms with a number ------------------------------------------- */

const struct algorithm_family algorithm_families[ALGORITHM_FAMILIES] = {
    {"quasi=", &quasi_algorithm},
    {"pct=", &pct_algorithm},
};

uint32_t algorithm_number(const struct algorithm_family *f, const char *name) {
  size_t length = strlen(f->stem);
  uint32_t number = 0;
  if (strncmp(name, f->stem, length) != 0 || name[length] == '0')
    return 0;
  for (name += length; *name >= '0' && *name <= '9' && number < 100000000;
       name++)
    number = 10 * number + (uint32_t)(*name - '0');
  return *name ? 0 : number;
}

static const struct algorithm_family *family_of(const char *name) {
  for (size_t i = 0; i < ALGORITHM_FAMILIES; i++)
    if (algorithm_number(&algorithm_families[i], name))
      return &algorithm_families[i];
  return NULL;
}

/* keep.  One for each that was ever asked for. */
struct member {
  struct algorithm algorithm;
  char name[32];
  struct member *next;
};

static const struct algorithm *add_member(struct member **list,
                                          const struct algorithm_family *f,
                                          const char *name) {
  struct member *m = calloc(1, sizeof *m);
  ensure(m && strlen(name) < sizeof m->name);
  m->algorithm = *f->algorithm;
  m->algorithm.name = strcpy(m->name, name);
  m->algorithm.parameter = algorithm_number(f, name);
  m->next = *list;
  *list = m;
  return &m->algorithm;
}

static const struct algorithm *find_member(const char *name) {
  static struct member *list;
  const struct algorithm_family *f = family_of(name);
  if (!f)
    return NULL;
  for (struct member *m = list; m; m = m->next)
    if (!strcmp(m->name, name))
      return &m->algorithm;
  return add_member(&list, f, name);
}

static bool heads_family(const struct algorithm *a) {
  for (size_t i = 0; i < ALGORITHM_FAMILIES; i++)
    if (algorithm_families[i].algorithm == a)
      return true;
  return false;
}

/* ---- finding ------------------------------------------------------------ */

static const struct algorithm *find(const struct algorithm *const *list,
                                    size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!heads_family(list[i]) && !strcmp(list[i]->name, name))
      return list[i];
  return NULL;
}

const struct algorithm *algorithm_find(const char *name, bool as_printed) {
  const struct algorithm *found = NULL;
  if (as_printed)
    found = find(printed, LENGTH(printed), name);
  if (!found)
    found = find(built, LENGTH(built), name);
  return found ? found : find_member(name);
}

unsigned algorithm_promises(const struct algorithm *a) {
  if (a->printed)
    return MAY_LOSE;
  const struct algorithm_family *family = family_of(a->name);
  if (family)
    a = family->algorithm;
  for (size_t i = 0; i < LENGTH(promises); i++)
    if (promises[i].algorithm == a)
      return promises[i].promises;
  return 0;
}
