#include "states.h"

#include <stdlib.h>

#include "knowledge.h"
#include "util/ensure.h"
#include "util/table.h"

enum { DEPTH_MOST = 2000 }; /* of the recursion */

/* keep */
struct reached_state {
  uint64_t hash;
  bool moves; /* a step leads on from here, or from a state that follows: one
                 that does not only look; or all has ended */
};

/* keep.  A step that only looks. */
struct look_edge {
  uint32_t from, to;
};

struct states {
  struct reached r;
  struct model *model;
  struct system *system;
  uint64_t most;
  bool knows; /* who knows of which access is part of a state: */
  struct access_knowledge knowledge;
  access_list racy;
  bool doomed; /* a process has failed before the first step */
  VEC(struct reached_state) all;
  VEC(struct look_edge) looks;
  struct table by_hash;
};

/* The number of the state at hand; *fresh if it is new. */
static uint32_t enter(struct states *s, bool *fresh) {
  uint64_t hash = model_hash(s->model);
  if (s->knows)
    hash ^= knowledge_hash(&s->knowledge);
  *fresh = false;
  for (TABLE_EACH(n, &s->by_hash, (uint32_t)hash))
    if (s->all.at[n].hash == hash)
      return (uint32_t)n;
  *fresh = true;
  table_add(&s->by_hash, (uint32_t)hash, s->all.size);
  VEC_PUSH(s->all, (struct reached_state){hash, false});
  return (uint32_t)s->all.size - 1;
}

/* Has the step touched something, and only read it, or chosen, and does its
 * process go on? */
static bool only_looks(const struct states *s, unsigned p,
                       const struct step *step) {
  struct step next;
  for (uint32_t i = 0; i < step->accesses; i++)
    if (step->access[i].mode & ACCESS_WRITE)
      return false;
  return (step->accesses || step->op == OP_CHOOSE) &&
         s->system->ops->pending(s->system, p, &next);
}

static uint32_t visit(struct states *s, size_t depth);

/* A failure that comes after another one is of no interest: without what comes
 * after the other one it comes first in another execution. */
static void visit_step(struct states *s, uint32_t from, size_t depth,
                       unsigned p, unsigned choice) {
  struct step step;
  struct access_knowledge before = s->knowledge;
  enum step_result result = s->system->ops->step(s->system, p, choice, &step);
  if (s->knows) {
    knowledge_step(&s->knowledge, p, &step, &s->racy);
    knowledge_stepped(&s->knowledge, s->system, p, depth + 1);
  }
  if (result == STEP_FAILED) {
    VEC_PUSH(s->r.failures, judge_failure(s->system->ops->finding(s->system)));
    s->all.at[from].moves = true;
  } else {
    bool looks = only_looks(s, p, &step);
    uint32_t to = visit(s, depth + 1);
    if (looks)
      VEC_PUSH(s->looks, (struct look_edge){from, to});
    else
      s->all.at[from].moves = true;
  }
  s->system->ops->undo(s->system, depth);
  s->knowledge = before;
}

static void visit_all(struct states *s, uint32_t from, size_t depth) {
  bool any = false;
  for (unsigned p = 0; p < s->system->processes; p++) {
    struct step next;
    if (!s->system->ops->enabled(s->system, p))
      continue;
    any = true;
    ensure(s->system->ops->pending(s->system, p, &next));
    for (unsigned c = 0; c < next.choices && s->r.complete; c++)
      visit_step(s, from, depth, p, c);
  }
  if (any || s->system->ops->ending(s->system) != ENDING_COMPLETE)
    return;
  s->all.at[from].moves = true;
  VEC_PUSH(s->r.outcomes, judge_outcome(s->model));
}

static uint32_t visit(struct states *s, size_t depth) {
  bool fresh;
  uint32_t n = enter(s, &fresh);
  if (s->all.size > s->most || depth > DEPTH_MOST)
    s->r.complete = false;
  if (fresh && s->r.complete)
    visit_all(s, n, depth);
  return n;
}

/* Is there a state from which looks lead to looks only? */
static bool is_stuck(struct states *s) {
  bool grows = true;
  while (grows) {
    grows = false;
    for (size_t i = s->looks.size; i-- > 0;) {
      struct look_edge e = s->looks.at[i];
      if (!s->all.at[e.from].moves && s->all.at[e.to].moves)
        grows = s->all.at[e.from].moves = true;
    }
  }
  for (size_t i = 0; i < s->all.size; i++)
    if (!s->all.at[i].moves)
      return true;
  return false;
}

const struct reached *states_run(struct states *s, struct model *m,
                                 const struct program *g, uint64_t most) {
  struct finding finding;
  s->model = m;
  s->system = model_system(m);
  s->most = most;
  s->r.complete = true;
  s->r.outcomes.size = s->r.failures.size = s->r.racy.size = 0;
  s->racy.size = 0;
  s->knows = g->endless;
  if (s->knows && !knowledge_begin(&s->knowledge, g))
    s->r.complete = false;
  s->all.size = s->looks.size = 0;
  table_clear(&s->by_hash);
  s->doomed = false;
  for (unsigned p = 0; p < s->system->processes; p++)
    s->doomed |= model_failure(m, p, &finding);
  if (s->r.complete)
    visit(s, 0);
  for (size_t i = 0; i < s->racy.size; i++)
    VEC_PUSH(s->r.racy, judge_place(m, s->racy.at[i].addr));
  key_set_sort(&s->r.racy);
  key_set_sort(&s->r.outcomes);
  key_set_sort(&s->r.failures);
  s->r.stuck = s->r.complete && !s->doomed && is_stuck(s);
  return &s->r;
}

struct states *states_new(void) {
  struct states *s = calloc(1, sizeof *s);
  ensure(s);
  return s;
}

void states_free(struct states *s) {
  VEC_FREE(s->r.outcomes);
  VEC_FREE(s->r.failures);
  VEC_FREE(s->r.racy);
  VEC_FREE(s->racy);
  VEC_FREE(s->all);
  VEC_FREE(s->looks);
  table_free(&s->by_hash);
  free(s);
}
