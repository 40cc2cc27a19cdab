#define _GNU_SOURCE
#include "cli/fuzz_c_judge.h"

#include <stdio.h>

#include "util/rng.h"

#define NAIVE_MOST "--max-executions=8000"
#define OTHERS_MOST "--max-executions=3000"

/* A judgement in progress. */
struct judgement {
  struct c_run *run;
  unsigned number;
  const struct c_effort *effort;
  struct c_complaint *complaint;
  struct rng rng;
  struct c_verdict judge;
};

static const char *const algorithms[] = {
    "optimal",       "source", "observers", "cs",      "optimal-cs",
    "optimal-cs-ob", "unfold", "dc",        "quasi=2", "dpor"};
#define ALGORITHMS (sizeof algorithms / sizeof *algorithms)

static bool by_chance(struct judgement *j, uint32_t percent) {
  bool chosen = rng_percent(&j->rng, percent);
  return chosen || j->effort->all;
}

/* Explores; anything but a result is a complaint. */
static bool explore(struct judgement *j, const char *algorithm,
                    const char *option, struct c_verdict *v) {
  char algo[40];
  snprintf(algo, sizeof algo, "--algo=%s", algorithm);
  const char *options[] = {algo, option, NULL};
  if (c_run_check(j->run, j->number, options, v) == RAN)
    return true;
  char what[80];
  snprintf(what, sizeof what, "%s %s: no result", algorithm,
           option ? option : "");
  return c_complain(j->complaint, what, "killed, or an internal error");
}

/* ---- the demands -----------------------------------------------------------
 */

static bool agrees(struct judgement *j, const char *algorithm) {
  struct c_verdict v;
  bool right = explore(j, algorithm, NULL, &v) &&
               c_verdict_agrees(&v, algorithm, &j->judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

/* `optimal` always, another, and sometimes a third. */
static bool all_agree(struct judgement *j) {
  if (!agrees(j, algorithms[0]))
    return false;
  uint32_t first = rng_between(&j->rng, 1, ALGORITHMS - 1);
  uint32_t second = rng_between(&j->rng, 1, 3 * ALGORITHMS);
  for (uint32_t i = 1; i < ALGORITHMS; i++)
    if ((i == first || i == second || j->effort->all) &&
        !agrees(j, algorithms[i]))
      return false;
  return true;
}

/* Going back by running again, or checking on the way, changes nothing. */
static bool same_with(struct judgement *j, const char *option) {
  struct c_verdict with, without;
  bool right = explore(j, "optimal", option, &with);
  if (right) {
    right = explore(j, "optimal", NULL, &without) &&
            c_verdict_same(&with, &without, option, j->complaint);
    c_verdict_free(&without);
  }
  c_verdict_free(&with);
  return right;
}

/* Without data races it is enough to interleave what synchronises. */
static bool same_by_locks(struct judgement *j) {
  struct c_verdict v, judge = j->judge;
  judge.traces = 0; /* fewer will do */
  bool right = explore(j, "optimal", "--interfere=locks", &v) &&
               c_verdict_agrees(&v, "--interfere=locks", &judge, j->complaint);
  c_verdict_free(&v);
  return right;
}

static bool really_like_that(struct judgement *j) {
  if (!j->effort->real_runs || !c_run_is_real(j->run, j->number))
    return true;
  return c_run_real(j->run, j->number, j->effort->real_runs,
                    (uint32_t)rng_next(&j->rng), &j->judge, j->complaint);
}

static bool is_right(struct judgement *j) {
  const struct c_program *p = &j->run->programs[j->number];
  return c_verdict_fits(&j->judge, p, j->complaint) && all_agree(j) &&
         really_like_that(j) &&
         (!by_chance(j, 8) || same_with(j, "--rollback=replay")) &&
         (!by_chance(j, 8) || same_with(j, "--verify")) &&
         (!by_chance(j, 8) || p->racy || same_by_locks(j));
}

/* ---- the judge -------------------------------------------------------------
 */

/* `naive`, or `optimal` if there are too many interleavings. */
static enum c_judged find_judge(struct judgement *j) {
  static const char *const naive[] = {"--algo=naive", NAIVE_MOST, NULL};
  static const char *const optimal[] = {"--algo=optimal", OTHERS_MOST, NULL};
  for (int i = 0; i < 2; i++) {
    enum c_ran ran =
        c_run_check(j->run, j->number, i ? optimal : naive, &j->judge);
    if (ran == RAN_REFUSED)
      return JUDGED_REFUSED;
    if (ran == RAN_WITHOUT_RESULT) {
      c_complain(j->complaint, i ? "optimal: no result" : "naive: no result",
                 "killed, or an internal error");
      return JUDGED_WRONG;
    }
    if (i)
      j->judge.traces = 0;
    if (j->judge.complete)
      return JUDGED_RIGHT;
    c_verdict_free(&j->judge);
  }
  return JUDGED_TOO_LARGE;
}

enum c_judged c_judge(struct c_run *run, unsigned number,
                      const struct c_effort *effort,
                      struct c_complaint *complaint) {
  const struct c_program *p = &run->programs[number];
  struct judgement j = {
      .run = run, .number = number, .effort = effort, .complaint = complaint};
  rng_seed(&j.rng, rng_mix(p->seed ^ 1) ^ p->index);
  enum c_judged judged = find_judge(&j);
  if (judged == JUDGED_RIGHT && !is_right(&j))
    judged = JUDGED_WRONG;
  c_verdict_free(&j.judge);
  return judged;
}
