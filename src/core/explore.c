#include "core/explore.h"

#include "util/ensure.h"

/* ---- findings ------------------------------------------------------------- */

static void tell(struct explorer *x, const struct finding *finding,
                 bool warning) {
  if (!warning)
    x->error = true;
  x->listener.finding(x->listener.context, x, finding, warning);
}

/* A failure is real only if no other failure happens before it: the failed
 * process stops, and what follows from that is not the program's doing. */
static void step_failed(struct explorer *x) {
  uint32_t last = (uint32_t)trace_length(&x->trace) - 1;
  bool real = true;
  for (size_t i = 0; i < x->failures.size; i++)
    if (happens_before(&x->trace, &x->trace.events.at[x->failures.at[i]],
                       &x->trace.events.at[last]))
      real = false;
  VEC_PUSH(x->failures, last);
  if (real)
    tell(x, x->system->ops->finding(x->system), false);
}

static void race_found(void *context, const struct touch *earlier) {
  struct explorer *x = context;
  const struct event *first = &x->trace.events.at[earlier->event];
  const struct event *second = &VEC_TOP(x->trace.events);
  uint64_t granule = x->trace.cells.at[earlier->cell].granule;
  struct finding finding = {
      .kind = FINDING_RACE,
      .proc = second->proc,
      .pc = second->pc,
      .other_pc = first->pc,
      .addr = (granule << 3) + (unsigned)__builtin_ctz(earlier->mask),
      .size = (uint32_t)__builtin_popcount(earlier->mask),
      .message = (earlier->mode & ACCESS_WRITE) ? "write" : "read"};
  tell(x, &finding, x->options->races == RACES_WARN);
}

/* ---- moving --------------------------------------------------------------- */

static void truncate(struct explorer *x, size_t length) {
  trace_truncate(&x->trace, length);
  if (x->options->races != RACES_OFF)
    datarace_truncate(&x->datarace, length);
  while (x->failures.size && VEC_TOP(x->failures) >= length)
    x->failures.size--;
}

static bool take(struct explorer *x, struct move move) {
  struct step step;
  enum step_result result =
      x->system->ops->step(x->system, move.proc, move.choice, &step);
  if (result == STEP_REFUSED)
    return false;
  trace_push(&x->trace, move.proc, &step);
  x->counters->steps++;
  if (x->options->races != RACES_OFF)
    datarace_push(&x->datarace, &x->trace, race_found, x);
  if (result == STEP_FAILED)
    step_failed(x);
  x->algorithm->stepped(x->state);
  return true;
}

void explorer_redo(struct explorer *x, size_t from, size_t to) {
  struct step step;
  for (size_t i = from; i < to; i++) {
    const struct event *e = &x->trace.events.at[i];
    enum step_result result =
        x->system->ops->step(x->system, e->proc, e->choice, &step);
    ensure(result != STEP_REFUSED);
  }
}

/* ---- the end of an execution ---------------------------------------------- */

static void count_execution(struct explorer *x) {
  struct counters *c = x->counters;
  c->executions++;
  if (c->max_depth < trace_length(&x->trace))
    c->max_depth = trace_length(&x->trace);
}

static void execution_complete(struct explorer *x) {
  count_execution(x);
  switch (x->system->ops->ending(x->system)) {
  case ENDING_STUCK:
    tell(x, x->system->ops->finding(x->system), false);
    break;
  case ENDING_COMPLETE:
    if (x->options->outcomes) {
      size_t length;
      const char *output = x->system->ops->output(x->system, &length);
      x->listener.outcome(x->listener.context, output, length);
    }
    break;
  case ENDING_FAILED:
  case ENDING_ASSUMED:
    break;
  }
}

static bool out_of_budget(struct explorer *x) {
  if (x->counters->executions >= x->options->max_executions) {
    x->limit = "--max-executions";
    return true;
  }
  return x->listener.stop(x->listener.context);
}

/* ---- the loop ------------------------------------------------------------- */

enum descent { DESCENT_ENDED, DESCENT_INTERRUPTED, DESCENT_REFUSED };

/* An execution that ends at its first error is complete as far as it goes. */
static bool interrupted(struct explorer *x) {
  if (x->error && !x->options->keep_going) {
    count_execution(x);
    return true;
  }
  return !(x->counters->steps % 1024) && x->listener.stop(x->listener.context);
}

/* Runs the execution on to its end. */
static enum descent descend(struct explorer *x) {
  struct move move;
  enum pick pick;
  while ((pick = x->algorithm->pick(x->state, &move)) == PICK_MOVE &&
         trace_length(&x->trace) < x->options->max_steps) {
    if (!take(x, move))
      return DESCENT_REFUSED;
    if (interrupted(x))
      return DESCENT_INTERRUPTED;
  }
  if (pick == PICK_MOVE)
    x->limit = "--max-steps";
  else if (pick == PICK_END)
    execution_complete(x);
  else
    x->counters->blocked++;
  x->algorithm->ended(x->state, pick);
  return DESCENT_ENDED;
}

static enum explore_result search(struct explorer *x) {
  for (;;) {
    enum descent descent = descend(x);
    if (descent != DESCENT_ENDED)
      return descent == DESCENT_REFUSED ? EXPLORE_REFUSED : EXPLORE_STOPPED;
    size_t length;
    if (x->error && !x->options->keep_going)
      return EXPLORE_STOPPED;
    if (!x->algorithm->retreat(x->state, &length))
      return x->limit ? EXPLORE_LIMIT : EXPLORE_COMPLETE;
    if (out_of_budget(x))
      return x->limit ? EXPLORE_LIMIT : EXPLORE_STOPPED;
    truncate(x, length);
    x->system->ops->undo(x->system, length);
  }
}

enum explore_result explore(struct explorer *x) {
  trace_init(&x->trace, x->algorithm->wants_races);
  datarace_init(&x->datarace);
  x->failures.size = 0;
  x->limit = NULL;
  x->error = false;
  x->state = x->algorithm->create(x);
  enum explore_result result = search(x);
  x->algorithm->destroy(x->state);
  x->counters->threads = x->system->processes;
  VEC_FREE(x->failures);
  datarace_free(&x->datarace);
  trace_free(&x->trace);
  return result;
}

/* ---- for algorithms ------------------------------------------------------- */

static bool enabled(const struct explorer *x, uint32_t p) {
  return x->system->ops->enabled(x->system, p);
}

enum pick explorer_free_choice(const struct explorer *x,
                               bool (*asleep)(const void *, uint32_t),
                               const void *context, uint32_t *proc) {
  uint32_t last = NOWHERE;
  enum pick pick = PICK_END;
  if (trace_length(&x->trace)) {
    last = VEC_TOP(x->trace.events).proc;
    if (enabled(x, last)) {
      *proc = last;
      if (!asleep(context, last))
        return PICK_MOVE;
      pick = PICK_CUT;
    }
  }
  for (uint32_t p = 0; p < x->system->processes; p++)
    if (p != last && enabled(x, p)) {
      *proc = p;
      if (!asleep(context, p))
        return PICK_MOVE;
      pick = PICK_CUT;
    }
  return pick;
}
