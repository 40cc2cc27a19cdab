#include "supervise/estimate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/atomic.h"

/* An estimate that has settled is seldom wrong by more: measured, see
 * docs/algorithms/progress.md. */
#define USUAL_ERROR 2.0

/* If there is no more room, every second one is dropped. */
static void thin_out(struct estimate *e) {
  for (unsigned i = 0; i < ESTIMATES / 2; i++)
    e->at[i] = e->at[2 * i + 1];
  e->count = ESTIMATES / 2;
}

void estimate_add(struct estimate *e, const struct counters *c, double done,
                  double seconds) {
  e->done = done;
  if (done <= 0)
    return;
  if (e->count == ESTIMATES)
    thin_out(e);
  e->at[e->count].seconds = seconds;
  e->at[e->count++].total = (double)c->executions / done;
}

/* The estimate of the middle of the time so far. */
static double middle_total(const struct estimate *e) {
  unsigned i = 0;
  while (e->at[i].seconds < e->at[e->count - 1].seconds / 2)
    i++;
  return e->at[i].total;
}

/* Estimates of a young search are mostly too small, since branches are found on
 * the way.  If the estimate has grown since the middle of the time, it may well
 * grow as much again, twice; likewise if it has become smaller. */
static double error_of(double change) {
  double error = change * change;
  return error > USUAL_ERROR ? error : USUAL_ERROR;
}

bool estimate_left(const struct estimate *e, const struct counters *c,
                   double *likely, double *least, double *most) {
  if (!e->count || e->done <= 0)
    return false;
  double total = e->at[e->count - 1].total, so_far = (double)c->executions;
  double growth = total / middle_total(e);
  double low = total / error_of(1 / growth), high = total * error_of(growth);
  if (e->done >= 1)
    high = total;
  *likely = total > so_far ? total - so_far : 0;
  *least = low > so_far ? low - so_far : 0;
  *most = high > so_far ? high - so_far : 0;
  return true;
}

/* ---- the status file ----------------------------------------------------- */

static void write_left(FILE *to, const struct counters *c,
                       const struct estimate *e, double seconds) {
  double likely, least, most;
  if (!estimate_left(e, c, &likely, &least, &most)) {
    fputs("null", to);
    return;
  }
  double each = c->executions ? seconds / (double)c->executions : 0;
  fprintf(to,
          "{\"done\": %.6g, \"executions\": %.0f, \"executions_least\": %.0f, "
          "\"executions_most\": %.0f, \"seconds\": %.1f, \"seconds_least\": "
          "%.1f, \"seconds_most\": %.1f}",
          e->done, likely, least, most, likely * each, least * each,
          most * each);
}

void status_write(const char *path, const char *state, const struct counters *c,
                  const struct estimate *e, double seconds) {
  struct atomic_file file;
  if (!atomic_open(&file, path))
    return;
  fprintf(file.to,
          "{\"state\": \"%s\", \"executions\": %" PRIu64
          ", \"blocked\": %" PRIu64 ", \"steps\": %" PRIu64
          ", \"seconds\": %.1f, \"left\": ",
          state, c->executions, c->blocked, c->steps, seconds);
  write_left(file.to, c, e, seconds);
  fputs("}\n", file.to);
  atomic_close(&file);
}
