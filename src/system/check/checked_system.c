/* The wrapper itself: decides which claim is checked at which step. */
#include "checked_system.h"

#include <stdlib.h>

#include "inside.h"
#include "util/ensure.h"
#include "util/hostile.h"

enum {
  FREE_STEPS = 1024,    /* checked thoroughly; later ones ever more rarely */
  MEMORY = 16384,       /* prefixes remembered */
  FREE_REPLAYED = 4096, /* steps replayed in addition to a share of the explored
                           ones */
};

bool check_always(void) {
  return HOSTILE;
}

static struct check *check_of(struct system *s) {
  return (struct check *)s;
}

/* Step n is checked with probability 1 / (1 + n / FREE_STEPS), but always the
 * same ones: a million steps cost as much as 7000 thorough checks. */
static bool is_due(const struct check *c) {
  return c->totals.steps % (1 + c->totals.steps / FREE_STEPS) == 0;
}

/* ---- the inner system ---------------------------------------------------- */

bool inner_undo(struct check *c, size_t depth) {
  if (c->inner->ops->undo(c->inner, depth))
    return true;
  const struct finding *f = c->inner->ops->finding(c->inner);
  violate(c, f->proc, f->pc, "%s", f->message);
  return false;
}

const char *take_again(const struct check *c, const struct sequence *s,
                       const struct taken *t, struct reorder order,
                       struct step *out) {
  if (!inner_enabled(c, t->proc))
    return "whether it is possible";
  enum step_result result = inner_step(c, t->proc, t->choice, out);
  return step_difference(s, t, result, out, order);
}

/* ---- questions ----------------------------------------------------------- */

static bool check_enabled(struct system *s, unsigned p) {
  return inner_enabled(check_of(s), p);
}

/* An outline is a part of what is pending (C1). */
static void check_outline(struct check *c, unsigned p, bool pending,
                          const struct step *step) {
  struct outline part;
  if (!c->inner->ops->outline)
    return;
  if (c->inner->ops->outline(c->inner, p, &part) != pending ||
      (pending &&
       (part.cause != step->cause || part.choices != step->choices ||
        part.accesses != step->accesses || part.flags != step->flags)))
    mistake(c, "C1: T%u's outline is not that of its next step", p);
}

/* The second answer may overwrite the accesses of the first. */
static bool check_pending(struct system *s, unsigned p, struct step *out) {
  struct check *c = check_of(s);
  struct step first;
  bool pending = inner_pending(c, p, &first);
  c->scratch.size = 0;
  for (uint32_t i = 0; pending && i < first.accesses; i++)
    VEC_PUSH(c->scratch, first.access[i]);
  first.access = c->scratch.at;
  if (inner_pending(c, p, out) != pending ||
      (pending && !same_pending(&first, out)))
    mistake(c, "C1: asked twice what T%u will do, there are two answers", p);
  check_outline(c, p, pending, out);
  return pending;
}

/* Records the pending step of every process.  Asking changes nothing (C1). */
static void look_around(struct check *c) {
  c->views.size = c->view_accesses.size = 0;
  for (unsigned p = 0; p < c->inner->processes; p++) {
    struct view v = {.enabled = check_enabled(&c->system, p),
                     .first = (uint32_t)c->view_accesses.size};
    v.pending = check_pending(&c->system, p, &v.step);
    if (v.enabled && !v.pending)
      mistake(c, "C2: T%u is enabled, but has no next step", p);
    if (!v.pending)
      v.step = (struct step){0};
    for (uint32_t i = 0; i < v.step.accesses; i++)
      VEC_PUSH(c->view_accesses, v.step.access[i]);
    VEC_PUSH(c->views, v);
  }
}

/* ---- C2: a step is the one that was pending ------------------------------ */

static bool covered(const struct access *a, const struct access *b,
                    uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (b[i].addr == a->addr && b[i].size == a->size)
      return true;
  return false;
}

/* A step may touch more than it announced, and a conditional one may only read;
 * but it touches all that it announced (C2). */
static void check_announced(const struct check *c, const struct step *now) {
  const struct taken *t = &VEC_TOP(c->path.steps);
  const struct view *v = &c->views.at[t->proc];
  if (v->step.op != now->op || v->step.pc != now->pc)
    mistake(c, "C2: T%u was about to do: %s, but did: %s", t->proc,
            op_name(v->step.op), op_name(now->op));
  if (v->step.flags & STEP_BLOCK)
    return;
  for (uint32_t i = 0; i < v->step.accesses; i++)
    if (!covered(&c->view_accesses.at[v->first + i], now->access,
                 now->accesses))
      mistake(c, "C2: T%u (%s) did not touch all that it announced", t->proc,
              op_name(now->op));
}

/* ---- C4: the same moves give the same steps ------------------------------ */

/* Remembers the step, since the explorer may come here again by the same
 * moves. */
static void remember(struct check *c, enum step_result result,
                     const struct step *now) {
  const struct taken *t = &VEC_TOP(c->path.steps);
  struct memory *m = &c->memory[t->prefix % MEMORY];
  uint64_t digest = step_digest(result, now);
  if (m->prefix == t->prefix) {
    c->totals.known++;
    if (m->digest != digest)
      violate(c, t->proc, t->step.pc,
              "a step taken again after the same schedule did something else");
  }
  *m = (struct memory){t->prefix, digest};
}

/* The state after the path's last step. */
static const struct fingerprint *exact_now(struct check *c) {
  if (!c->path.steps.size)
    return &c->initial;
  struct taken *t = &VEC_TOP(c->path.steps);
  if (!t->printed)
    t->exact = inner_fingerprint(c, true);
  t->printed = true;
  return &t->exact;
}

void check_restored(struct check *c, const struct fingerprint *before) {
  struct fingerprint now = inner_fingerprint(c, true);
  const char *what = fingerprint_difference(before, &now);
  if (what)
    violate(c, 0, 0, "taking steps back did not restore the state: %s changed",
            what);
}

/* Takes the last step once more.  `before`: the state before it, or NULL. */
static void retake(struct check *c, const struct fingerprint *before,
                   struct step *out) {
  struct taken *t = &VEC_TOP(c->path.steps);
  struct fingerprint first = {{0}};
  if (before)
    first = inner_fingerprint(c, false);
  if (!inner_undo(c, c->path.steps.size - 1))
    return;
  if (before)
    check_restored(c, before);
  const char *why = take_again(c, &c->path, t, SAME_ORDER, out);
  c->totals.retaken++;
  if (why)
    violate(c, t->proc, t->step.pc,
            "a step taken back and taken again differs from the first time in "
            "%s",
            why);
  if (!before || c->violated)
    return;
  struct fingerprint second = inner_fingerprint(c, false);
  if ((why = fingerprint_difference(&first, &second)))
    violate(c, t->proc, t->step.pc,
            "a step taken back and taken again leads to another state: %s "
            "differs",
            why);
}

/* Takes the whole execution once more. */
static void replay(struct check *c) {
  struct fingerprint first = inner_fingerprint(c, false);
  if (!inner_undo(c, 0))
    return;
  check_restored(c, &c->initial);
  for (size_t i = 0; i < c->path.steps.size && !c->violated; i++) {
    const struct taken *t = &c->path.steps.at[i];
    struct step step;
    const char *why = take_again(c, &c->path, t, SAME_ORDER, &step);
    if (why)
      violate(c, t->proc, t->step.pc,
              "run again with the same schedule, step %zu differs in %s", i + 1,
              why);
  }
  struct fingerprint second = inner_fingerprint(c, false);
  const char *why = fingerprint_difference(&first, &second);
  if (why)
    violate(c, 0, 0,
            "run again with the same schedule, the program comes to another "
            "state: %s differs",
            why);
  for (size_t i = 0; i < c->path.steps.size; i++)
    c->path.steps.at[i].printed = false; /* other bytes lie on the stacks */
  c->totals.replayed++;
  c->replayed_steps += c->path.steps.size;
}

/* ---- moving -------------------------------------------------------------- */

/* The step itself. */
static enum step_result take(struct check *c, unsigned p, unsigned choice,
                             bool due, struct step *out) {
  if (due)
    witness(c);
  enum step_result result = inner_step(c, p, choice, out);
  c->system.processes = c->inner->processes;
  if (result == STEP_REFUSED)
    return result;
  sequence_push(&c->path, p, choice, result, out);
  if (due)
    check_writes(c, p, out);
  return result;
}

/* Takes the step once more, in several ways.  The inner system may have moved
 * its accesses since: to say which processes are enabled it may try steps. */
static void examine(struct check *c, const struct fingerprint *before,
                    struct step *out) {
  check_announced(c, out);
  retake(c, before, out);
  if (c->thorough && !c->violated)
    check_reads(c, out);
  if (c->thorough && !c->violated && !inner_stale(c))
    commute(c, before, out);
  out->access = taken_access(&c->path, &VEC_TOP(c->path.steps));
}

static enum step_result check_step(struct system *s, unsigned p,
                                   unsigned choice, struct step *out) {
  struct check *c = check_of(s);
  bool due = is_due(c), blind = c->violated || inner_stale(c);
  c->totals.steps++;
  if (blind)
    return take(c, p, choice, due, out);
  struct fingerprint before;
  if (due) {
    before = *exact_now(c);
    look_around(c);
  }
  enum step_result result = take(c, p, choice, due, out);
  if (result == STEP_REFUSED || inner_stale(c))
    return result;
  remember(c, result, out);
  if (due)
    examine(c, &before, out);
  else if (HOSTILE)
    retake(c, NULL, out);
  c->system.processes = c->inner->processes;
  return c->violated ? STEP_FAILED : result;
}

static bool check_undo(struct system *s, size_t depth) {
  struct check *c = check_of(s);
  if (c->violated || !inner_undo(c, depth))
    return false;
  sequence_truncate(&c->path, depth);
  if (is_due(c) && (!depth || VEC_TOP(c->path.steps).printed))
    check_restored(c, exact_now(c));
  return !c->violated;
}

static bool check_succeeds_before(struct system *s, size_t later,
                                  size_t earlier) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->succeeds_before(inner, later, earlier);
}

static bool check_looks(struct system *s, unsigned p) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->looks && inner->ops->looks(inner, p);
}

static enum look check_look_before(struct system *s, unsigned p,
                                   size_t position) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->look_before(inner, p, position);
}

static struct changes check_changes(struct system *s, size_t depth) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->changes(inner, depth);
}

static bool check_may_touch(struct system *s, unsigned but,
                            const struct access *access, uint32_t count) {
  struct check *c = check_of(s);
  struct system *inner = c->inner;
  if (!inner->ops->may_touch ||
      inner->ops->may_touch(inner, but, access, count))
    return true;
  return c->thorough && !c->violated && is_due(c) &&
         !leaves_be(c, but, access, count);
}

static void check_comparing(struct system *s, bool on) {
  struct system *inner = check_of(s)->inner;
  if (inner->ops->comparing)
    inner->ops->comparing(inner, on);
}

static bool check_failed(struct system *s) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->failed(inner);
}

static bool check_over(struct system *s) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->over && inner->ops->over(inner);
}

static bool check_halted(struct system *s) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->halted && inner->ops->halted(inner);
}

static struct digest128 check_local_state(struct system *s) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->local_state(inner);
}

static struct digest128 check_shared_state(struct system *s) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->shared_state(inner);
}

static struct digest128 check_contents(struct system *s, uint64_t granule,
                                       uint8_t bytes) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->contents(inner, granule, bytes);
}

static uint32_t check_left_behind(struct system *s,
                                  const struct access **access) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->left_behind ? inner->ops->left_behind(inner, access) : 0;
}

/* ---- the end of an execution --------------------------------------------- */

static enum ending check_ending(struct system *s) {
  struct check *c = check_of(s);
  for (unsigned p = 0; p < c->inner->processes; p++)
    ensure(!inner_enabled(c, p)); /* C6 */
  if (!c->violated && c->replayed_steps <= FREE_REPLAYED + c->totals.steps / 4)
    replay(c);
  enum ending ending = c->inner->ops->ending(c->inner);
  if (c->inner->ops->ending(c->inner) != ending)
    mistake(c, "C6: asked twice how the program ended, there are two answers");
  return c->violated ? ENDING_STUCK : ending;
}

static bool check_stuck(struct system *s, uint64_t moving) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->stuck && inner->ops->stuck(inner, moving);
}

static const struct finding *check_finding(struct system *s) {
  struct check *c = check_of(s);
  return c->violated ? &c->finding : c->inner->ops->finding(c->inner);
}

static unsigned check_status(struct system *s) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->status ? inner->ops->status(inner) : 0;
}

static const char *check_output(struct system *s, size_t *length) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->output(inner, length);
}

static bool check_stale(struct system *s) {
  return inner_stale(check_of(s));
}

static const char *check_left_out(struct system *s, unsigned i) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->left_out ? inner->ops->left_out(inner, i) : NULL;
}

static bool check_learnt(struct system *s, struct packed *p) {
  struct system *inner = check_of(s)->inner;
  bool good = inner->ops->learnt && inner->ops->learnt(inner, p);
  s->processes = inner->processes;
  return good;
}

static void check_freeze(struct system *s) {
  struct system *inner = check_of(s)->inner;
  if (inner->ops->freeze)
    inner->ops->freeze(inner);
}

static void forget(struct check *c) {
  for (size_t i = 0; i < MEMORY; i++)
    c->memory[i] = (struct memory){0, 0};
}

static void check_restart(struct system *s, bool finest) {
  struct check *c = check_of(s);
  c->inner->ops->restart(c->inner, finest);
  forget(c);
}

static void check_order_updates(struct system *s, const struct access *place) {
  struct system *inner = check_of(s)->inner;
  inner->ops->order_updates(inner, place);
}

static void check_expose(struct system *s) {
  struct system *inner = check_of(s)->inner;
  inner->ops->expose(inner);
}

static void check_configure(struct system *s, const struct granularity *g) {
  struct system *inner = check_of(s)->inner;
  if (inner->ops->configure)
    inner->ops->configure(inner, g);
}

static uint32_t check_hidden(struct system *s, size_t position) {
  struct system *inner = check_of(s)->inner;
  return inner->ops->hidden(inner, position);
}

static void check_fingerprint(struct system *s, bool exact,
                              struct fingerprint *out) {
  *out = inner_fingerprint(check_of(s), exact);
}

/* ---- life ---------------------------------------------------------------- */

static const struct system_ops operations = {
    .configure = check_configure,
    .enabled = check_enabled,
    .pending = check_pending,
    .step = check_step,
    .undo = check_undo,
    .succeeds_before = check_succeeds_before,
    .looks = check_looks,
    .look_before = check_look_before,
    .changes = check_changes,
    .may_touch = check_may_touch,
    .comparing = check_comparing,
    .failed = check_failed,
    .over = check_over,
    .halted = check_halted,
    .local_state = check_local_state,
    .shared_state = check_shared_state,
    .contents = check_contents,
    .left_behind = check_left_behind,
    .ending = check_ending,
    .stuck = check_stuck,
    .finding = check_finding,
    .output = check_output,
    .status = check_status,
    .stale = check_stale,
    .restart = check_restart,
    .learnt = check_learnt,
    .freeze = check_freeze,
    .left_out = check_left_out,
    .order_updates = check_order_updates,
    .expose = check_expose,
    .hidden = check_hidden,
    .fingerprint = check_fingerprint,
};

/* Explorers ask whether a system can tell the parts of its state apart. */
static void forget_states(struct system_ops *ops) {
  ops->failed = NULL;
  ops->local_state = ops->shared_state = NULL;
  ops->contents = NULL;
  ops->left_behind = NULL;
}

struct check *check_new(struct system *inner, bool thorough) {
  struct check *c = calloc(1, sizeof *c);
  ensure(c);
  c->ops = operations;
  c->ops.polls = inner->ops->polls;
  if (!inner->ops->local_state)
    forget_states(&c->ops);
  c->system = (struct system){&c->ops, inner->processes};
  c->inner = inner;
  c->thorough = thorough;
  c->memory = calloc(MEMORY, sizeof *c->memory);
  ensure(c->memory);
  c->initial = inner_fingerprint(c, true);
  witness(c);
  return c;
}

void check_free(struct check *c) {
  if (!c)
    return;
  sequence_free(&c->path);
  sequence_free(&c->trial);
  VEC_FREE(c->views);
  VEC_FREE(c->view_accesses);
  VEC_FREE(c->scratch);
  free(c->memory);
  free(c);
}

struct system *check_system(struct check *c) {
  return &c->system;
}

const struct finding *check_violation(const struct check *c) {
  return c->violated ? &c->finding : NULL;
}

struct check_totals check_totals(const struct check *c) {
  return c->totals;
}
