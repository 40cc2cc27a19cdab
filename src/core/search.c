#include "core/search.h"

#include <string.h>

#include "core/search_parts.h"
#include "util/ensure.h"

/* ---- steps ----------------------------------------------------------------
 */

/* Shortens all that has an entry for each event. */
static void truncate(struct explorer *x, size_t length) {
  trace_truncate(&x->trace, length);
  if (x->options->races != RACES_OFF)
    datarace_truncate(&x->datarace, length);
  if (x->preemptions.size > length)
    x->preemptions.size = length;
  while (x->failures.size && VEC_TOP(x->failures) >= length)
    x->failures.size--;
}

static bool enabled(const struct explorer *x, uint32_t p) {
  return x->system->ops->enabled(x->system, p);
}

/* ---- looks ----------------------------------------------------------------
 */

static enum look look_before(void *context, uint32_t proc, uint32_t position) {
  const struct explorer *x = context;
  return x->system->ops->look_before(x->system, proc, position);
}

struct step explorer_pending_before(struct explorer *x, uint32_t proc,
                                    const struct step *step,
                                    uint32_t position) {
  struct step before = *step;
  if (!(step->flags & STEP_LOOK))
    return before;
  memcpy(x->look, step->access, step->accesses * sizeof *x->look);
  if (look_before(x, proc, position) == LOOK_WRITES)
    x->look->mode |= ACCESS_WRITE;
  else
    x->look->mode &= ~(uint32_t)(ACCESS_WRITE | ACCESS_BLIND);
  before.access = x->look;
  return before;
}

/* The races of a look must be known before it is taken. */
static void before_look(struct explorer *x, uint32_t proc) {
  struct step step;
  if (x->system->ops->looks && x->system->ops->looks(x->system, proc) &&
      x->system->ops->pending(x->system, proc, &step))
    trace_before_look(&x->trace, proc, &step);
}

/* Takes the step and enters its event.  False: the system refuses it. */
static bool move_on(struct explorer *x, struct move move) {
  struct step step;
  if (HOSTILE)
    ensure(enabled(x, move.proc)); /* S2 */
  uint32_t preemptions =
      explorer_is_bounded(x) ? explorer_preemptions(x, move.proc) : 0;
  if (x->algorithm->holds)
    before_look(x, move.proc);
  enum step_result result =
      x->system->ops->step(x->system, move.proc, move.choice, &step);
  if (result == STEP_REFUSED)
    return false;
  trace_push(&x->trace, move.proc, &step);
  if (x->trace.exposed)
    x->system->ops->expose(x->system);
  x->counters->steps++;
  x->unwatched += 1 + step.hidden;
  if (explorer_is_bounded(x))
    VEC_PUSH(x->preemptions, preemptions);
  if (!x->raced)
    explorer_compare_deed(x);
  if (x->options->races != RACES_OFF)
    datarace_push(&x->datarace, &x->trace, &step);
  if (result == STEP_FAILED && (x->raced || !explorer_stale(x)))
    explorer_step_failed(x);
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

const char explore_unclear[] =
    "a loop was taken for waiting, but would have ended";

static void tell_outcome(struct explorer *x) {
  size_t length;
  const char *output = x->system->ops->output(x->system, &length);
  unsigned status =
      x->system->ops->status ? x->system->ops->status(x->system) : 0;
  x->listener.outcome(x->listener.context, output, length, status);
}

void explorer_outcome(struct explorer *x) {
  if (x->listener.complete)
    x->listener.complete(x->listener.context, x);
  if (x->options->outcomes)
    tell_outcome(x);
}

static void execution_complete(struct explorer *x) {
  enum ending ending = x->system->ops->ending(x->system);
  if (!x->raced && explorer_stale(x))
    return; /* found out at the end only: another execution will tell */
  if (ending != ENDING_VAIN)
    count_execution(x);
  switch (ending) {
  case ENDING_VAIN:
    x->counters->blocked++;
    break;
  case ENDING_STUCK:
    explorer_tell(x, x->system->ops->finding(x->system), false);
    break;
  case ENDING_COMPLETE:
    explorer_outcome(x);
    break;
  case ENDING_UNCLEAR:
    explorer_limit(x, explore_unclear);
    break;
  case ENDING_ASSUMED:
    x->counters->assumed++;
    break;
  case ENDING_STOPPED:
  case ENDING_FAILED:
    break;
  }
}

/* Limits that the system keeps itself. */
static void add_limits(struct explorer *x) {
  const struct system *system = x->system;
  const char *limit;
  if (system->ops->left_out)
    for (unsigned i = 0; (limit = system->ops->left_out(x->system, i)); i++)
      explorer_limit(x, limit);
}

/* ---- one execution --------------------------------------------------------
 */

enum descent {
  DESCENT_ENDED,
  DESCENT_INTERRUPTED,
  DESCENT_STALE,
  DESCENT_REFUSED
};

static bool never_asleep(const void *context, uint32_t proc) {
  (void)context;
  (void)proc;
  return false;
}

/* After a data race with --interfere=locks.  What the algorithm knows of other
 * executions may be wrong from here on, but this execution is real: it is run
 * to its end, and its errors are told. */
static void run_on(struct explorer *x) {
  struct move move = {0, 0};
  enum pick pick;
  while ((pick = explorer_free_choice(x, never_asleep, NULL, &move.proc)) ==
             PICK_MOVE &&
         trace_length(&x->trace) < x->options->max_steps)
    if (!move_on(x, move) || (x->error && !x->options->keep_going))
      break;
  if (pick == PICK_END)
    execution_complete(x);
  else
    count_execution(x);
}

/* An execution that ends at its first error counts as complete. */
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
  return explorer_asked_to_stop(x);
}

static void check(const struct explorer *x, enum pick pick) {
  size_t length = trace_length(&x->trace);
  trace_check(&x->trace);
  ensure(x->options->races == RACES_OFF || x->datarace.states.size == length);
  ensure(x->preemptions.size == (explorer_is_bounded(x) ? length : 0)); /* S1 */
  for (size_t i = 0; i < x->failures.size; i++)
    ensure(x->failures.at[i] < length &&
           (!i || x->failures.at[i - 1] < x->failures.at[i]));
  for (uint32_t p = 0; pick == PICK_END && p < x->system->processes; p++)
    ensure(!enabled(x, p)); /* S3 */
}

/* Runs the execution at hand to its end. */
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
  if (HOSTILE)
    check(x, pick);
  if (pick == PICK_MOVE)
    explorer_limit(x, "--max-steps");
  else if (pick == PICK_END)
    execution_complete(x);
  else if (pick == PICK_CUT)
    x->counters->blocked++;
  add_limits(x);
  x->algorithm->ended(x->state, pick);
  return explorer_stale(x) ? DESCENT_STALE : DESCENT_ENDED;
}

/* ---- beginning anew -------------------------------------------------------
 *
 * The system found out that its steps are too coarse: see `stale` in system.h.
 */

/* So many executions may be explored in vain, and so often; then the system
 * must take its finest steps. */
enum { MOST_IN_VAIN = 1000, MOST_RESTARTS = 20 };

bool explorer_is_over(const struct explorer *x) {
  return x->system->ops->over && x->system->ops->over(x->system);
}

bool explorer_stale(const struct explorer *x) {
  return x->system->ops->stale && x->system->ops->stale(x->system);
}

/* Runs the execution to its end, so that the system learns at once of more
 * steps that are too coarse.  Its errors will be found again. */
static void run_out(struct explorer *x) {
  struct step step;
  uint32_t proc;
  for (uint64_t i = 0; i < x->options->max_steps; i++)
    if (explorer_free_choice(x, never_asleep, NULL, &proc) != PICK_MOVE ||
        x->system->ops->step(x->system, proc, 0, &step) == STEP_REFUSED)
      return;
}

void explorer_restart(struct explorer *x) {
  x->counters->executions = x->counters->blocked = x->counters->max_depth = 0;
  x->counters->assumed = x->counters->traces = x->counters->annotations = 0;
  x->sampled_depth = 0;
  x->limit_count = 0;
  explorer_forget_progress(x);
  if (x->listener.restart)
    x->listener.restart(x->listener.context);
}

static struct order_rules rules_of(const struct algorithm *a,
                                   const struct options *o) {
  struct order_rules rules = a->order;
  rules.synchronise = o->races != RACES_OFF;
  return rules;
}

static void create_state(struct explorer *x) {
  x->trace.rules = rules_of(x->algorithm, x->options);
  x->state = x->algorithm->create(x);
}

void explorer_begin_anew(struct explorer *x) {
  truncate(x, 0);
  explorer_undo(x, 0);
  x->counters->bounded = 0;
  memset(x->known_deeds, 0, sizeof x->known_deeds);
  explorer_restart(x);
}

static void start_again(struct explorer *x) {
  bool finest =
      x->counters->executions > MOST_IN_VAIN || x->restarts++ == MOST_RESTARTS;
  run_out(x);
  truncate(x, 0);
  explorer_undo(x, 0);
  x->system->ops->restart(x->system, finest);
  x->algorithm->destroy(x->state);
  x->algorithm = x->first;
  x->successor = NULL;
  x->replaced = false;
  create_state(x);
  x->counters->bounded = 0;
  memset(x->known_deeds, 0, sizeof x->known_deeds);
  explorer_restart(x);
}

void explorer_replace(struct explorer *x, const struct algorithm *a) {
  x->successor = a;
}

static void start_with_successor(struct explorer *x) {
  x->algorithm->destroy(x->state);
  x->algorithm = x->successor;
  x->successor = NULL;
  x->replaced = true;
  create_state(x);
  explorer_begin_anew(x);
}

/* ---- livelocks that an algorithm finds ------------------------------------
 */

/* A process that goes round is enabled; the others wait for it. */
static uint32_t first_enabled(const struct explorer *x) {
  uint32_t p = 0;
  while (p + 1 < x->system->processes && !enabled(x, p))
    p++;
  return p;
}

void explorer_shorten(struct explorer *x, size_t length) {
  truncate(x, length);
  explorer_undo(x, length);
}

bool explorer_go_on(struct explorer *x, uint32_t proc) {
  return enabled(x, proc) && move_on(x, (struct move){proc, 0});
}

bool explorer_may_livelock(const struct explorer *x) {
  const struct system_ops *ops = x->system->ops;
  return !x->diverged && !ops->failed(x->system) && !explorer_is_over(x) &&
         !explorer_stale(x) && !(ops->halted && ops->halted(x->system));
}

void explorer_livelock(struct explorer *x, size_t length) {
  explorer_shorten(x, length);
  struct step next = {0};
  struct finding finding = {.kind = FINDING_LIVELOCK,
                            .message = "no process does more than look, for "
                                       "ever"};
  if (!explorer_may_livelock(x))
    return;
  finding.proc = first_enabled(x);
  if (x->system->ops->pending(x->system, finding.proc, &next))
    finding.pc = next.pc;
  explorer_tell(x, &finding, false);
}

void explorer_stuck(struct explorer *x, size_t length, uint64_t moving) {
  const struct system_ops *ops = x->system->ops;
  if (!ops->stuck)
    return;
  explorer_shorten(x, length);
  if (explorer_may_livelock(x) && ops->stuck(x->system, moving))
    explorer_tell(x, ops->finding(x->system), false);
}

/* ---- the loop -------------------------------------------------------------
 */

/* Moves on to the next execution, of which the first *length steps are those of
 * this one.  False: none is left.  The search may be shared with other
 * processes. */
static bool move_to_next(struct explorer *x, size_t *length,
                         enum share *shared) {
  void *context = x->listener.context;
  *shared = x->listener.share ? x->listener.share(context) : SHARE_NOTHING;
  while (*shared != SHARE_STALE) {
    if (x->algorithm->retreat(x->state, length))
      return true;
    if (!x->listener.await)
      return false;
    *shared = x->listener.await(context);
    if (*shared == SHARE_NOTHING)
      return false;
  }
  return false;
}

/* The first execution, unless there were some before. */
static enum descent begin(struct explorer *x) {
  if (x->listener.begin && x->listener.begin(x->listener.context))
    return DESCENT_ENDED;
  return descend(x);
}

static enum explore_result search(struct explorer *x) {
  enum share shared = SHARE_NOTHING;
  enum descent descent = begin(x);
  for (;; descent = shared == SHARE_STALE ? DESCENT_STALE : descend(x)) {
    shared = SHARE_NOTHING;
    if (descent == DESCENT_STALE) {
      start_again(x);
      continue;
    }
    if (descent == DESCENT_REFUSED || x->refused)
      return EXPLORE_REFUSED;
    if (x->stopped)
      return EXPLORE_STOPPED;
    if (descent == DESCENT_INTERRUPTED)
      return x->raced ? EXPLORE_LIMIT : EXPLORE_STOPPED;
    size_t length;
    if (x->error && !x->options->keep_going)
      return EXPLORE_STOPPED;
    if (x->successor) {
      start_with_successor(x);
      continue;
    }
    bool left = move_to_next(x, &length, &shared);
    if (explorer_stale(x))
      shared = SHARE_STALE;
    if (shared == SHARE_STALE)
      continue;
    if (x->diverged)
      return x->refused ? EXPLORE_REFUSED : EXPLORE_STOPPED;
    if (x->error && !x->options->keep_going)
      return EXPLORE_STOPPED;
    if (!left)
      return x->limit_count ? EXPLORE_LIMIT : EXPLORE_COMPLETE;
    if (x->algorithm->planned)
      explorer_note_retreat(x, length);
    if (explorer_out_of_budget(x))
      return x->limit_count ? EXPLORE_LIMIT : EXPLORE_STOPPED;
    truncate(x, length);
    explorer_undo(x, length);
    if (x->diverged)
      return EXPLORE_STOPPED;
  }
}

static void configure(struct explorer *x) {
  struct granularity g = {.finest = x->algorithm->finest,
                          .apart = x->options->interfere == INTERFERE_LOCKS,
                          .unordered = x->algorithm->unordered,
                          .holds = x->algorithm->holds,
                          .updates = x->algorithm->updates &&
                                     x->options->interfere == INTERFERE_ALL,
                          .parts = x->algorithm->parts,
                          .writes_decide = x->algorithm->writes_decide,
                          .joins = x->algorithm->joins &&
                                   x->options->retries == RETRIES_JOINED,
                          .gathers = x->algorithm->gathers,
                          .states = x->algorithm->states,
                          .outcomes = x->options->outcomes,
                          .follows = x->algorithm->follows};
  if (x->system->ops->configure)
    x->system->ops->configure(x->system, &g);
}

enum explore_result explore(struct explorer *x) {
  configure(x);
  trace_init(&x->trace, rules_of(x->algorithm, x->options));
  x->trace.ask = (struct trace_ask){look_before, x};
  datarace_init(&x->datarace, x->options->interfere == INTERFERE_LOCKS,
                explorer_race_found, explorer_race_doubted, x);
  x->stopped = false;
  x->failures.size = 0;
  x->limit_count = 0;
  x->restarts = 0;
  x->unwatched = x->samples = 0;
  x->error = x->diverged = x->raced = x->refused = x->replaced = false;
  x->first = x->algorithm;
  x->successor = NULL;
  memset(x->known_deeds, 0, sizeof x->known_deeds);
  memset(x->known_races, 0xff, sizeof x->known_races); /* no such place */
  x->state = x->algorithm->create(x);
  enum explore_result result = search(x);
  if (x->listener.ended)
    result = x->listener.ended(x->listener.context, result);
  x->done = result == EXPLORE_COMPLETE ? 1 : explorer_done(x);
  explorer_forget_progress(x);
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

/* So many steps a process takes in a row where others could go on: one that
 * loops does not starve them. */
enum { MOST_IN_A_ROW = 100 };

/* A bound on preemptions leaves no choice: a process goes on while it can. */
static bool has_had_its_turn(const struct explorer *x) {
  size_t length = trace_length(&x->trace);
  if (length < MOST_IN_A_ROW || explorer_is_bounded(x))
    return false;
  const struct event *newest = &VEC_TOP(x->trace.events);
  const struct event *first = newest + 1 - MOST_IN_A_ROW;
  return first->proc == newest->proc &&
         newest->index - first->index == MOST_IN_A_ROW - 1;
}

/* The first number from n on, below the end, whose process is enabled, or the
 * end.  From the number of processes on they are counted again. */
static uint32_t next_enabled(const struct explorer *x, uint32_t n,
                             uint32_t end) {
  struct system *system = x->system;
  uint32_t count = system->processes;
  if (system->ops->next_enabled && n < count) {
    n = system->ops->next_enabled(system, n);
    if (n < count)
      return n < end ? n : end;
  }
  while (n < end && !enabled(x, n < count ? n : n - count))
    n++;
  return n;
}

bool explorer_free_move(const struct explorer *x, uint32_t *proc) {
  uint32_t count = x->system->processes, from = 0;
  if (trace_length(&x->trace)) {
    uint32_t last = VEC_TOP(x->trace.events).proc;
    if (has_had_its_turn(x)) {
      from = last + 1;
    } else if (enabled(x, last)) {
      *proc = last;
      return true;
    }
  }
  uint32_t n = next_enabled(x, from, from + count);
  *proc = n < count ? n : n - count;
  return n < from + count;
}

/* The one that moved last is asked first, then the others by number.  If it has
 * had its turn: those after it, those before it, itself. */
enum pick explorer_free_choice(const struct explorer *x,
                               bool (*asleep)(const void *, uint32_t),
                               const void *context, uint32_t *proc) {
  uint32_t count = x->system->processes, asked = NOWHERE, from = 0;
  enum pick pick = PICK_END;
  if (trace_length(&x->trace)) {
    uint32_t last = VEC_TOP(x->trace.events).proc;
    if (has_had_its_turn(x))
      from = last + 1;
    else if (enabled(x, asked = last)) {
      *proc = last;
      if (!asleep(context, last))
        return PICK_MOVE;
      pick = PICK_CUT;
    }
  }
  for (uint32_t n = next_enabled(x, from, from + count); n < from + count;
       n = next_enabled(x, n + 1, from + count)) {
    uint32_t p = n < count ? n : n - count;
    if (p == asked)
      continue;
    *proc = p;
    if (!asleep(context, p))
      return PICK_MOVE;
    pick = PICK_CUT;
  }
  return pick;
}
