#include "cli/suggest.h"

#include <string.h>

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* How many letters must be changed, added or removed. */
static size_t distance(const char *a, const char *b) {
  enum { LONGEST = 40 };
  size_t m = strlen(a), n = strlen(b);
  size_t row[LONGEST + 1];
  if (m > LONGEST || n > LONGEST)
    return LONGEST;
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 1; i <= m; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      size_t above = row[j];
      row[j] = least(least(row[j - 1], above) + 1,
                     diagonal + (a[i - 1] != b[j - 1]));
      diagonal = above;
    }
  }
  return row[n];
}

void suggest(struct suggestion *s, const char *candidate) {
  size_t d = distance(s->wanted, candidate);
  /* The beginning of a name counts as a slip, too. */
  if (strlen(s->wanted) > 2 &&
      !strncmp(s->wanted, candidate, strlen(s->wanted)))
    d = 1;
  if (d < s->distance) {
    s->distance = d;
    s->best = candidate;
  }
}

struct suggestion suggestion_for(const char *wanted) {
  size_t farthest = strlen(wanted) < 5 ? 2 : 4;
  return (struct suggestion){wanted, 0, farthest};
}
