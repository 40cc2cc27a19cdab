#include "fuzz/model/watcher.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explore/algorithms.h"
#include "system/check/checked_system.h"
#include "util/ensure.h"
#include "util/rng.h"

#define PREFIXES_MOST 20000 /* a few milliseconds */
#define STEPS_MOST 10000    /* of one execution: far beyond a small program */
#define ENDLESS_MOST 400    /* states, where each may be met on many ways */
#define ENDLESS_ASKED 4000  /* executions of it, cut ones included */
#define EVENTS_MOST 200     /* the same where executions may have no end */

bool demand_for(const struct algorithm *a, struct demand *d) {
  unsigned promises = algorithm_promises(a);
  *d = (struct demand){.algorithm = a,
                       .every_interleaving = promises & EVERY_INTERLEAVING,
                       .by_context = promises & BY_CONTEXT,
                       .every_trace = promises & EVERY_TRACE,
                       .once = promises & EACH_ONCE,
                       .never_blocked = promises & NEVER_BLOCKED,
                       .may_lose = promises & MAY_LOSE,
                       .observers = promises & BY_OBSERVERS,
                       .reads_from = promises & BY_READS_FROM,
                       .by_state = promises & BY_STATE};
  return promises;
}

/* ---- what the explorer reports --------------------------------------------
 */

static void heard_finding(void *context, const struct explorer *x,
                          const struct finding *f, bool warning) {
  struct watcher *w = context;
  (void)x;
  (void)warning;
  if (f->kind == FINDING_DEADLOCK || f->kind == FINDING_LIVELOCK)
    w->stuck++;
  else if (f->kind == FINDING_RACE)
    VEC_PUSH(w->racy, judge_place(w->model, f->addr));
  else
    VEC_PUSH(w->failures, judge_failure(f));
}

static void heard_outcome(void *context, const char *output, size_t length,
                          unsigned status) {
  (void)status;
  (void)context;
  (void)output;
  (void)length;
}

/* What was found stays found; what was completed is completed again. */
static void heard_restart(void *context) {
  struct watcher *w = context;
  w->completed = 0;
  w->traces.size = w->vain.size = w->observed.size = w->reads_from.size = 0;
  w->outcomes.size = 0;
}

/* An explorer that goes astray must not run for ever. */
static bool must_stop(void *context) {
  struct watcher *w = context;
  w->gave_up |= w->endless && ++w->asked > ENDLESS_ASKED;
  return w->gave_up || w->completed + w->vain.size > w->executions_most;
}

/* ---- one algorithm --------------------------------------------------------
 */

static bool wrong(struct comparison *c, const struct demand *d,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool wrong(struct comparison *c, const struct demand *d,
                  const char *format, ...) {
  char text[200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  snprintf(c->message, sizeof c->message, "%s: %s",
           d ? d->algorithm->name : "judge", text);
  return false;
}

static bool looks_for_races(const struct comparison *c,
                            const struct demand *d) {
  return c->apart || (c->races && !d->by_context) ||
         (d->by_state && c->data && !c->no_outcomes);
}

static bool has_blocks(const struct program *g) {
  for (size_t i = 0; i < g->code.size; i++)
    if (g->code.at[i].code == CODE_BLOCK)
      return true;
  return false;
}

/* One execution for each class; where messages keep their order, a task that
 * begins looks at the line, and dc takes it to look at all that it writes. */
static bool classes_right(struct comparison *c, const struct demand *d,
                          const struct watcher *w) {
  const key_set *classes = &c->told->reads_from;
  if (!key_set_equal(&w->reads_from, classes))
    return wrong(c, d, "%zu of %zu classes", w->reads_from.size, classes->size);
  if (w->completed > (c->lines ? c->told->traces.size : classes->size))
    return wrong(c, d, "%lu executions, but only %zu classes",
                 (unsigned long)w->completed, classes->size);
  return true;
}

static bool counts_right(struct comparison *c, const struct demand *d,
                         const struct counters *n, const struct judgement *j) {
  if (c->apart && d->every_interleaving) {
    if (n->traces == j->traces.size)
      return true;
    return wrong(c, d, "%lu of %zu traces", (unsigned long)n->traces,
                 j->traces.size);
  }
  uint64_t vain = d->every_interleaving ? n->blocked : 0;
  if (d->every_interleaving && n->executions + vain != j->interleavings)
    return wrong(c, d, "%lu executions, but %lu interleavings",
                 (unsigned long)(n->executions + vain),
                 (unsigned long)j->interleavings);
  size_t traces = d->observers ? j->observed.size : j->traces.size;
  bool inexact = d->observers && c->blocks && looks_for_races(c, d);
  size_t most = inexact ? j->traces.size : traces;
  if (d->once && (n->executions < traces || n->executions > most))
    return wrong(c, d, "%lu executions, but %zu traces",
                 (unsigned long)n->executions, traces);
  bool fewer = d->may_lose || d->by_context || (d->by_state && !c->loops);
  if (fewer && n->executions > j->traces.size)
    return wrong(c, d, "%lu executions, but only %zu traces",
                 (unsigned long)n->executions, j->traces.size);
  bool exact = d->once && !d->observers;
  if (d->never_blocked &&
      (exact ? n->blocked != j->vain.size : n->blocked && !j->vain.size))
    return wrong(c, d, "%lu executions blocked, but %zu in vain",
                 (unsigned long)n->blocked, j->vain.size);
  return true;
}

static bool traces_right(struct comparison *c, const struct demand *d,
                         const struct watcher *w, const struct judgement *j) {
  if (d->by_state && c->loops)
    return true; /* rounds in vain are part of its executions */
  if (!key_set_within(&w->traces, &j->traces))
    return wrong(c, d, "completes something that is no execution");
  const key_set *found = d->observers ? &w->observed : &w->traces;
  const key_set *traces = d->observers ? &j->observed : &j->traces;
  if (d->every_trace && found->size != traces->size)
    return wrong(c, d, "%zu of %zu traces", found->size, traces->size);
  if (!key_set_within(&w->vain, &j->vain))
    return wrong(c, d, "something in vain that is no execution");
  if (d->every_trace && !d->observers && w->vain.size != j->vain.size)
    return wrong(c, d, "%zu of %zu traces in vain", w->vain.size, j->vain.size);
  if (d->reads_from && !classes_right(c, d, w))
    return false;
  return true;
}

static bool results_right(struct comparison *c, const struct demand *d,
                          struct watcher *w, const struct judgement *j) {
  key_set_sort(&w->traces);
  key_set_sort(&w->vain);
  key_set_sort(&w->observed);
  key_set_sort(&w->reads_from);
  key_set_sort(&w->outcomes);
  key_set_sort(&w->failures);
  if (!c->apart && !traces_right(c, d, w, j))
    return false;
  const key_set *outcomes = demands_locals(d) ? &j->locals : &j->outcomes;
  bool less = d->may_lose || c->no_outcomes;
  if (!(less ? key_set_within : key_set_equal)(&w->outcomes, outcomes))
    return wrong(c, d, "%zu of %zu outcomes", w->outcomes.size, outcomes->size);
  if (!(d->may_lose ? key_set_within : key_set_equal)(&w->failures,
                                                      &j->failures))
    return wrong(c, d, "%zu of %zu failures", w->failures.size,
                 j->failures.size);
  if (!w->stuck != !j->stuck && !(d->may_lose && !w->stuck))
    return wrong(c, d,
                 j->stuck ? "deadlock not found"
                          : "a deadlock that does not exist");
  return true;
}

/* A program races or not, whatever the explorer.  Those that leave out orders
 * by context may not come to one in which it is seen. */
static bool races_right(struct comparison *c, const struct demand *d,
                        struct watcher *w, bool looked) {
  key_set_sort(&w->racy);
  if (!key_set_within(&w->racy, &c->racy))
    return wrong(c, d, "a data race that does not exist");
  looked &=
      (d->once || d->reads_from || d->by_state) && c->preemptions == UINT64_MAX;
  if (looked && !w->racy.size && c->racy.size)
    return wrong(c, d, "data race not found");
  if (looked && d->by_state && w->racy.size != c->racy.size)
    return wrong(c, d, "data races of %zu of %zu variables", w->racy.size,
                 c->racy.size);
  return true;
}

/* Half of the programs have so little room for states that these are dropped
 * again and again: any limit will do.  (Loops would be gone round in too many
 * ways.) */
static uint64_t room_for(const struct comparison *c, const struct demand *d,
                         const struct watcher *w) {
  uint64_t few = w->executions_most / 20;
  return d->by_state && !c->loops && few % 2 ? (few % 16) << 12 : 0;
}

static struct options options_for(const struct comparison *c,
                                  const struct demand *d,
                                  const struct watcher *w) {
  return (struct options){
      .races = looks_for_races(c, d) ? RACES_ERROR : RACES_OFF,
      .interfere = c->apart ? INTERFERE_LOCKS : INTERFERE_ALL,
      .preemptions = c->preemptions,
      .skip = 1 + w->executions_most % 5, /* any will do */
      .keep_going = 1,
      .max_steps = STEPS_MOST,
      .max_executions = w->executions_most + 1,
      .memory_limit = room_for(c, d, w),
      .time_limit = UINT64_MAX};
}

/* Beyond a limit nothing is demanded, but what is found must exist. */
static bool limited_right(struct comparison *c, const struct demand *d,
                          struct watcher *w) {
  struct demand less = {.algorithm = d->algorithm,
                        .may_lose = true,
                        .observers = demands_locals(d)};
  return results_right(c, &less, w, c->judged);
}

static bool bounded_right(struct comparison *c, const struct demand *d,
                          struct watcher *w, const struct counters *n) {
  return (n->bounded || wrong(c, d, "incomplete, but nothing was left out")) &&
         limited_right(c, d, w);
}

/* Watchers do not pass on what the explorers want. */
static void configure(const struct comparison *c, bool states) {
  struct system *system = model_system(c->model);
  system->ops->configure(system,
                         &(struct granularity){.apart = c->apart,
                                               .holds = c->holds && !states,
                                               .joins = c->joins,
                                               .updates = c->updates,
                                               .states = states,
                                               .outcomes = !c->no_outcomes});
}

static void configure_plainly(const struct comparison *c) {
  struct system *system = model_system(c->model);
  system->ops->configure(system, &(struct granularity){0});
}

/* Where data races are looked for, updates of some variables may have become
 * ordered.  The model is configured as the explorer left it. */
static const struct judgement *judge_again(struct comparison *c) {
  return judge_run(c->second, c->model, &c->limits);
}

static bool compare_algorithm(struct comparison *c, const struct demand *d,
                              const struct judgement *j) {
  struct check *check = NULL;
  struct watcher w = {
      .model = c->model, .inner = model_system(c->model), .demand = d};
  if (c->verify || check_always()) {
    check = check_new(w.inner, true);
    w.inner = check_system(check);
  }
  w.system.ops = &watch_operations;
  w.system.processes = w.inner->processes;
  w.canon.ordered = &c->ordered;
  w.canon.reads = d->reads_from;
  w.endless = c->program->endless;
  w.executions_most =
      d->every_interleaving ? j->interleavings : 20 * c->traces_most;
  configure(c, d->by_state);
  struct counters counters = {0};
  struct options options = options_for(c, d, &w);
  struct explorer x = {
      .system = &w.system,
      .algorithm = d->algorithm,
      .options = &options,
      .counters = &counters,
      .listener = {&w, heard_finding, heard_outcome, heard_restart, must_stop}};
  enum explore_result result = explore(&x);
  bool right = true;
  w.inner->ops->undo(w.inner, 0);
  if (c->updates && looks_for_races(c, d))
    j = judge_again(c);
  configure_plainly(c);
  c->executions += counters.executions;
  c->blocked += counters.blocked;
  if (check && check_violation(check))
    right = wrong(c, d, "%s", check_violation(check)->message);
  else if (!races_right(c, d, &w, options.races != RACES_OFF && !w.gave_up))
    right = false;
  else if (c->apart && w.racy.size)
    right = result == EXPLORE_LIMIT ||
            wrong(c, d, "a data race does not end the search");
  else if (w.gave_up)
    right = limited_right(c, d, &w) && (++c->skipped, true);
  else if (c->preemptions != UINT64_MAX && result == EXPLORE_LIMIT)
    right = bounded_right(c, d, &w, &counters);
  else if (result != EXPLORE_COMPLETE)
    right = wrong(c, d, "does not come to an end: %lu executions",
                  (unsigned long)counters.executions);
  else if (counters.executions != w.completed)
    right =
        wrong(c, d, "counts %lu executions of %lu",
              (unsigned long)counters.executions, (unsigned long)w.completed);
  else
    right = results_right(c, d, &w, j) && counts_right(c, d, &counters, j);
  check_free(check);
  watcher_free(&w);
  return right;
}

/* ---- one program ----------------------------------------------------------
 */

/* The judge's own shortcut, checked against running everything. */
static bool judge_right(struct comparison *c, const struct judgement *j) {
  if (!j->commutes)
    return wrong(c, NULL, "equivalent executions lead to different states");
  if (!j->joins)
    return wrong(c, NULL, "joins a read and a swap that may be apart");
  if (j->interleavings > c->naive_most)
    return true;
  struct judge_limits all = {
      .prefixes = UINT64_MAX, .plain = true, .observers = c->limits.observers};
  const struct judgement *k = judge_run(c->second, c->model, &all);
  if (k->interleavings != j->interleavings ||
      !key_set_equal(&k->traces, &j->traces) ||
      !key_set_equal(&k->vain, &j->vain) ||
      !key_set_equal(&k->observed, &j->observed) ||
      !key_set_equal(&k->states, &j->states) ||
      !key_set_equal(&k->outcomes, &j->outcomes) ||
      !key_set_equal(&k->failures, &j->failures))
    return wrong(c, NULL, "does not agree with running all interleavings");
  return true;
}

/* The data races that the explorers report are compared with those of `optimal`
 * with data interleaved: there the trace itself has the accesses. */
static void find_racy(struct comparison *c, const struct program *g) {
  struct demand d;
  c->racy.size = 0;
  if (!g->has_data)
    return;
  ensure(demand_for(&optimal_algorithm, &d));
  struct watcher w = {.model = c->model,
                      .inner = model_system(c->model),
                      .demand = &d,
                      .executions_most = c->judged->traces.size};
  w.system.ops = &watch_operations;
  w.system.processes = w.inner->processes;
  struct counters counters = {0};
  struct options options = options_for(c, &d, &w);
  options.races = RACES_WARN;
  struct explorer x = {
      .system = &w.system,
      .algorithm = d.algorithm,
      .options = &options,
      .counters = &counters,
      .listener = {&w, heard_finding, heard_outcome, heard_restart, must_stop}};
  explore(&x);
  w.inner->ops->undo(w.inner, 0);
  key_set_sort(&w.racy);
  for (size_t i = 0; i < w.racy.size; i++)
    VEC_PUSH(c->racy, w.racy.at[i]);
  watcher_free(&w);
}

static void order(struct comparison *c, const access_list *list) {
  for (size_t i = 0; i < list->size; i++)
    VEC_PUSH(c->ordered, list->at[i]);
}

/* What is ordered is known when everything has been run once. */
static void tell_apart(struct comparison *c) {
  const struct judgement *j = c->told = c->judged;
  c->ordered.size = 0;
  if (!c->limits.reads_from)
    return;
  order(c, &j->awaited);
  if (c->races)
    order(c, &j->by_blocks);
  struct judge_limits limits = {.prefixes = UINT64_MAX,
                                .steps = c->loops ? EVENTS_MOST : 0,
                                .ordered = &c->ordered,
                                .reads_from = true};
  if (c->ordered.size)
    c->told = judge_run(c->second, c->model, &limits);
}

/* Of models that store states, no look is held. */
static bool holds_looks(const struct algorithm *a) {
  return a->holds && !a->states;
}

/* The others would go round for ever. */
static bool explores_loops(const struct algorithm *a) {
  return a->joins || a->states;
}

static bool compare_all(struct comparison *c, const struct demand *demands,
                        unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (demands[i].every_interleaving &&
        c->judged->interleavings > c->naive_most)
      continue;
    if (c->apart && demands[i].algorithm->observes)
      continue; /* refused */
    if ((c->holds && !c->loops && !holds_looks(demands[i].algorithm)) ||
        (c->loops && !explores_loops(demands[i].algorithm)) ||
        (c->updates && !demands[i].algorithm->updates))
      continue;
    if (c->preemptions != UINT64_MAX &&
        !(demands[i].algorithm->takes & TAKES_PREEMPTIONS))
      continue;
    if (!compare_algorithm(c, &demands[i], c->judged))
      return false;
    c->no_outcomes = demands[i].by_state;
    bool right =
        !c->no_outcomes || compare_algorithm(c, &demands[i], c->judged);
    c->no_outcomes = false;
    if (!right)
      return false;
  }
  return true;
}

/* What spin loops do in vain can be left out, and updates of one kind need no
 * order: nothing else changes by that. */
static bool fewer_right(struct comparison *c, struct judge *judge,
                        const struct judgement **fewer,
                        const struct demand *demands, unsigned count) {
  const struct judgement *all = c->judged;
  configure(c, false);
  const struct judgement *j = *fewer = judge_run(judge, c->model, &c->limits);
  c->judged = j;
  tell_apart(c);
  configure_plainly(c);
  c->judged = all;
  if (!j->commutes)
    return wrong(c, NULL, "fewer: equivalent executions lead to other states");
  if (!key_set_equal(&all->outcomes, &j->outcomes) ||
      !key_set_equal(&all->failures, &j->failures) || !all->stuck != !j->stuck)
    return wrong(c, NULL, "fewer: other outcomes or failures");
  c->judged = j;
  bool right = compare_all(c, demands, count);
  c->judged = all;
  return right;
}

static bool has_updates(const struct program *g) {
  for (size_t i = 0; i < g->statements.size; i++)
    if (g->statements.at[i].kind == STATEMENT_ADD &&
        g->statements.at[i].to == NIL)
      return true;
  return false;
}

/* Whether there is a data race can depend on the order of updates: it is always
 * looked for then. */
static bool all_fewer_right(struct comparison *c, const struct program *g,
                            const struct demand *demands, unsigned count) {
  bool right = true, races = c->races;
  c->held = c->judged;
  c->holds = g->awaits;
  if (c->holds)
    right = fewer_right(c, c->third, &c->held, demands, count);
  c->free = c->held;
  c->updates = has_updates(g);
  c->races = races || g->has_data;
  if (right && c->updates)
    right = fewer_right(c, c->fourth, &c->free, demands, count);
  c->holds = c->updates = false;
  c->races = races;
  return right;
}

static bool like_states(struct comparison *c, const struct judgement *j,
                        const struct reached *all) {
  return (key_set_equal(&all->outcomes, &j->outcomes) &&
          key_set_equal(&all->failures, &j->failures) &&
          all->stuck == (j->stuck > 0)) ||
         wrong(c, NULL, "held: other outcomes or failures than states");
}

static bool loops_right(struct comparison *c, const struct demand *demands,
                        unsigned count) {
  bool right = compare_all(c, demands, count);
  if (right && c->races) {
    c->preemptions = c->judged->traces.size % 4;
    right = compare_all(c, demands, count);
    c->preemptions = UINT64_MAX;
  }
  return right;
}

/* Some executions have no end, but all states are known: enough for explorers
 * that store states. */
static enum compared compare_endless(struct comparison *c,
                                     const struct reached *all,
                                     const struct demand *demands,
                                     unsigned count) {
  struct judgement j = {.outcomes = all->outcomes,
                        .failures = all->failures,
                        .stuck = all->stuck};
  bool any = false, right = true;
  c->endless = true;
  c->judged = &j;
  c->traces_most = STEPS_MOST;
  for (unsigned i = 0; i < count && right; i++)
    if (demands[i].by_state) {
      any = true;
      right = compare_all(c, &demands[i], 1);
    }
  c->skipped += !any;
  return !any ? COMPARED_SKIPPED : right ? COMPARED_EQUAL : COMPARED_WRONG;
}

/* What can be done if rounds in vain are left out and, if c->joins says so,
 * reads and swaps that are tried again are one step. */
static const struct judgement *judge_held(struct comparison *c) {
  struct judge_limits limits = {.prefixes = c->limits.prefixes,
                                .observers = c->limits.observers,
                                .reads_from = c->limits.reads_from,
                                .steps = EVENTS_MOST,
                                .joins = c->joins ? c->program : NULL};
  configure(c, false);
  const struct judgement *j = judge_run(c->third, c->model, &limits);
  c->judged = c->held = c->free = j;
  tell_apart(c);
  configure_plainly(c);
  c->traces_most = j->traces.size + j->vain.size;
  return j;
}

static bool held_right(struct comparison *c, const struct reached *all,
                       const struct demand *demands, unsigned count) {
  configure(c, false);
  bool right = judge_right(c, c->judged);
  configure_plainly(c);
  return right && like_states(c, c->judged, all) &&
         loops_right(c, demands, count);
}

static bool has_retries(const struct program *g) {
  for (size_t i = 0; i < g->code.size; i++)
    if (g->code.at[i].retries)
      return true;
  return false;
}

/* The same where retries are one step: what is found is the same again. */
static bool joined_right(struct comparison *c, const struct reached *all,
                         const struct demand *demands, unsigned count) {
  c->joins = true;
  bool right = judge_held(c)->complete
                   ? held_right(c, all, demands, count)
                   : wrong(c, NULL, "joined: more traces than apart");
  c->joins = false;
  return right;
}

/* A process that writes in every round of a loop may have no last step: then
 * the program is left out. */
static enum compared compare_loops(struct comparison *c,
                                   const struct demand *demands,
                                   unsigned count) {
  uint64_t most = c->program->endless ? ENDLESS_MOST : c->limits.prefixes;
  const struct reached *all = states_run(c->states, c->model, c->program, most);
  c->racy.size = 0;
  if (c->program->endless) {
    for (size_t i = 0; i < all->racy.size; i++)
      VEC_PUSH(c->racy, all->racy.at[i]);
    c->skipped += !all->complete;
    return all->complete ? compare_endless(c, all, demands, count)
                         : COMPARED_SKIPPED;
  }
  c->holds = true;
  bool ends = judge_held(c)->complete, right = true;
  if (all->complete && ends) {
    c->traces += c->judged->traces.size;
    right = held_right(c, all, demands, count);
    if (right && has_retries(c->program))
      right = joined_right(c, all, demands, count);
  }
  c->holds = false;
  if (all->complete && !ends)
    return compare_endless(c, all, demands, count);
  c->skipped += !all->complete;
  return !all->complete ? COMPARED_SKIPPED
         : right        ? COMPARED_EQUAL
                        : COMPARED_WRONG;
}

enum compared compare_program(struct comparison *c, const struct program *g,
                              const struct demand *demands, unsigned count) {
  c->endless = false;
  if (c->model)
    model_load(c->model, g);
  else
    c->model = model_new(g);
  c->limits.observers = c->limits.reads_from = false;
  for (unsigned i = 0; i < count; i++) {
    c->limits.observers |= demands_locals(&demands[i]);
    c->limits.reads_from |= demands[i].reads_from;
  }
  c->blocks = has_blocks(g);
  c->data = g->has_data;
  c->lines = program_has_lines(g);
  c->loops = g->loops;
  c->program = g;
  c->parts = program_waits_for_parts(g);
  c->ordered.size = 0;
  if (g->loops)
    return compare_loops(c, demands, count);
  const struct judgement *j = judge_run(c->judge, c->model, &c->limits);
  c->judged = j;
  if (!j->complete) {
    c->skipped++;
    return COMPARED_SKIPPED;
  }
  c->traces += j->traces.size;
  c->traces_most = j->traces.size;
  if (!judge_right(c, j))
    return COMPARED_WRONG;
  tell_apart(c);
  find_racy(c, g);
  if (!compare_all(c, demands, count))
    return COMPARED_WRONG;
  c->apart = g->has_data;
  bool right = !c->apart || compare_all(c, demands, count);
  c->apart = false;
  right = right && all_fewer_right(c, g, demands, count);
  if (right && c->races) {
    c->preemptions = j->traces.size % 4;
    right = compare_all(c, demands, count);
    c->preemptions = UINT64_MAX;
  }
  return right ? COMPARED_EQUAL : COMPARED_WRONG;
}

void comparison_init(struct comparison *c) {
  *c = (struct comparison){.judge = judge_new(),
                           .second = judge_new(),
                           .third = judge_new(),
                           .fourth = judge_new(),
                           .states = states_new(),
                           .limits = {.prefixes = PREFIXES_MOST},
                           .preemptions = UINT64_MAX,
                           .naive_most = 200};
}

void comparison_free(struct comparison *c) {
  judge_free(c->judge);
  judge_free(c->second);
  judge_free(c->third);
  judge_free(c->fourth);
  states_free(c->states);
  VEC_FREE(c->ordered);
  VEC_FREE(c->racy);
  if (c->model)
    model_free(c->model);
}
