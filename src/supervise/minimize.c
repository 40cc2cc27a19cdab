/* Searching for the smallest schedule: fewest preemptions, then fewest steps.
 *
 * 1. The steps of the schedule at hand are put into other orders
 *    (WIRE_REGROUP): that is cheap and helps always.
 * 2. `optimal` searches with 0, 1, 2, ... preemptions (WIRE_SEEK), up to as
 *    many as the best schedule has.
 * 3. With a bound, `optimal` does not find everything.  `naive` does, and is
 *    asked as well.
 *
 * For a livelock, the first of the searches of 2. that finds it counts.
 *
 * The searches are bounded by steps, so that the report is the same every
 * time, and by the clock.
 */
#include "supervise/minimize.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/target.h"
#include "util/ensure.h"

/* A search takes some million steps in a second. */
enum { STEPS_A_SECOND = 500000, STEPS_FOR_SHORTER = 50000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void minimizer_open(struct minimizer *m, struct evidence *evidence,
                    uint64_t seconds, size_t errors) {
  if (seconds > UINT32_MAX)
    seconds = UINT32_MAX;
  m->evidence = evidence;
  m->deadline = now() + (double)seconds;
  m->steps = seconds * STEPS_A_SECOND / (errors ? errors : 1);
}

/* ---- runs ---------------------------------------------------------------- */

/* The search for one finding. */
struct hunt {
  struct minimizer *m;
  const struct run *run;
  const struct run_finding *finding;
  uint64_t steps;          /* left */
  struct run_finding best; /* its moves are ours */
};

static struct wire_target target_of(const struct hunt *h) {
  const struct wire_finding *wire = &h->finding->wire;
  return (struct wire_target){
      .kind = wire->kind,
      .line = wire->line,
      .pc = run_offset(h->run, wire->pc),
      .other_pc = run_offset(h->run, wire->other_pc),
      .texts = target_texts(wire->kind, h->finding->file, h->finding->message)};
}

/* Whole seconds, at least one. */
static uint64_t seconds_left(const struct hunt *h) {
  double left = h->m->deadline - now();
  return left < 1 ? 1 : (uint64_t)left;
}

static bool is_over(const struct hunt *h) {
  return h->m->evidence->lost || supervise_interrupted() || !h->steps ||
         now() >= h->m->deadline;
}

/* The finding with its new schedule.  False: the run did not lead to it. */
static bool run_for(struct hunt *h, struct run_request *request,
                    struct run_finding *found) {
  struct run again;
  struct evidence *e = h->m->evidence;
  request->binary = e->program->binary;
  request->argv = e->program->argv;
  request->settings.kind = h->finding->wire.kind;
  request->settings.target = target_of(h);
  request->settings.options.time_limit = seconds_left(h);
  if (!supervise(request, &again))
    return false;
  bool good = again.findings.size == 1;
  if (good) {
    *found = *h->finding;
    found->wire.moves = again.findings.at[0].wire.moves;
    found->wire.preemptions = again.findings.at[0].wire.preemptions;
    found->moves = again.findings.at[0].moves;
    again.findings.at[0].moves = 0;
  }
  uint64_t steps = again.counters.steps;
  h->steps -= steps < h->steps ? steps : h->steps;
  run_free(&again);
  return good;
}

static bool regroup(struct hunt *h, const struct run_finding *from,
                    struct run_finding *found) {
  struct run_request request = {.settings = h->m->evidence->settings,
                                .moves = from->moves};
  request.settings.mode = WIRE_REGROUP;
  request.settings.moves = from->wire.moves;
  return run_for(h, &request, found);
}

/* Of a race only the data race itself is of interest, else the error. */
static void set_options(const struct hunt *h, struct options *options) {
  if (h->finding->wire.kind == FINDING_RACE)
    options->races = RACES_ERROR;
  else if (options->interfere == INTERFERE_ALL)
    options->races = RACES_OFF;
  options->skip = SKIP_DEFAULT;
  options->as_printed = options->no_refine = options->verify = 0;
  options->outcomes = 0;
}

/* The steps of the best schedule as a search counts them. */
static uint64_t best_length(const struct hunt *h) {
  uint64_t length = 0;
  for (uint32_t i = 0; i < h->best.wire.moves; i++)
    length += !(h->best.moves[i].choice & MOVE_LOCAL);
  return length;
}

/* With as many preemptions as the best schedule has, only a shorter one will
 * do, and that is worth less. */
static void set_bounds(const struct hunt *h, uint32_t preemptions,
                       struct control *settings) {
  settings->budget = h->steps;
  settings->options.preemptions = preemptions;
  if (preemptions < h->best.wire.preemptions)
    return;
  if (settings->budget > STEPS_FOR_SHORTER)
    settings->budget = STEPS_FOR_SHORTER;
  uint64_t length = best_length(h);
  settings->options.max_steps = length > 1 ? length - 1 : 1;
}

static bool seek(struct hunt *h, const char *algorithm, uint32_t preemptions,
                 struct run_finding *found) {
  struct run_request request = {.settings = h->m->evidence->settings};
  request.settings.mode = WIRE_SEEK;
  set_options(h, &request.settings.options);
  set_bounds(h, preemptions, &request.settings);
  strcpy(request.settings.algorithm, algorithm);
  return run_for(h, &request, found);
}

/* ---- the search ---------------------------------------------------------- */

static bool is_smaller(const struct run_finding *a,
                       const struct run_finding *b) {
  if (a->wire.preemptions != b->wire.preemptions)
    return a->wire.preemptions < b->wire.preemptions;
  return a->wire.moves < b->wire.moves;
}

/* Takes over the moves. */
static void keep_smaller(struct hunt *h, struct run_finding *found) {
  struct run_finding *loser = found;
  struct run_finding old = h->best;
  if (is_smaller(found, &h->best)) {
    h->best = *found;
    loser = &old;
  }
  free(loser->moves);
}

/* What a search finds is regrouped, too: then its preemptions are known. */
static void take_sought(struct hunt *h, struct run_finding *sought) {
  struct run_finding found;
  if (regroup(h, sought, &found))
    keep_smaller(h, &found);
  free(sought->moves);
}

/* Searches with more and more preemptions, up to those of the best schedule.
 * A search may count fewer of them: to a replay, threads that wait in a loop
 * are enabled. */
static void seek_with(struct hunt *h, const char *algorithm) {
  struct run_finding sought;
  for (uint32_t n = 0; n <= h->best.wire.preemptions && !is_over(h); n++)
    if (seek(h, algorithm, n, &sought))
      take_sought(h, &sought);
}

/* What is not deterministic is not searched for. */
static bool is_possible(const struct run_finding *f) {
  return f->wire.kind != FINDING_NONDETERMINISM && f->wire.moves;
}

/* A livelock is not at the end of a schedule, but goes on behind it: its steps
 * are not put into other orders. */
static bool seek_livelock(struct hunt *h, struct run_finding *smaller) {
  enum { MOST_PREEMPTIONS = 2 };
  h->best.wire.preemptions = UINT32_MAX;
  for (uint32_t n = 0; n <= MOST_PREEMPTIONS && !is_over(h); n++)
    if (seek(h, "optimal", n, smaller))
      return true;
  return false;
}

bool minimize(struct minimizer *m, const struct run *run,
              const struct run_finding *finding, struct run_finding *smaller) {
  struct hunt h = {.m = m, .run = run, .finding = finding, .steps = m->steps};
  if (!is_possible(finding) || is_over(&h))
    return false;
  if (finding->wire.kind == FINDING_LIVELOCK)
    return seek_livelock(&h, smaller);
  if (!regroup(&h, finding, &h.best))
    return false;
  if (!finding->wire.warning) {
    seek_with(&h, "optimal");
    seek_with(&h, "naive");
  }
  *smaller = h.best;
  return true;
}
