#include "supervise/turns.h"

#include <stdlib.h>
#include <string.h>

/* The first turn comes after so many steps of the search, a tenth of a second:
 * to build a small program anew takes as long.  Each further one comes when the
 * search has taken a quarter more. */
enum { FIRST_TURN = 100000, GROWTH = 4, TRY_AGAIN = 4 };

/* A step of `stateful` takes up to nine times as long as one of `optimal`, most
 * often four to six times (docs/algorithms/choice.md). */
enum { SHARE = 8 };

/* After the search it may take so many steps more, a second or less.  A check
 * that stops at a loop without end is often over at once, and states of
 * programs that go on for ever are often few. */
enum { FOLLOWING = 200000 };

static uint64_t next_turn(uint64_t steps) {
  return steps + steps / GROWTH;
}

/* The first turn is twice as long: many programs need no more. */
static uint64_t budget_at(uint64_t steps) {
  return (steps + FIRST_TURN) / SHARE;
}

/* ---- the other search ---------------------------------------------------- */

static void make_request(struct turns *t, uint64_t steps) {
  struct run_request *r = &t->request;
  *r = *t->search;
  r->binary = t->built.binary;
  r->paused = 0;
  r->modest = true;
  r->label = "stored states: ";
  r->state = "storing states";
  r->settings.pause_at = budget_at(steps);
  strcpy(r->settings.algorithm, TURNS_ALGORITHM);
}

/* False: it cannot be built or started, perhaps for want of memory. */
static bool begin(struct turns *t, uint64_t steps) {
  free(t->built.binary);
  if (!checked_program_for_states(&t->built, t->program, t->words))
    return false;
  make_request(t, steps);
  t->child = supervise_begin(&t->request, &t->run);
  return t->child;
}

static bool has_error(const struct run *run) {
  for (size_t i = 0; i < run->findings.size; i++)
    if (!run->findings.at[i].wire.warning)
      return true;
  return false;
}

/* An error is an error, whatever came after it. */
static bool has_result(const struct run *run) {
  bool complete =
      run->end == RUN_DONE && run->complete && !run->limit && !run->stuck;
  return complete || has_error(run);
}

/* It has ended. */
static void judge(struct turns *t, const struct counters *counters) {
  supervise_free(t->child);
  t->child = 0;
  t->due = UINT64_MAX;
  t->won = has_result(&t->run);
  t->searched = *counters;
}

/* ---- turns --------------------------------------------------------------- */

void turns_take(struct turns *t, const struct counters *counters) {
  uint64_t steps = counters->steps;
  if (steps < t->due || supervise_must_end())
    return;
  t->due = TRY_AGAIN * steps;
  if (!t->child && !begin(t, steps))
    return;
  if (supervise_turn(t->child, budget_at(steps)))
    t->due = next_turn(steps);
  else
    judge(t, counters);
}

/* ---- after the search ---------------------------------------------------- */

/* Other limits hold for both searches. */
static bool stopped_at_loops(const struct run *run) {
  return run->end == RUN_DONE && run->limit && !has_error(run) &&
         strstr(run->limit, "--loop-bound=");
}

bool turns_follow(struct turns *t, struct run *search) {
  uint64_t steps = search->counters.steps;
  double before = t->child ? supervise_seconds(t->child) : 0;
  if (t->due == UINT64_MAX || supervise_must_end() || !stopped_at_loops(search))
    return false;
  if (!t->child && !begin(t, steps))
    return false;
  t->request.before = search->time - before;
  if (!supervise_turn(t->child, budget_at(steps) + FOLLOWING))
    judge(t, &search->counters);
  search->time +=
      (t->child ? supervise_seconds(t->child) : t->run.time) - before;
  t->followed = true;
  return true;
}

uint64_t turns_steps(const struct turns *t) {
  return t->child ? supervise_counters(t->child)->steps : t->run.counters.steps;
}

void turns_prepare(struct turns *t, const struct run_request *search,
                   const struct checked_program *program,
                   const struct checked_program_words *words) {
  *t = (struct turns){.search = search,
                      .program = program,
                      .words = words,
                      .due = words ? FIRST_TURN : UINT64_MAX};
}

void turns_free(struct turns *t) {
  supervise_free(t->child);
  run_free(&t->run);
  free(t->built.binary);
}
