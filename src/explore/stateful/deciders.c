#include "explore/stateful/deciders.h"

#include <string.h>

#include "util/hostile.h"

/* Votes are few at first, and go both ways if processes are alike. */
enum { VOTES_LEAST = 3, VOTES_RATIO = 4 };

/* After so many executions the order is changed, if it is.  All of this is less
 * than what a search takes for which it matters. */
static const uint64_t lessons[] = {HOSTILE ? 2 : 64, HOSTILE ? 5 : 512,
                                   HOSTILE ? 12 : 4096, HOSTILE ? 20 : 32768};

enum { LESSONS = sizeof lessons / sizeof *lessons };

void deciders_vote(struct deciders *d, uint32_t a, uint32_t b) {
  if (a < DECIDERS_MOST && b < DECIDERS_MOST)
    d->votes[a][b]++;
}

static bool is_before(const struct deciders *d, unsigned a, unsigned b) {
  uint64_t against = (uint64_t)d->votes[b][a] * VOTES_RATIO;
  return d->votes[a][b] > against + VOTES_LEAST;
}

static void find_ranks(const struct deciders *d, int32_t *rank) {
  memset(rank, 0, DECIDERS_MOST * sizeof *rank);
  for (unsigned a = 0; a < DECIDERS_MOST; a++)
    for (unsigned b = 0; b < DECIDERS_MOST; b++)
      if (is_before(d, a, b)) {
        rank[a]++;
        rank[b]--;
      }
}

static bool same_order(const int32_t *x, const int32_t *y) {
  for (unsigned a = 0; a < DECIDERS_MOST; a++)
    for (unsigned b = 0; b < DECIDERS_MOST; b++)
      if ((x[a] > x[b]) != (y[a] > y[b]))
        return false;
  return true;
}

bool deciders_learn(struct deciders *d) {
  int32_t rank[DECIDERS_MOST];
  if (d->lessons == LESSONS || ++d->executions < lessons[d->lessons])
    return false;
  d->lessons++;
  find_ranks(d, rank);
  if (same_order(rank, d->rank))
    return false;
  memcpy(d->rank, rank, sizeof rank);
  d->executions = 0;
  return true;
}
