#include "explore/asprinted/printed_run.h"

void printed_plan_add(struct printed_plan *plan, const struct trace *t,
                      uint32_t position) {
  const struct event *e = &t->events.at[position];
  VEC_PUSH(plan->list, (struct printed_move){{e->proc, e->choice}, position});
}

void printed_run_begin(struct printed_run *r) {
  r->strayed = (uint32_t)trace_length(&r->x->trace);
}

void printed_run_free(struct printed_run *r) {
  VEC_FREE(r->creators);
}

static bool stale(const struct explorer *x) {
  return x->system->ops->stale && x->system->ops->stale(x->system);
}

bool printed_run_end(struct printed_run *r) {
  struct explorer *x = r->x;
  if (stale(x))
    return false;
  if (r->strayed < trace_length(&x->trace))
    explorer_undo(x, r->strayed);
  for (; r->strayed < trace_length(&x->trace); r->strayed++)
    explorer_retake(x, r->strayed);
  return true;
}

/* The system may have been taken further back by another excursion. */
void printed_run_at(struct printed_run *r, uint32_t depth) {
  r->depth = depth;
  if (depth <= r->strayed) {
    explorer_undo(r->x, depth);
    r->strayed = depth;
    return;
  }
  explorer_undo(r->x, r->strayed);
  for (uint32_t i = r->strayed; i < depth && !stale(r->x); i++)
    explorer_retake(r->x, i);
}

/* Only taking a step shows how many alternatives it has. */
static bool has_choice(struct printed_run *r, struct move move, size_t depth) {
  struct step out;
  bool has =
      explorer_probe(r->x, move.proc, 0, &out) && move.choice < out.choices;
  explorer_undo(r->x, depth);
  return has && !r->x->diverged;
}

bool printed_run_possible(struct printed_run *r, struct move move,
                          size_t depth) {
  struct system *system = r->x->system;
  return !r->x->diverged && !stale(r->x) &&
         system->ops->enabled(system, move.proc) &&
         (!move.choice || has_choice(r, move, depth));
}

/* Takes a step, which may not be possible in this order. */
static bool step(struct printed_run *r, struct move move, struct step *out) {
  if (!printed_run_possible(r, move, r->depth) ||
      !explorer_probe(r->x, move.proc, move.choice, out))
    return false;
  r->depth++;
  return true;
}

size_t printed_run_moves(struct printed_run *r, const struct printed_plan *plan,
                         size_t from, size_t count) {
  struct step out;
  for (size_t i = 0; i < count; i++)
    if (!step(r, plan->list.at[from + i].move, &out))
      return i;
  return count;
}

/* Is the move's step known without running it? */
static bool is_known(const struct trace *t, const struct printed_move *p) {
  return p->position != NOWHERE &&
         !(t->events.at[p->position].flags &
           (STEP_BLOCKING | STEP_AWAIT | STEP_BLOCK | STEP_CONDITIONAL)) &&
         t->events.at[p->position].choices <= 1;
}

size_t printed_run_write_out(struct printed_run *r, uint32_t at,
                             const struct printed_plan *plan,
                             struct printed_sequence *s) {
  const struct trace *t = &r->x->trace;
  bool known = true;
  printed_sequence_clear(s);
  for (size_t i = 0; i < plan->list.size; i++)
    known = known && is_known(t, &plan->list.at[i]);
  if (!known)
    printed_run_at(r, at);
  for (size_t i = 0; i < plan->list.size; i++) {
    struct step out;
    if (known) {
      printed_sequence_add_event(s, t, plan->list.at[i].position);
      continue;
    }
    if (!step(r, plan->list.at[i].move, &out))
      return i;
    printed_sequence_add_step(s, t, at, plan->list.at[i].move.proc, &out);
  }
  return plan->list.size;
}

bool printed_run_changes(struct printed_run *r, uint32_t depth,
                         struct changes *out) {
  struct system *system = r->x->system;
  if (r->x->diverged || !system->ops->changes)
    return false;
  *out = system->ops->changes(system, depth);
  return true;
}

/* ---- the free choice ---------------------------------------------------- */

void printed_run_stepped(struct printed_run *r) {
  const struct event *e = &VEC_TOP(r->x->trace.events);
  while (r->creators.size <= e->proc)
    VEC_PUSH(r->creators, false);
  if (e->op == OP_CREATE)
    r->creators.at[e->proc] = true;
}

struct last_choice {
  const struct printed_run *run;
  bool (*asleep)(const void *, uint32_t);
  const void *context;
};

static bool goes_last(const struct printed_run *r, uint32_t proc) {
  struct system *system = r->x->system;
  struct step step;
  bool creator = proc < r->creators.size && r->creators.at[proc];
  return system->ops->pending(system, proc, &step) &&
         (step.op == OP_JOIN || (creator && step.op != OP_CREATE));
}

static bool asleep_or_last(const void *context, uint32_t proc) {
  const struct last_choice *p = context;
  return p->asleep(p->context, proc) || goes_last(p->run, proc);
}

enum pick printed_run_free_choice(const struct printed_run *r,
                                  bool (*asleep)(const void *, uint32_t),
                                  const void *context, uint32_t *proc) {
  struct last_choice patience = {r, asleep, context};
  enum pick pick = explorer_free_choice(r->x, asleep_or_last, &patience, proc);
  return pick == PICK_CUT ? explorer_free_choice(r->x, asleep, context, proc)
                          : pick;
}
