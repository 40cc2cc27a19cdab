#include "core/explore.h"

#include <string.h>

#include "core/cone.h"
#include "util/ensure.h"

/* ---- findings -------------------------------------------------------------
 */

static void tell(struct explorer *x, const struct finding *finding,
                 bool warning) {
  if (!warning)
    x->error = true;
  x->listener.finding(x->listener.context, x, finding, warning);
}

/* A racy program races in every execution: the listener need not sort out what
 * it has just been told. */
static bool told_lately(struct explorer *x, uint64_t pc, uint64_t other_pc) {
  size_t size = sizeof x->known_races / sizeof *x->known_races;
  struct known_race *known = &x->known_races[(pc * 31 + other_pc) % size];
  if (known->pc == pc && known->other_pc == other_pc)
    return true;
  *known = (struct known_race){pc, other_pc};
  return false;
}

static bool data_is_apart(const struct explorer *x) {
  return x->options->interfere == INTERFERE_LOCKS;
}

static void race_found(void *context, const struct data_race *race) {
  struct explorer *x = context;
  if (data_is_apart(x)) {
    x->raced = true;
    x->limit = "a data race, of whose orders --interfere=locks shows one";
  }
  bool over = x->error && !x->options->keep_going;
  if (over || told_lately(x, race->pc, race->other_pc))
    return;
  struct finding finding = {.kind = FINDING_RACE,
                            .proc = race->proc,
                            .pc = race->pc,
                            .other_pc = race->other_pc,
                            .addr = (race->granule << 3) +
                                    (unsigned)__builtin_ctz(race->mask),
                            .size = (uint32_t)__builtin_popcount(race->mask),
                            .message = race->other_writes ? "write" : "read"};
  tell(x, &finding, x->options->races == RACES_WARN);
}

/* ---- preemptions ----------------------------------------------------------
 */

/* How many there are if this process moves next. */
static uint32_t preemptions_with(const struct explorer *x, uint32_t proc) {
  if (!x->preemptions.size)
    return 0;
  uint32_t last = VEC_TOP(x->trace.events).proc;
  return VEC_TOP(x->preemptions) +
         (proc != last && x->system->ops->enabled(x->system, last));
}

bool explorer_allows(const struct explorer *x, uint32_t proc) {
  return !explorer_is_bounded(x) ||
         preemptions_with(x, proc) <= x->options->preemptions;
}

void explorer_leave_out(struct explorer *x, uint64_t moves) {
  if (!moves)
    return;
  x->counters->bounded += moves;
  x->limit = "--preemptions";
}

/* ---- moving ---------------------------------------------------------------
 */

static void truncate(struct explorer *x, size_t length) {
  trace_truncate(&x->trace, length);
  if (x->options->races != RACES_OFF)
    datarace_truncate(&x->datarace, length);
  if (x->preemptions.size > length)
    x->preemptions.size = length;
  while (x->failures.size && VEC_TOP(x->failures) >= length)
    x->failures.size--;
}

/* ---- the same moves again -------------------------------------------------
 */

static void diverged(struct explorer *x, const struct finding *finding) {
  if (!x->diverged)
    tell(x, finding, false);
  x->diverged = true;
}

bool explorer_stale(const struct explorer *x) {
  return x->system->ops->stale && x->system->ops->stale(x->system);
}

void explorer_undo(struct explorer *x, size_t depth) {
  if (!x->diverged && !x->system->ops->undo(x->system, depth))
    diverged(x, x->system->ops->finding(x->system));
}

/* Whether a write changes anything may depend on the order; which writes count
 * as blind is the trace's decision. */
static bool same_footprint(const struct trace *t, const struct event *e,
                           const struct access *b, uint32_t count) {
  const struct access *a = event_access(t, e);
  if (e->accesses != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (a[i].addr != b[i].addr || a[i].size != b[i].size ||
        ((a[i].mode ^ b[i].mode) & ~(uint32_t)(ACCESS_SILENT | ACCESS_BLIND)))
      return false;
  return true;
}

bool explorer_same_footprint(const struct trace *t, const struct event *e,
                             const struct step *step) {
  return same_footprint(t, e, step->access, step->accesses);
}

static void did_something_else(struct explorer *x, const struct event *e) {
  struct finding finding = {.kind = FINDING_NONDETERMINISM,
                            .proc = e->proc,
                            .pc = e->pc,
                            .message = "a step taken again from the same state "
                                       "did something else"};
  diverged(x, &finding);
}

void explorer_impossible(struct explorer *x, uint32_t proc) {
  struct finding finding = {.kind = FINDING_NONDETERMINISM,
                            .proc = proc,
                            .message = "a step that was possible after the "
                                       "same steps is not possible again"};
  diverged(x, &finding);
}

/* A step that is taken again, in this or another execution, must be the same.
 */
static void compare_deed(struct explorer *x) {
  const struct trace_deed *deed = &x->trace.deed;
  size_t size = sizeof x->known_deeds / sizeof *x->known_deeds;
  struct trace_deed *known = &x->known_deeds[deed->cause % size];
  if (known->cause != deed->cause)
    *known = *deed;
  else if (known->deed != deed->deed)
    did_something_else(x, &VEC_TOP(x->trace.events));
}

void explorer_surprised(struct explorer *x) {
  did_something_else(x, &VEC_TOP(x->trace.events));
}

void explorer_expect(struct explorer *x, const struct access *access,
                     uint32_t count) {
  const struct event *e = &VEC_TOP(x->trace.events);
  if (!same_footprint(&x->trace, e, access, count))
    did_something_else(x, e);
}

bool explorer_try(struct explorer *x, size_t position) {
  const struct event *e = &x->trace.events.at[position];
  struct step step = {0};
  return x->system->ops->enabled(x->system, e->proc) &&
         x->system->ops->step(x->system, e->proc, e->choice, &step) !=
             STEP_REFUSED &&
         e->op == step.op && e->pc == step.pc &&
         same_footprint(&x->trace, e, step.access, step.accesses);
}

void explorer_retake(struct explorer *x, size_t position) {
  if (!x->diverged && !explorer_stale(x) && !explorer_try(x, position))
    did_something_else(x, &x->trace.events.at[position]);
}

/* ---- failures -------------------------------------------------------------
 */

static bool has_failed(const struct explorer *x, uint32_t proc) {
  for (size_t i = 0; i < x->failures.size; i++)
    if (x->trace.events.at[x->failures.at[i]].proc == proc)
      return true;
  return false;
}

static bool same_failure(const struct finding *a, const struct finding *b) {
  return a->kind == b->kind && a->proc == b->proc && a->pc == b->pc &&
         a->line == b->line;
}

/* Takes the events from `first` on that are possible without those who failed.
 * Is the last one this failure, and the first? */
static bool run_without_failed(struct explorer *x, size_t first,
                               const struct finding *failure) {
  const struct system_ops *ops = x->system->ops;
  for (size_t i = first; i < trace_length(&x->trace) && !x->diverged; i++) {
    const struct event *e = &x->trace.events.at[i];
    struct step step;
    if (has_failed(x, e->proc) || !ops->enabled(x->system, e->proc))
      continue;
    enum step_result result = ops->step(x->system, e->proc, e->choice, &step);
    if (result != STEP_DONE)
      return result == STEP_FAILED &&
             same_failure(ops->finding(x->system), failure);
  }
  return false;
}

/* Does the newest event fail if those who failed before do not take that step?
 */
static bool fails_without_others(struct explorer *x) {
  struct finding failure = *x->system->ops->finding(x->system);
  size_t first = x->failures.at[0];
  explorer_undo(x, first);
  bool fails = run_without_failed(x, first, &failure);
  explorer_undo(x, first);
  for (size_t i = first; i < trace_length(&x->trace); i++)
    explorer_retake(x, i);
  return fails;
}

/* A failure is real only if it does not follow from another one: the failed
 * process stops, and what follows from that is not the program's doing.  That
 * one merely came before, as dependent steps do, does not count: what this one
 * follows from could have happened without it, and explorers that tell fewer
 * executions apart than there are traces may run no other order.  Nor does it
 * count that one is in the cone if the failure is there without it: what was
 * read from a step that commutes could have been read from the one before. */
static void step_failed(struct explorer *x) {
  uint32_t last = (uint32_t)trace_length(&x->trace) - 1;
  bool real = !cone_has(&x->trace, x->failures.at, x->failures.size) ||
              fails_without_others(x);
  const struct finding *finding = x->system->ops->finding(x->system);
  /* A process that fails as soon as it is created does so in its creator's
   * step, and nothing happens after it. */
  if (finding->proc == x->trace.events.at[last].proc)
    VEC_PUSH(x->failures, last);
  if (real)
    tell(x, finding, false);
}

/* ---- steps ----------------------------------------------------------------
 */

/* The step itself, and what is to be said about it. */
static bool move_on(struct explorer *x, struct move move) {
  struct step step;
  uint32_t preemptions =
      explorer_is_bounded(x) ? preemptions_with(x, move.proc) : 0;
  enum step_result result =
      x->system->ops->step(x->system, move.proc, move.choice, &step);
  if (result == STEP_REFUSED)
    return false;
  trace_push(&x->trace, move.proc, &step);
  x->counters->steps++;
  if (explorer_is_bounded(x))
    VEC_PUSH(x->preemptions, preemptions);
  if (!x->raced)
    compare_deed(x);
  if (x->options->races != RACES_OFF)
    datarace_push(&x->datarace, &x->trace, &step);
  if (result == STEP_FAILED)
    step_failed(x);
  return true;
}

static bool take(struct explorer *x, struct move move) {
  if (!move_on(x, move))
    return false;
  x->algorithm->stepped(x->state);
  return true;
}

/* ---- the end of an execution ----------------------------------------------
 */

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

/* ---- the loop -------------------------------------------------------------
 */

enum descent {
  DESCENT_ENDED,
  DESCENT_INTERRUPTED,
  DESCENT_STALE,
  DESCENT_REFUSED
};

static bool nobody(const void *context, uint32_t proc) {
  (void)context;
  (void)proc;
  return false;
}

/* A data race where data is not interleaved.  What the algorithm knows of other
 * executions may be wrong from here on, but this one is as real as any: it is
 * run to its end, and what is found in it is told. */
static void run_on(struct explorer *x) {
  struct move move = {0, 0};
  enum pick pick;
  while ((pick = explorer_free_choice(x, nobody, NULL, &move.proc)) ==
             PICK_MOVE &&
         trace_length(&x->trace) < x->options->max_steps)
    if (!move_on(x, move) || (x->error && !x->options->keep_going))
      break;
  if (pick == PICK_END)
    execution_complete(x);
  else
    count_execution(x);
}

/* An execution that ends at its first error is complete as far as it goes. */
static bool interrupted(struct explorer *x) {
  if (x->diverged)
    return true;
  if (x->error && !x->options->keep_going) {
    count_execution(x);
    return true;
  }
  if (x->raced) {
    run_on(x);
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
    if (explorer_stale(x))
      return DESCENT_STALE;
  }
  if (pick == PICK_MOVE)
    x->limit = "--max-steps";
  else if (pick == PICK_END)
    execution_complete(x);
  else if (pick == PICK_CUT)
    x->counters->blocked++;
  x->algorithm->ended(x->state, pick);
  return explorer_stale(x) ? DESCENT_STALE : DESCENT_ENDED;
}

/* Runs the execution on, to find out more of the same kind at once.  Its errors
 * will be found again. */
static void run_out(struct explorer *x) {
  struct step step;
  uint32_t proc;
  for (uint64_t i = 0; i < x->options->max_steps; i++)
    if (explorer_free_choice(x, nobody, NULL, &proc) != PICK_MOVE ||
        x->system->ops->step(x->system, proc, 0, &step) == STEP_REFUSED)
      return;
}

/* So many executions may be explored in vain, and so often; then the system
 * must take its finest steps. */
enum { MOST_IN_VAIN = 1000, MOST_RESTARTS = 20 };

void explorer_restart(struct explorer *x) {
  x->counters->executions = x->counters->blocked = x->counters->max_depth = 0;
  x->limit = NULL;
  x->listener.restart(x->listener.context);
}

static void start_again(struct explorer *x) {
  bool finest =
      x->counters->executions > MOST_IN_VAIN || x->restarts++ == MOST_RESTARTS;
  run_out(x);
  truncate(x, 0);
  explorer_undo(x, 0);
  x->system->ops->restart(x->system, finest);
  x->algorithm->destroy(x->state);
  x->state = x->algorithm->create(x);
  x->counters->bounded = 0;
  x->limit = NULL;
  memset(x->known_deeds, 0, sizeof x->known_deeds);
  explorer_restart(x);
}

static enum explore_result search(struct explorer *x) {
  for (;;) {
    enum descent descent = descend(x);
    if (descent == DESCENT_STALE) {
      start_again(x);
      continue;
    }
    if (descent == DESCENT_REFUSED)
      return EXPLORE_REFUSED;
    if (descent == DESCENT_INTERRUPTED)
      return x->raced ? EXPLORE_LIMIT : EXPLORE_STOPPED;
    size_t length;
    if (x->error && !x->options->keep_going)
      return EXPLORE_STOPPED;
    bool left = x->algorithm->retreat(x->state, &length);
    if (x->diverged)
      return EXPLORE_STOPPED;
    if (!left)
      return x->limit ? EXPLORE_LIMIT : EXPLORE_COMPLETE;
    if (out_of_budget(x))
      return x->limit ? EXPLORE_LIMIT : EXPLORE_STOPPED;
    truncate(x, length);
    explorer_undo(x, length);
    if (x->diverged)
      return EXPLORE_STOPPED;
  }
}

const char *explorer_refuses(const struct algorithm *a,
                             const struct options *o) {
  if (!a)
    return "no algorithm of that name";
  if (o->interfere == INTERFERE_LOCKS && o->races == RACES_OFF)
    return "--interfere=locks needs data races to be looked for: it is only "
           "right if there are none; leave out --races=off";
  if (o->interfere == INTERFERE_LOCKS && a->observes)
    return "--interfere=locks: this algorithm must see every read of data; use "
           "--algo optimal";
  if (o->preemptions != UINT64_MAX && !a->bounds)
    return "--preemptions: this algorithm cannot bound them; use --algo "
           "optimal, source, dpor or naive";
  if (o->skip != SKIP_DEFAULT && !a->skips)
    return "--skip: this algorithm has no trees of events; use --algo unfold "
           "or quasi=K";
  if (o->skip > SKIP_MOST)
    return "--skip: no tree is so deep; use 1000000 or less";
  return NULL;
}

enum explore_result explore(struct explorer *x) {
  trace_init(&x->trace, x->algorithm->wants_races);
  datarace_init(&x->datarace, data_is_apart(x), race_found, x);
  x->failures.size = 0;
  x->limit = NULL;
  x->restarts = 0;
  x->error = x->diverged = x->raced = false;
  memset(x->known_deeds, 0, sizeof x->known_deeds);
  memset(x->known_races, 0xff, sizeof x->known_races); /* no such place */
  x->state = x->algorithm->create(x);
  enum explore_result result = search(x);
  x->algorithm->destroy(x->state);
  x->counters->threads = x->system->processes;
  VEC_FREE(x->failures);
  VEC_FREE(x->preemptions);
  datarace_free(&x->datarace);
  trace_free(&x->trace);
  return result;
}

/* ---- for algorithms -------------------------------------------------------
 */

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
