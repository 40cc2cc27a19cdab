#include "supervise/hunting.h"

#include <string.h>
#include <time.h>

/* The steps of a search before an early pause, a few hundredths of a second,
 * and before the next one: half a second, or less.  A hunt costs at least the
 * start of a process, so the early pause has two only. */
enum { EARLY_PAUSE = 20000, EARLY_HUNTS = 2 };
enum { FIRST_PAUSE = 400000, GROWTH = 4, SHARE = 4 };

/* With a bound, `optimal` is quick and may miss something; `naive` does not. */
static const struct hunt_kind {
  const char *words;
  const char *algorithm;
  uint64_t preemptions;
} kinds[HUNTS] = {
    {"executions without preemptions", "naive", 0},
    {"executions with at most 1 preemption", "optimal", 1},
    {"samples (pairs)", "pairs", UINT64_MAX},
    {"all executions with at most 1 preemption", "naive", 1},
    {"executions with at most 2 preemptions", "optimal", 2},
    {"samples (pct=3)", "pct=3", UINT64_MAX},
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- one hunt ------------------------------------------------------------ */

/* The search reports data races; a hunt looks for errors. */
static void set_options(struct hunter *h, const struct hunt_kind *kind,
                        struct options *options) {
  if (options->races == RACES_WARN && options->interfere == INTERFERE_ALL)
    options->races = RACES_OFF;
  options->outcomes = options->verify = 0;
  options->preemptions = kind->preemptions;
  options->skip = SKIP_DEFAULT;
  options->sample_seed += h->round;
  options->time_limit = h->seconds < 1 ? 1 : (uint64_t)h->seconds;
}

static bool has_error(const struct run *run) {
  for (size_t i = 0; i < run->findings.size; i++)
    if (!run->findings.at[i].wire.warning)
      return true;
  return false;
}

/* True: it has found an error, and the run is kept. */
static bool hunt(struct hunter *h, size_t k, uint64_t budget) {
  struct run_request request = *h->search;
  double start = now();
  request.paused = 0;
  request.label = "hunting: ";
  request.status = 0;
  request.state = "hunting";
  request.checkpoint = 0;
  request.resume = 0;
  request.settings.pause_at = 0;
  request.settings.budget = budget;
  request.settings.examples = 0;
  strcpy(request.settings.algorithm, kinds[k].algorithm);
  set_options(h, &kinds[k], &request.settings.options);
  if (!supervise(&request, &h->run))
    return false;
  h->seconds -= now() - start;
  h->executions += h->run.counters.executions;
  h->steps += h->run.counters.steps;
  h->over[k] = kinds[k].preemptions != UINT64_MAX && h->run.end == RUN_DONE &&
               h->run.counters.steps < budget;
  return has_error(&h->run);
}

/* ---- all hunts of a pause ------------------------------------------------ */

static void hunt_all(struct hunter *h, const struct counters *counters,
                     size_t hunts) {
  uint64_t budget = 1 + counters->steps / SHARE / hunts;
  for (size_t k = 0; k < hunts; k++) {
    if (h->over[k] || h->seconds <= 0 || supervise_must_end())
      continue;
    if (hunt(h, k, budget)) {
      h->strategy = kinds[k].words;
      h->searched = counters->executions;
      return;
    }
    run_free(&h->run);
    memset(&h->run, 0, sizeof h->run);
  }
}

/* The first pause comes early, unless steps are slow. */
void hunter_hunt(struct hunter *h, const struct counters *counters, bool slow) {
  uint64_t steps = counters->steps;
  bool is_due = steps >= h->due;
  bool early = is_due && h->due == EARLY_PAUSE && steps < FIRST_PAUSE;
  if (h->due == UINT64_MAX || (!is_due && (!slow || h->round)))
    return;
  hunt_all(h, counters, early ? EARLY_HUNTS : HUNTS);
  h->round += !early;
  h->due = early ? FIRST_PAUSE : GROWTH * (1 + steps);
  if (h->seconds <= 0)
    h->due = UINT64_MAX;
}

void hunter_prepare(struct hunter *h, const struct run_request *search,
                    uint64_t seconds) {
  *h = (struct hunter){.search = search,
                       .seconds = (double)seconds,
                       .due = seconds ? EARLY_PAUSE : UINT64_MAX};
}

void hunter_free(struct hunter *h) {
  run_free(&h->run);
}
