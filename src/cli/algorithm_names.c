#include "cli/algorithm_names.h"

#include <string.h>

#include "cli/suggest.h"
#include "explore/algorithms.h"
#include "host/complain.h"

const struct algorithm_name algorithm_names[] = {
#define ALGORITHM(id, name, help) {name, help},
#include "explore/algorithms.def"
};

const struct algorithm_name printed_names[] = {
#define PRINTED(id, name, help) {name, help},
#include "explore/algorithms.def"
};

const size_t algorithm_name_count =
    sizeof algorithm_names / sizeof *algorithm_names;
const size_t printed_name_count = sizeof printed_names / sizeof *printed_names;

static bool is_among(const struct algorithm_name *names, size_t count,
                     const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(names[i].name, name))
      return true;
  return false;
}

/* Is it the name of an algorithm with a number, or the beginning of one? */
static const char *stem_of(const char *name, bool *complete) {
  for (size_t i = 0; i < ALGORITHM_FAMILIES; i++) {
    const char *stem = algorithm_families[i].stem;
    size_t length = strlen(stem);
    *complete = algorithm_number(&algorithm_families[i], name) != 0;
    if (!strncmp(name, stem, length) ||
        (strlen(name) == length - 1 && !strncmp(name, stem, length - 1)))
      return stem;
  }
  return NULL;
}

static void complain_unknown(const char *name) {
  struct suggestion s = suggestion_for(name);
  for (size_t i = 0; i < algorithm_name_count; i++)
    suggest(&s, algorithm_names[i].name);
  complain("--algo %s: there is no such algorithm%s%s%s", name,
           s.best ? "; did you mean " : "; see heddle check --help",
           s.best ? s.best : "", s.best ? "?" : "");
}

bool algorithm_is_known(const char *name, bool as_printed) {
  bool complete;
  const char *stem = stem_of(name, &complete);
  if (stem && !complete)
    complain("--algo %s: a whole number from 1 must follow, as in %s2", name,
             stem);
  if (stem)
    return complete;
  if (is_among(algorithm_names, algorithm_name_count, name))
    return true;
  bool printed = is_among(printed_names, printed_name_count, name);
  if (!printed)
    complain_unknown(name);
  else if (!as_printed)
    complain("--algo %s: only together with --as-printed", name);
  return printed && as_printed;
}
