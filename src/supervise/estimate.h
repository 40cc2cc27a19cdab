/* How long a search will still take: an estimate with its uncertainty, for the
 * progress line and for --status-file. */
#ifndef SUPERVISE_ESTIMATE_H
#define SUPERVISE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/wire.h"

enum { ESTIMATES = 64 };

/* Estimates of one search, the latest last. */
struct estimate {
  struct {
    double seconds; /* since it began */
    double total;   /* executions, so many in all */
  } at[ESTIMATES];
  unsigned count;
  double done; /* the part that is done; negative: not known */
};

/* A new look at the counters. */
void estimate_add(struct estimate *, const struct counters *, double done,
                  double seconds);

/* Executions left: likely, at least, at most.  False: not known. */
bool estimate_left(const struct estimate *, const struct counters *,
                   double *likely, double *least, double *most);

/* Writes the state of the search to a file, as a whole or not at all. */
void status_write(const char *path, const char *state, const struct counters *,
                  const struct estimate *, double seconds);

#endif
