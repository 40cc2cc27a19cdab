/* Errors in the program: which are real, and which are told.
 *
 * A process that fails stops, and the execution goes on without it.  A later
 * failure may follow from that stop and not from the program: it is told only
 * if it does not depend on an earlier failure.
 */
#include "core/search.h"

#include "core/cone.h"
#include "core/search_parts.h"

void explorer_tell(struct explorer *x, const struct finding *finding,
                   bool warning) {
  if (!warning)
    x->error = true;
  x->listener.finding(x->listener.context, x, finding, warning);
}

/* ---- data races -----------------------------------------------------------
 */

/* A racy program races in every execution: the listener is spared most of the
 * repetitions. */
static bool told_lately(struct explorer *x, uint64_t pc, uint64_t other_pc) {
  size_t size = sizeof x->known_races / sizeof *x->known_races;
  struct known_race *known = &x->known_races[(pc * 31 + other_pc) % size];
  if (known->pc == pc && known->other_pc == other_pc)
    return true;
  *known = (struct known_race){pc, other_pc};
  return false;
}

void explorer_race_found(void *context, const struct data_race *race) {
  struct explorer *x = context;
  if (x->options->interfere == INTERFERE_LOCKS) {
    x->raced = true;
    explorer_limit(x, "a data race; --interfere=locks shows only one of its "
                      "orders");
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
  explorer_tell(x, &finding, x->options->races == RACES_WARN);
}

void explorer_race_doubted(void *context, const struct access *place) {
  struct explorer *x = context;
  x->system->ops->order_updates(x->system, place);
}

/* ---- failed steps ---------------------------------------------------------
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

/* The event's alternative, if the process's next step has it: without the
 * failed steps it may be another step. */
static unsigned choice_like(const struct explorer *x, const struct event *e) {
  struct outline next;
  bool known = system_outline(x->system, e->proc, &next);
  return known && e->choice < next.choices ? e->choice : 0;
}

/* Takes the events from `first` on that are possible without the processes that
 * failed.  Does the last of them fail in this way, and no other one? */
static bool run_without_failed(struct explorer *x, size_t first,
                               const struct finding *failure) {
  const struct system_ops *ops = x->system->ops;
  for (size_t i = first; i < trace_length(&x->trace) && !x->diverged; i++) {
    const struct event *e = &x->trace.events.at[i];
    struct step step;
    if (has_failed(x, e->proc) || !ops->enabled(x->system, e->proc))
      continue;
    enum step_result result =
        ops->step(x->system, e->proc, choice_like(x, e), &step);
    if (result != STEP_DONE)
      return result == STEP_FAILED &&
             same_failure(ops->finding(x->system), failure);
  }
  return false;
}

/* Does the newest event fail as well if the processes that failed before it do
 * not take their failing steps? */
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

/* A failure is real if no earlier failure is in its cone (core/cone.h): then
 * the cone can be run without the others.  To happen after a failure, as
 * dependent steps do, is not enough to follow from it; and an algorithm that
 * tells fewer executions apart than there are traces may run no other order.
 *
 * With an earlier failure in its cone it is real, too, if it is there without
 * the failed steps: where steps commute, the value that was read from one could
 * have been read from the step before. */
void explorer_step_failed(struct explorer *x) {
  uint32_t last = (uint32_t)trace_length(&x->trace) - 1;
  bool real = !cone_has(&x->trace, x->failures.at, x->failures.size) ||
              fails_without_others(x);
  const struct finding *finding = x->system->ops->finding(x->system);
  /* A process that fails before its first step does so in its creator's step,
   * and nothing happens after it. */
  if (finding->proc == x->trace.events.at[last].proc)
    VEC_PUSH(x->failures, last);
  if (real)
    explorer_tell(x, finding, false);
}
