#define _GNU_SOURCE
#include "fuzz/c/c_judge.h"

#include <stdio.h>

#include "util/hostile.h"
#include "util/rng.h"

#define NAIVE_MOST "1500" /* executions: a few milliseconds */
#define OPTIMAL_MOST "3000"
#define VERIFIED_MOST 50 /* --verify takes long */

/* A judgement in progress. */
struct c_judgement {
  struct c_run *run;
  unsigned number;
  const struct c_effort *effort;
  struct c_complaint *complaint;
  struct rng rng;
  struct c_verdict judge;
  bool judged_by_optimal; /* not by `naive` */
};

static const char *const algorithms[] = {
    "optimal",       "pop",    "source", "observers", "cs",   "optimal-cs",
    "optimal-cs-ob", "unfold", "dc",     "quasi=2",   "dpor", "stateful"};
#define ALGORITHMS (sizeof algorithms / sizeof *algorithms)

static bool by_chance(struct c_judgement *j, uint32_t percent) {
  bool chosen = rng_percent(&j->rng, percent);
  return chosen || j->effort->all;
}

static bool is_clear(const struct c_judgement *j, const struct c_verdict *v) {
  return !v->unclear ||
         c_complain(j->complaint, "a loop that does not wait", "taken for one");
}

/* Explores; anything but a result is a complaint. */
static bool explore_way(struct c_judgement *j, const struct c_way *way,
                        struct c_verdict *v) {
  if (c_run_check(j->run, j->number, way, v) == RAN)
    return is_clear(j, v);
  char what[80];
  const char *option = way->options[0].name;
  snprintf(what, sizeof what, "%s %s: no result", way->algorithm,
           option ? option : "");
  return c_complain(j->complaint, what, "killed, or an internal error");
}

static bool explore(struct c_judgement *j, const char *algorithm,
                    const char *option, const char *value,
                    struct c_verdict *v) {
  struct c_way way = {algorithm, {{option, value}}, false, false};
  return explore_way(j, &way, v);
}

/* ---- the demands -----------------------------------------------------------
 */

static bool agrees(struct c_judgement *j, const char *algorithm) {
  struct c_verdict v;
  bool right = explore(j, algorithm, NULL, NULL, &v) &&
               c_verdict_agrees(&v, algorithm, &j->judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

/* Which rounds of a loop that waits are part of an execution differs between
 * the algorithms, and where loops are found by comparing stacks it depends on
 * the steps before them; signals interrupt more steps of `naive`: there the
 * number of traces says nothing. */
static bool optimal_agrees(struct c_judgement *j) {
  struct c_verdict v;
  const struct c_program *p = &j->run->programs[j->number];
  if (p->spins || p->signals || j->judge.blocked)
    j->judge.traces = 0;
  bool right = explore(j, "optimal", NULL, NULL, &v) &&
               c_verdict_agrees(&v, "optimal", &j->judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

/* `optimal` always, and another. */
static bool all_agree(struct c_judgement *j) {
  if (!j->judged_by_optimal && !optimal_agrees(j))
    return false;
  uint32_t other = rng_between(&j->rng, 1, ALGORITHMS - 1);
  for (uint32_t i = 1; i < ALGORITHMS; i++)
    if ((i == other || j->effort->all) && !agrees(j, algorithms[i]))
      return false;
  return true;
}

/* If data races are not looked for, states match more often; without outcomes
 * output is no part of them. */
static bool stateful_agrees(struct c_judgement *j, bool races, bool outcomes) {
  struct c_way way = {.algorithm = "stateful",
                      .options = {{"races", races ? "warn" : "off"},
                                  {"jobs", HOSTILE && races ? "3" : "1"}},
                      .silent = !outcomes};
  struct c_verdict v, judge = j->judge;
  judge.traces = 0; /* its counts say nothing */
  if (!races)
    judge.races.size = 0;
  if (!outcomes)
    judge.outcomes.size = 0;
  bool right = explore_way(j, &way, &v) &&
               c_verdict_agrees(&v, "stateful", &judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

/* Going back by running again, or checking on the way, changes nothing. */
static bool same_with(struct c_judgement *j, const char *option,
                      const char *value) {
  bool cleared = rng_percent(&j->rng, 50);
  struct c_way way = {"optimal", {{option, value}}, false, cleared};
  struct c_way usual = {"optimal", {{NULL, NULL}}, false, cleared};
  struct c_verdict with, without = {0};
  bool right = explore_way(j, &way, &with) &&
               explore_way(j, &usual, &without) &&
               c_verdict_same(&with, &without, option, j->complaint);
  c_verdict_free(&without);
  c_verdict_free(&with);
  return right;
}

/* Without data races it is enough to interleave what synchronises. */
static bool same_by_locks(struct c_judgement *j) {
  struct c_verdict v, judge = j->judge;
  judge.traces = 0; /* fewer will do */
  bool right = explore(j, "optimal", "interfere", "locks", &v) &&
               c_verdict_agrees(&v, "interfere=locks", &judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

/* Whether reads and the swaps behind them are one step makes no difference. */
static bool same_joined(struct c_judgement *j, const char *algorithm) {
  struct c_verdict v, judge = j->judge;
  judge.traces = 0; /* fewer will do */
  bool right = explore(j, algorithm, "retries", "joined", &v) &&
               c_verdict_agrees(&v, "retries=joined", &judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

/* Not those of `stateful`, which joins nothing. */
static bool same_joined_by_other(struct c_judgement *j) {
  uint32_t other = rng_between(&j->rng, 1, ALGORITHMS - 2);
  return same_joined(j, algorithms[other]);
}

/* The command shows errors again, one by one, which takes long. */
static bool reported_like_that(struct c_judgement *j) {
  struct claims claims = {0};
  bool right =
      c_run_report(j->run, j->number, &claims)
          ? c_verdict_reported(&j->judge, &claims, j->complaint)
          : c_complain(j->complaint, "heddle check: no report", "optimal");
  claims_free(&claims);
  return right;
}

static bool really_like_that(struct c_judgement *j) {
  if (!j->effort->real_runs || !c_run_is_real(j->run, j->number))
    return true;
  return c_run_real(j->run, j->number, j->effort->real_runs, rng_next(&j->rng),
                    &j->judge, j->complaint);
}

static bool is_large(const struct c_judgement *j) {
  const struct c_verdict *v = &j->judge;
  return (v->traces ? v->traces : v->executions) > VERIFIED_MOST;
}

static bool is_right(struct c_judgement *j) {
  const struct c_program *p = &j->run->programs[j->number];
  return c_verdict_fits(&j->judge, p, j->complaint) && all_agree(j) &&
         (!by_chance(j, 10) || stateful_agrees(j, false, true)) &&
         (!by_chance(j, 10) || stateful_agrees(j, true, false)) &&
         really_like_that(j) && same_joined(j, "optimal") &&
         (!by_chance(j, 25) || same_joined_by_other(j)) &&
         (!by_chance(j, 5) || same_with(j, "rollback", "replay")) &&
         (!by_chance(j, 5) || is_large(j) || p->signals ||
          same_with(j, "verify", "1")) &&
         (!by_chance(j, 25) || p->racy || p->signals || same_by_locks(j)) &&
         (!by_chance(j, 3) || reported_like_that(j));
}

/* ---- the judge -------------------------------------------------------------
 */

static enum c_judged no_result(struct c_judgement *j, const char *what) {
  c_complain(j->complaint, what, "killed, or an internal error");
  return JUDGED_WRONG;
}

/* `optimal` is the judge; `naive` has seen a part, with few preemptions in
 * another try. */
static enum c_judged judge_by_optimal(struct c_judgement *j,
                                      struct c_verdict *seen) {
  static const struct c_way optimal = {
      .algorithm = "optimal", .options = {{"max-executions", OPTIMAL_MOST}}};
  static const struct c_way few = {
      .algorithm = "naive",
      .options = {{"max-executions", NAIVE_MOST}, {"preemptions", "2"}}};
  struct c_verdict more = {0};
  enum c_judged judged = JUDGED_TOO_LARGE;
  j->judged_by_optimal = true;
  if (c_run_check(j->run, j->number, &optimal, &j->judge) != RAN)
    return no_result(j, "optimal: no result");
  if (!is_clear(j, &j->judge))
    judged = JUDGED_WRONG;
  else if (c_run_check(j->run, j->number, &few, &more) != RAN)
    judged = no_result(j, "naive preemptions: no result");
  else if (j->judge.complete)
    judged = c_verdict_within(seen, &j->judge, j->complaint) &&
                     c_verdict_within(&more, &j->judge, j->complaint)
                 ? JUDGED_RIGHT
                 : JUDGED_WRONG;
  c_verdict_free(&more);
  return judged;
}

/* `naive`, if there are not too many interleavings. */
static enum c_judged find_judge(struct c_judgement *j) {
  static const struct c_way naive = {
      .algorithm = "naive", .options = {{"max-executions", NAIVE_MOST}}};
  struct c_verdict v;
  enum c_ran ran = c_run_check(j->run, j->number, &naive, &v);
  if (ran == RAN_REFUSED)
    return JUDGED_REFUSED;
  if (ran == RAN_WITHOUT_RESULT)
    return no_result(j, "naive: no result");
  if (v.complete) {
    j->judge = v;
    return JUDGED_RIGHT;
  }
  enum c_judged judged =
      is_clear(j, &v) ? judge_by_optimal(j, &v) : JUDGED_WRONG;
  c_verdict_free(&v);
  return judged;
}

enum c_judged c_judge(struct c_run *run, unsigned number,
                      const struct c_effort *effort,
                      struct c_complaint *complaint) {
  const struct c_program *p = &run->programs[number];
  struct c_judgement j = {
      .run = run, .number = number, .effort = effort, .complaint = complaint};
  rng_seed(&j.rng, rng_mix(p->seed ^ 1) ^ p->index);
  enum c_judged judged = find_judge(&j);
  if (judged == JUDGED_RIGHT && !is_right(&j))
    judged = JUDGED_WRONG;
  c_verdict_free(&j.judge);
  return judged;
}
