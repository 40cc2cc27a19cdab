#include "session/local_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/check/checked_system.h"
#include "util/ensure.h"

/* ---- exploring ------------------------------------------------------------
 */

struct listening {
  struct local_session *s;
  struct model *model;
  bool (*stop)(void *);
  void *context;
};

/* "p writes d (line 4), which another process wrote (line 7)" */
static void describe_race(const struct model *m, const struct finding *f,
                          struct local_finding *kept) {
  char variable[128], message[320];
  struct access access = {f->addr, f->size, 0};
  model_describe(m, &access, variable, sizeof variable);
  kept->line = model_line(m, f->pc);
  kept->other_line = model_line(m, f->other_pc);
  snprintf(message, sizeof message,
           "%s uses %s (line %u), and nothing orders that after the %s in "
           "line %u",
           model_process_name(m, f->proc), variable, kept->line, f->message,
           kept->other_line);
  free(kept->message);
  kept->message = strdup(message);
  ensure(kept->message);
}

static void add_moves(struct local_finding *to, const struct trace *t,
                      struct system *system) {
  for (size_t i = 0; i < trace_length(t); i++) {
    const struct event *e = &t->events.at[i];
    VEC_PUSH(to->moves, (struct move){e->proc, e->choice});
    for (uint32_t k = 0; k < system->ops->hidden(system, i); k++)
      VEC_PUSH(to->moves, (struct move){e->proc, MOVE_LOCAL});
  }
}

static void finding(void *context, const struct explorer *x,
                    const struct finding *f, bool warning) {
  struct listening *l = context;
  if (!collect_finding(&l->s->found, f, warning))
    return;
  struct local_finding kept = {.kind = f->kind,
                               .warning = warning,
                               .proc = f->proc,
                               .line = f->line ? f->line
                                               : model_line(l->model, f->pc),
                               .message = strdup(f->message)};
  ensure(kept.message);
  if (f->kind == FINDING_RACE)
    describe_race(l->model, f, &kept);
  add_moves(&kept, &x->trace, x->system);
  VEC_PUSH(l->s->findings, kept);
}

static void outcome(void *context, const char *output, size_t length,
                    unsigned status) {
  struct listening *l = context;
  collect_outcome(&l->s->found, output, length, status);
}

static void restart(void *context) {
  struct listening *l = context;
  collection_forget_outcomes(&l->s->found);
}

static bool stop(void *context) {
  struct listening *l = context;
  return l->stop(l->context);
}

/* A process can fail before its first step; no explorer sees that. */
static bool fails_at_once(struct model *m, struct explorer *x) {
  bool failed = false;
  for (unsigned p = 0; p < x->system->processes; p++) {
    struct finding f;
    if (!model_failure(m, p, &f))
      continue;
    failed = true;
    finding(x->listener.context, x, &f, false);
  }
  return failed;
}

void local_explore(struct local_session *s, const struct program *g,
                   const struct algorithm *algorithm,
                   const struct options *options, bool (*asked)(void *),
                   void *context) {
  struct model *m = model_new(g);
  struct check *check = NULL;
  if (options->verify || check_always())
    check = check_new(model_system(m), true);
  struct listening listening = {s, m, asked, context};
  struct explorer x = {
      .system = check ? check_system(check) : model_system(m),
      .algorithm = algorithm,
      .options = options,
      .counters = &s->counters,
      .listener = {&listening, finding, outcome, restart, stop}};
  bool over = fails_at_once(m, &x) && !options->keep_going;
  s->result = over ? EXPLORE_STOPPED : explore(&x);
  memcpy(s->limits, x.limits, sizeof s->limits);
  s->limit_count = x.limit_count;
  check_free(check);
  model_free(m);
}

void local_session_free(struct local_session *s) {
  for (size_t i = 0; i < s->findings.size; i++) {
    free(s->findings.at[i].message);
    VEC_FREE(s->findings.at[i].moves);
  }
  VEC_FREE(s->findings);
  collection_free(&s->found);
}

/* ---- replaying ------------------------------------------------------------
 */

/* The process created or joined, which the statement names, or the choice. */
static uint32_t target_of(const struct program *g, const struct step *step) {
  uint32_t statement = g->code.at[step->pc - 1].statement;
  if (op_table[step->op].target == OPTARGET_THREAD)
    return g->statements.at[statement].symbol;
  return step->choice;
}

static void describe(const struct program *g, const struct model *m,
                     uint32_t proc, const struct step *step,
                     struct local_step *out) {
  *out = (struct local_step){.proc = proc,
                             .op = step->op,
                             .line = model_line(m, step->pc),
                             .target = target_of(g, step)};
  if (!step->accesses)
    return;
  const struct access *a = &step->access[0];
  out->failed = (step->flags & STEP_CONDITIONAL) && op_may_fail(step->op) &&
                !(a->mode & ACCESS_WRITE);
  out->has_value = op_has_value(step->op);
  out->value = model_value(m, a);
  model_describe(m, a, out->object, sizeof out->object);
}

void local_replay(const struct program *g, const struct move *moves,
                  size_t count, void (*tell)(void *, const struct local_step *),
                  void *context) {
  struct model *m = model_new(g);
  struct system *system = model_system(m);
  for (size_t i = 0; i < count; i++) {
    struct step step;
    struct local_step told;
    system->ops->step(system, moves[i].proc, moves[i].choice & ~MOVE_LOCAL,
                      &step);
    describe(g, m, moves[i].proc, &step, &told);
    told.local = moves[i].choice & MOVE_LOCAL;
    tell(context, &told);
  }
  model_free(m);
}
