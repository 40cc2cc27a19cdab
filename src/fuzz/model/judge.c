#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/model/joint.h"
#include "util/ensure.h"
#include "util/rng.h"
#include "util/table.h"

/* keep.  A prefix, up to equivalence. */
struct seen {
  struct key trace;
  uint64_t state;         /* hash of the state it leads to */
  uint64_t interleavings; /* complete ones from here on */
};

/* keep.  Of a step: where its process stood before it. */
struct stood {
  uint32_t proc;
  uint64_t state; /* model_hash_live() */
  bool wrote;     /* in the step */
};

enum { SMALL_TABLE = 1024 }; /* slots */

struct judge {
  struct judgement j;
  struct judge_limits limits;
  struct model *model;
  struct system *system;
  struct canon canon;
  VEC(struct seen) seen;
  struct table by_trace; /* finds what was seen */
  struct joint joint;
  VEC(struct stood) stood; /* for the steps so far, if limits.joins */
};

/* ---- sets -----------------------------------------------------------------
 */

static int compare(const void *a, const void *b) {
  const struct key *x = a, *y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return (x->high > y->high) - (x->high < y->high);
}

void key_set_sort(key_set *s) {
  if (s->size < 2)
    return;
  qsort(s->at, s->size, sizeof *s->at, compare);
  size_t kept = 1;
  for (size_t i = 1; i < s->size; i++)
    if (!key_equal(s->at[i], s->at[kept - 1]))
      s->at[kept++] = s->at[i];
  s->size = kept;
}

bool key_set_equal(const key_set *a, const key_set *b) {
  return a->size == b->size &&
         (!a->size || !memcmp(a->at, b->at, a->size * sizeof *a->at));
}

bool key_set_within(const key_set *a, const key_set *b) {
  size_t k = 0;
  for (size_t i = 0; i < a->size; i++) {
    while (k < b->size && compare(&b->at[k], &a->at[i]) < 0)
      k++;
    if (k == b->size || !key_equal(a->at[i], b->at[k]))
      return false;
  }
  return true;
}

/* ---- names ----------------------------------------------------------------
 */

struct key judge_failure(const struct finding *f) {
  return (struct key){((uint64_t)f->kind << 32) | f->proc, f->pc};
}

struct key judge_place(const struct model *m, uint64_t addr) {
  struct access at = {.addr = addr, .size = 8};
  char name[128] = "";
  uint64_t hash = 0;
  model_describe(m, &at, name, sizeof name);
  for (const char *c = name; *c && *c != '[' && *c != '.'; c++)
    hash = rng_mix(hash + (unsigned char)*c);
  return (struct key){hash, rng_mix(hash)};
}

struct key judge_outcome(const struct model *m) {
  return (struct key){model_hash_outcome(m), 0};
}

struct key judge_locals(const struct model *m) {
  return (struct key){model_hash_locals(m), 1};
}

struct key judge_state(const struct model *m, enum ending ending) {
  return (struct key){model_hash(m), (uint64_t)ending};
}

/* ---- prefixes seen --------------------------------------------------------
 */

/* The index of a prefix; *fresh if it is new. */
static uint32_t enter(struct judge *g, struct key key, bool *fresh) {
  *fresh = false;
  uint32_t hash = (uint32_t)key.low;
  for (TABLE_EACH(n, &g->by_trace, hash))
    if (key_equal(g->seen.at[n].trace, key))
      return (uint32_t)n;
  *fresh = true;
  table_add(&g->by_trace, hash, g->seen.size);
  VEC_PUSH(g->seen, (struct seen){key, model_hash(g->model), 0});
  return (uint32_t)g->seen.size - 1;
}

/* ---- the search -----------------------------------------------------------
 */

static uint64_t visit(struct judge *g);

static uint64_t add_up(uint64_t a, uint64_t b) {
  return a + b < a ? UINT64_MAX : a + b;
}

static void note(access_list *list, const struct access *a) {
  for (size_t i = 0; i < list->size; i++)
    if (list->at[i].addr == a->addr && list->at[i].size == a->size)
      return;
  VEC_PUSH(*list, *a);
}

static void note_step(struct judge *g, const struct step *step) {
  for (uint32_t i = 0; i < step->accesses; i++) {
    if (step->flags & STEP_AWAIT)
      note(&g->j.awaited, &step->access[i]);
    if ((step->flags & STEP_BLOCK) && (step->access[i].mode & ACCESS_WRITE))
      note(&g->j.by_blocks, &step->access[i]);
  }
}

static void end_execution(struct judge *g) {
  for (unsigned p = 0; p < g->system->processes; p++) {
    struct step next;
    if (g->system->ops->pending(g->system, p, &next))
      note_step(g, &next);
  }
  enum ending ending = g->system->ops->ending(g->system);
  if (ending == ENDING_VAIN) {
    VEC_PUSH(g->j.vain, canon_trace(&g->canon));
    return;
  }
  VEC_PUSH(g->j.traces, canon_trace(&g->canon));
  if (g->limits.reads_from)
    VEC_PUSH(g->j.reads_from, canon_reads_from(&g->canon));
  VEC_PUSH(g->j.states, judge_state(g->model, ending));
  if (ending == ENDING_COMPLETE)
    VEC_PUSH(g->j.outcomes, judge_outcome(g->model));
  if (g->limits.observers) {
    bool complete = ending == ENDING_COMPLETE;
    VEC_PUSH(g->j.observed, canon_observed(&g->canon, false));
    VEC_PUSH(g->j.printed, canon_observed(&g->canon, complete));
    if (complete)
      VEC_PUSH(g->j.locals, judge_locals(g->model));
  }
  g->j.stuck += ending == ENDING_STUCK;
  g->j.failed += ending == ENDING_FAILED;
}

/* Is the step, a read and a swap, one by the judge's own definition? */
static bool joins_right(struct judge *g, unsigned p) {
  size_t depth = g->canon.events.size;
  g->joint.states.size = 0;
  VEC_PUSH(g->joint.states, model_hash_live(g->model, p));
  for (size_t i = depth; i-- > 0;) {
    const struct stood *s = &g->stood.at[i];
    if (s->proc == p && s->wrote)
      break;
    if (s->proc == p)
      VEC_PUSH(g->joint.states, s->state);
  }
  return joint_right(&g->joint, g->model, p, depth);
}

static bool writes(const struct step *step) {
  for (uint32_t i = 0; i < step->accesses; i++)
    if (step->access[i].mode & ACCESS_WRITE)
      return true;
  return false;
}

static uint64_t visit_step(struct judge *g, unsigned p, unsigned choice) {
  struct step step;
  size_t depth = g->canon.events.size;
  struct stood stood = {.proc = p, .state = model_hash_live(g->model, p)};
  enum step_result result = g->system->ops->step(g->system, p, choice, &step);
  const struct finding *failure =
      result == STEP_FAILED ? g->system->ops->finding(g->system) : NULL;
  note_step(g, &step);
  stood.wrote = writes(&step);
  g->stood.size = depth;
  VEC_PUSH(g->stood, stood);
  /* Nothing happens after a process that fails as soon as it is created. */
  canon_push(&g->canon, p, &step, failure && failure->proc == p);
  if (failure && !VEC_TOP(g->canon.events).tainted)
    VEC_PUSH(g->j.failures, judge_failure(failure));
  uint64_t interleavings = visit(g);
  g->system->ops->undo(g->system, depth);
  canon_truncate(&g->canon, depth);
  return interleavings;
}

static uint64_t visit_all(struct judge *g) {
  uint64_t interleavings = 0;
  bool any = false;
  for (unsigned p = 0; p < g->system->processes; p++) {
    struct step next;
    if (!g->system->ops->enabled(g->system, p))
      continue;
    any = true;
    ensure(g->system->ops->pending(g->system, p, &next));
    if (g->limits.joins && next.op == OP_CAS &&
        !(next.flags & STEP_CONDITIONAL))
      g->j.joins &= joins_right(g, p);
    for (unsigned c = 0; c < next.choices && g->j.complete; c++)
      interleavings = add_up(interleavings, visit_step(g, p, c));
  }
  if (any)
    return interleavings;
  end_execution(g);
  return 1;
}

static uint64_t visit(struct judge *g) {
  bool fresh = true;
  uint32_t index = 0;
  if (!g->limits.plain)
    index = enter(g, canon_trace(&g->canon), &fresh);
  if (!fresh) {
    g->j.commutes &= g->seen.at[index].state == model_hash(g->model);
    return g->seen.at[index].interleavings;
  }
  if (++g->j.prefixes > g->limits.prefixes ||
      (g->limits.steps && g->canon.events.size > g->limits.steps)) {
    g->j.complete = false;
    return 0;
  }
  uint64_t interleavings = visit_all(g);
  if (!g->limits.plain)
    g->seen.at[index].interleavings = interleavings;
  return interleavings;
}

/* ---- life -----------------------------------------------------------------
 */

struct judge *judge_new(void) {
  struct judge *g = calloc(1, sizeof *g);
  ensure(g);
  return g;
}

void judge_free(struct judge *g) {
  canon_free(&g->canon);
  VEC_FREE(g->j.traces);
  VEC_FREE(g->j.vain);
  VEC_FREE(g->j.reads_from);
  VEC_FREE(g->j.observed);
  VEC_FREE(g->j.printed);
  VEC_FREE(g->j.outcomes);
  VEC_FREE(g->j.locals);
  VEC_FREE(g->j.states);
  VEC_FREE(g->j.failures);
  VEC_FREE(g->j.awaited);
  VEC_FREE(g->j.by_blocks);
  VEC_FREE(g->seen);
  VEC_FREE(g->stood);
  joint_free(&g->joint);
  table_free(&g->by_trace);
  free(g);
}

/* A table that a large program made large is not cleared for each small one. */
static void forget(struct judge *g) {
  if (g->by_trace.capacity > SMALL_TABLE)
    table_free(&g->by_trace);
  else
    table_clear(&g->by_trace);
  g->seen.size = 0;
  g->j.traces.size = g->j.reads_from.size = g->j.outcomes.size = 0;
  g->j.states.size = g->j.failures.size = g->j.vain.size = 0;
  g->j.observed.size = g->j.printed.size = g->j.locals.size = 0;
  g->j.stuck = g->j.failed = g->j.prefixes = 0;
  g->j.awaited.size = g->j.by_blocks.size = 0;
}

const struct judgement *judge_run(struct judge *g, struct model *m,
                                  const struct judge_limits *limits) {
  forget(g);
  g->limits = *limits;
  g->model = m;
  g->system = model_system(m);
  g->j.complete = g->j.commutes = g->j.joins = true;
  if (limits->joins)
    joint_values(&g->joint, limits->joins);
  canon_truncate(&g->canon, 0);
  g->canon.ordered = limits->ordered;
  g->canon.reads = limits->reads_from;
  g->j.interleavings = visit(g);
  key_set_sort(&g->j.traces);
  key_set_sort(&g->j.vain);
  key_set_sort(&g->j.reads_from);
  key_set_sort(&g->j.observed);
  key_set_sort(&g->j.printed);
  key_set_sort(&g->j.outcomes);
  key_set_sort(&g->j.locals);
  key_set_sort(&g->j.states);
  key_set_sort(&g->j.failures);
  return &g->j;
}
