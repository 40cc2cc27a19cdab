/* A schedule is short if it shows only how the threads get in each other's way:
 *
 * - a thread reads what another one wrote (both steps are shown);
 * - a thread replaces a value that another one has read, and the other one goes
 *   on (both steps are shown);
 * - memory ends that another thread still uses;
 * - a lock is taken and the thread loses the processor before it gives it back;
 * - signals, waits, semaphores, barriers; threads that begin and end;
 * - the last step of the thread that fails.
 *
 * All else is private to a thread, constant since the beginning, or was there
 * before.
 */
#include "report/relevance.h"

#include <string.h>

/* Steps are 1 + their position. */
struct history {
  struct result_finding *finding;
  VEC(size_t) last;  /* by thread: 1 + its last step */
  size_t concurrent; /* 1 + the step that created the last of the threads with
                          which all begins, or lets the actors run */
};

static struct result_step *step_at(const struct history *h, size_t step) {
  return &h->finding->steps.at[step - 1];
}

/* ---- data ---------------------------------------------------------------- */

/* What link_steps() has found. */
static void show_data(struct history *h) {
  for (size_t i = 1; i <= h->finding->steps.size; i++) {
    struct result_step *step = step_at(h, i);
    step->shown |= step->reads_from || step->overwrites;
    if (step->reads_from)
      step_at(h, step->reads_from)->shown = true;
    if (step->overwrites)
      step_at(h, step->overwrites)->shown = true;
  }
}

/* ---- locks --------------------------------------------------------------- */

static bool is_lock(const struct result_step *step) {
  return op_is(step->op, OPCLASS_OBJECT) && !step->failed &&
         op_table[step->op].order == OPORDER_ACQUIRES &&
         step->op != OP_SEM_WAIT && step->op != OP_SEM_TRYWAIT;
}

static bool is_unlock(const struct result_step *step) {
  return step->op == OP_UNLOCK || step->op == OP_RWUNLOCK ||
         step->op == OP_ONCE_DONE;
}

static bool touches(const struct history *h, const struct result_step *step,
                    uint64_t address) {
  for (size_t i = 0; i < step->accesses; i++)
    if (h->finding->accesses.at[step->first + i].addr == address)
      return true;
  return false;
}

/* Where the thread gives back what it locks here, or waits, before another
 * thread takes a step; 0: it does not. */
static size_t given_back(const struct history *h, size_t lock) {
  const struct result_step *first = step_at(h, lock);
  uint64_t address = h->finding->accesses.at[first->first].addr;
  for (size_t i = lock + 1; i <= h->finding->steps.size; i++) {
    const struct result_step *step = step_at(h, i);
    if (step->proc != first->proc)
      return 0;
    if ((is_unlock(step) || step->op == OP_WAIT) && touches(h, step, address))
      return i;
  }
  return 0;
}

/* A section that no other thread interrupts could have no lock at all. */
static void show_locks(struct history *h) {
  VEC(bool) quiet = {0};
  VEC_CLEARED(quiet, h->finding->steps.size + 1);
  for (size_t i = 1; i <= h->finding->steps.size; i++) {
    struct result_step *step = step_at(h, i);
    if (is_lock(step) && step->accesses) {
      size_t end = given_back(h, i);
      step->shown |= !end;
      quiet.at[end] = true;
    }
    if (is_unlock(step) && !quiet.at[i])
      step->shown = true;
  }
  VEC_FREE(quiet);
}

/* ---- the other steps ----------------------------------------------------- */

static bool is_signal(const struct result_step *step) {
  return op_is(step->op, OPCLASS_OBJECT) && !is_lock(step) &&
         !is_unlock(step) && step->op != OP_INIT && step->op != OP_DESTROY;
}

static bool is_thread_step(const struct result_step *step) {
  return op_is(step->op, OPCLASS_THREAD | OPCLASS_ACTOR) ||
         step->op == OP_CHOOSE || step->op == OP_INPUT || step->op == OP_EXIT ||
         step->op == OP_TASK;
}

static void show_signals(struct history *h) {
  for (size_t i = h->concurrent + 1; i <= h->finding->steps.size; i++) {
    struct result_step *step = step_at(h, i);
    step->shown |= is_signal(step) || is_thread_step(step);
  }
}

/* The last step of the thread that fails.  Where threads wait, that is said
 * beside their call stacks. */
static void show_ends(struct history *h) {
  const struct result_finding *finding = h->finding;
  bool waits =
      finding->kind == FINDING_DEADLOCK || finding->kind == FINDING_LIVELOCK;
  if (!waits && finding->proc < h->last.size && h->last.at[finding->proc])
    step_at(h, h->last.at[finding->proc])->shown = true;
  if (finding->access)
    step_at(h, finding->access)->shown = true;
  if (finding->other_access)
    step_at(h, finding->other_access)->shown = true;
  if (finding->critical)
    step_at(h, finding->critical)->shown = true;
}

/* A thread that had the processor did something: at least its last step is
 * shown.  The first turn may be nothing but set-up. */
static void show_turns(struct history *h) {
  size_t size = h->finding->steps.size, last = 0;
  bool shown = true;
  for (size_t i = 1; i <= size; i++) {
    struct result_step *step = step_at(h, i);
    shown |= step->shown;
    if (!step->local)
      last = i;
    if (i < size && step[1].proc == step->proc)
      continue;
    if (!shown && last)
      step_at(h, last)->shown = true;
    shown = false;
    last = 0;
  }
}

static bool looks_like(const struct result_step *a,
                       const struct result_step *b) {
  return a->op == b->op && a->failed == b->failed &&
         a->place.line == b->place.line && a->variable && b->variable &&
         !strcmp(a->variable, b->variable) && a->value && b->value &&
         !strcmp(a->value, b->value);
}

/* Rounds of a loop that waits read the same again: steps of the thread between
 * this one and the next that is shown, in one direction. */
static size_t repeats_from(const struct history *h, size_t step, int by) {
  const struct result_step *shown = step_at(h, step);
  size_t count = 0;
  for (size_t i = step + (size_t)by; i && i <= h->finding->steps.size;
       i += (size_t)by) {
    const struct result_step *other = step_at(h, i);
    if (other->proc != shown->proc)
      continue;
    if (other->shown)
      break;
    count += looks_like(shown, other);
  }
  return count;
}

static void count_repeats(struct history *h) {
  for (size_t i = 1; i <= h->finding->steps.size; i++) {
    struct result_step *step = step_at(h, i);
    if (step->shown && step->value)
      step->repeats =
          repeats_from(h, i, 1) + (op_table[step->op].access == OPACCESS_READS
                                       ? repeats_from(h, i, -1)
                                       : 0);
  }
}

/* ---- all of it ----------------------------------------------------------- */

static void find_ends(struct history *h) {
  const struct result_finding *finding = h->finding;
  uint32_t threads = 0;
  for (size_t i = 0; i < finding->steps.size; i++)
    if (finding->steps.at[i].proc >= threads)
      threads = finding->steps.at[i].proc + 1;
  VEC_CLEARED(h->last, threads);
  for (size_t i = 0; i < finding->steps.size; i++) {
    const struct result_step *step = &finding->steps.at[i];
    h->last.at[step->proc] = i + 1;
    if ((step->op == OP_CREATE || step->op == OP_RUN) && !h->concurrent)
      h->concurrent = i + 1;
  }
}

/* Other threads that main creates before they take a step. */
static void skip_creations(struct history *h) {
  size_t at = h->concurrent;
  while (at && at < h->finding->steps.size &&
         step_at(h, at + 1)->proc == step_at(h, h->concurrent)->proc) {
    at++;
    if (step_at(h, at)->op == OP_CREATE)
      h->concurrent = at;
  }
}

bool relevance_is_unknown(const struct result_finding *finding) {
  return !finding->accesses.size;
}

void relevance_find(struct result_finding *finding) {
  struct history h = {.finding = finding};
  find_ends(&h);
  skip_creations(&h);
  show_data(&h);
  show_locks(&h);
  show_signals(&h);
  show_ends(&h);
  show_turns(&h);
  count_repeats(&h);
  VEC_FREE(h.last);
}
