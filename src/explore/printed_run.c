#include "explore/printed_run.h"

void plan_add(struct plan *plan, const struct trace *t, uint32_t position) {
  const struct event *e = &t->events.at[position];
  VEC_PUSH(plan->list, (struct planned){{e->proc, e->choice}, position});
}

void run_begin(struct run *r) {
  r->strayed = (uint32_t)trace_length(&r->x->trace);
}

void run_discard(struct run *r) {
  VEC_FREE(r->creators);
}

static bool stale(const struct explorer *x) {
  return x->system->ops->stale && x->system->ops->stale(x->system);
}

bool run_end(struct run *r) {
  struct explorer *x = r->x;
  if (stale(x))
    return false;
  if (r->strayed < trace_length(&x->trace))
    explorer_undo(x, r->strayed);
  for (; r->strayed < trace_length(&x->trace); r->strayed++)
    explorer_retake(x, r->strayed);
  return true;
}

/* What is before the depth may be another excursion's. */
void run_at(struct run *r, uint32_t depth) {
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

/* How many alternatives a step has shows when it is taken. */
static bool has_choice(struct run *r, struct move move, size_t depth) {
  struct system *system = r->x->system;
  struct step out;
  bool has = system->ops->step(system, move.proc, 0, &out) != STEP_REFUSED &&
             move.choice < out.choices;
  explorer_undo(r->x, depth);
  return has && !r->x->diverged;
}

bool run_possible(struct run *r, struct move move, size_t depth) {
  struct system *system = r->x->system;
  return !r->x->diverged && !stale(r->x) &&
         system->ops->enabled(system, move.proc) &&
         (!move.choice || has_choice(r, move, depth));
}

/* A step that may not be possible, since the order is another one. */
static bool step(struct run *r, struct move move, struct step *out) {
  struct system *system = r->x->system;
  if (!run_possible(r, move, r->depth) ||
      system->ops->step(system, move.proc, move.choice, out) == STEP_REFUSED)
    return false;
  r->depth++;
  return true;
}

size_t run_moves(struct run *r, const struct plan *plan, size_t from,
                 size_t count) {
  struct step out;
  for (size_t i = 0; i < count; i++)
    if (!step(r, plan->list.at[from + i].move, &out))
      return i;
  return count;
}

/* Is it known without running it what the move does? */
static bool is_known(const struct trace *t, const struct planned *p) {
  return p->position != NOWHERE &&
         !(t->events.at[p->position].flags &
           (STEP_BLOCKING | STEP_AWAIT | STEP_BLOCK | STEP_CONDITIONAL)) &&
         t->events.at[p->position].choices <= 1;
}

size_t run_write_out(struct run *r, uint32_t at, const struct plan *plan,
                     struct sequence *s) {
  const struct trace *t = &r->x->trace;
  bool known = true;
  sequence_clear(s);
  for (size_t i = 0; i < plan->list.size; i++)
    known = known && is_known(t, &plan->list.at[i]);
  if (!known)
    run_at(r, at);
  for (size_t i = 0; i < plan->list.size; i++) {
    struct step out;
    if (known) {
      sequence_add_event(s, t, plan->list.at[i].position);
      continue;
    }
    if (!step(r, plan->list.at[i].move, &out))
      return i;
    sequence_add_step(s, t, at, plan->list.at[i].move.proc, &out);
  }
  return plan->list.size;
}

bool run_changes(struct run *r, uint32_t depth, struct changes *out) {
  struct system *system = r->x->system;
  if (r->x->diverged || !system->ops->changes)
    return false;
  *out = system->ops->changes(system, depth);
  return true;
}

/* ---- the free choice ----------------------------------------------------- */

void run_stepped(struct run *r) {
  const struct event *e = &VEC_TOP(r->x->trace.events);
  while (r->creators.size <= e->proc)
    VEC_PUSH(r->creators, false);
  if (e->op == OP_CREATE)
    r->creators.at[e->proc] = true;
}

struct patience {
  const struct run *run;
  bool (*asleep)(const void *, uint32_t);
  const void *context;
};

static bool goes_last(const struct run *r, uint32_t proc) {
  struct system *system = r->x->system;
  struct step step;
  bool creator = proc < r->creators.size && r->creators.at[proc];
  return system->ops->pending(system, proc, &step) &&
         (step.op == OP_JOIN || (creator && step.op != OP_CREATE));
}

static bool asleep_or_last(const void *context, uint32_t proc) {
  const struct patience *p = context;
  return p->asleep(p->context, proc) || goes_last(p->run, proc);
}

enum pick run_free_choice(const struct run *r,
                          bool (*asleep)(const void *, uint32_t),
                          const void *context, uint32_t *proc) {
  struct patience patience = {r, asleep, context};
  enum pick pick = explorer_free_choice(r->x, asleep_or_last, &patience, proc);
  return pick == PICK_CUT ? explorer_free_choice(r->x, asleep, context, proc)
                          : pick;
}
