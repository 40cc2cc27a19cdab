#include "fuzz/model/watcher.h"

#include "util/ensure.h"

static struct watcher *watcher_of(struct system *s) {
  return (struct watcher *)s;
}

static bool watch_enabled(struct system *s, unsigned p) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->enabled(inner, p);
}

static bool watch_pending(struct system *s, unsigned p, struct step *out) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->pending(inner, p, out);
}

/* A step of a process that is not enabled is the explorer's mistake; the model
 * would do something, but nothing that means anything. */
static enum step_result watch_step(struct system *s, unsigned p,
                                   unsigned choice, struct step *out) {
  struct watcher *w = watcher_of(s);
  ensure(w->inner->ops->enabled(w->inner, p));
  enum step_result result = w->inner->ops->step(w->inner, p, choice, out);
  canon_push(&w->canon, p, out, result == STEP_FAILED);
  return result;
}

static bool watch_undo(struct system *s, size_t depth) {
  struct watcher *w = watcher_of(s);
  canon_truncate(&w->canon, depth);
  return w->inner->ops->undo(w->inner, depth);
}

static bool watch_succeeds_before(struct system *s, size_t later,
                                  size_t earlier) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->succeeds_before(inner, later, earlier);
}

static bool watch_looks(struct system *s, unsigned p) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->looks(inner, p);
}

static enum look watch_look_before(struct system *s, unsigned p,
                                   size_t position) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->look_before(inner, p, position);
}

static bool watch_stale(struct system *s) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->stale(inner);
}

static void watch_restart(struct system *s, bool finest) {
  struct system *inner = watcher_of(s)->inner;
  inner->ops->restart(inner, finest);
}

static void watch_order_updates(struct system *s, const struct access *place) {
  struct system *inner = watcher_of(s)->inner;
  inner->ops->order_updates(inner, place);
}

static struct changes watch_changes(struct system *s, size_t depth) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->changes(inner, depth);
}

static bool watch_may_touch(struct system *s, unsigned but,
                            const struct access *access, uint32_t count) {
  struct system *inner = watcher_of(s)->inner;
  return !inner->ops->may_touch ||
         inner->ops->may_touch(inner, but, access, count);
}

static bool watch_failed(struct system *s) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->failed(inner);
}

static struct digest128 watch_local_state(struct system *s) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->local_state(inner);
}

static struct digest128 watch_shared_state(struct system *s) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->shared_state(inner);
}

static struct digest128 watch_contents(struct system *s, uint64_t granule,
                                       uint8_t bytes) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->contents(inner, granule, bytes);
}

static uint32_t watch_left_behind(struct system *s,
                                  const struct access **access) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->left_behind(inner, access);
}

/* The explorer asks once for each complete execution. */
static enum ending watch_ending(struct system *s) {
  struct watcher *w = watcher_of(s);
  for (unsigned p = 0; p < w->inner->processes; p++)
    ensure(!w->inner->ops->enabled(w->inner, p));
  enum ending ending = w->inner->ops->ending(w->inner);
  if (ending == ENDING_VAIN) {
    VEC_PUSH(w->vain, canon_trace(&w->canon));
    return ending;
  }
  w->completed++;
  VEC_PUSH(w->traces, canon_trace(&w->canon));
  if (w->demand->observers)
    VEC_PUSH(w->observed, canon_observed(&w->canon, false));
  if (w->demand->reads_from)
    VEC_PUSH(w->reads_from, canon_reads_from(&w->canon));
  if (ending == ENDING_COMPLETE)
    VEC_PUSH(w->outcomes, demands_locals(w->demand) ? judge_locals(w->model)
                                                    : judge_outcome(w->model));
  return ending;
}

static const struct finding *watch_finding(struct system *s) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->finding(inner);
}

static const char *watch_output(struct system *s, size_t *length) {
  struct system *inner = watcher_of(s)->inner;
  return inner->ops->output(inner, length);
}

const struct system_ops watch_operations = {
    .enabled = watch_enabled,
    .pending = watch_pending,
    .step = watch_step,
    .undo = watch_undo,
    .succeeds_before = watch_succeeds_before,
    .looks = watch_looks,
    .look_before = watch_look_before,
    .stale = watch_stale,
    .restart = watch_restart,
    .order_updates = watch_order_updates,
    .changes = watch_changes,
    .may_touch = watch_may_touch,
    .failed = watch_failed,
    .local_state = watch_local_state,
    .shared_state = watch_shared_state,
    .contents = watch_contents,
    .left_behind = watch_left_behind,
    .ending = watch_ending,
    .finding = watch_finding,
    .output = watch_output,
};

void watcher_free(struct watcher *w) {
  canon_free(&w->canon);
  VEC_FREE(w->traces);
  VEC_FREE(w->vain);
  VEC_FREE(w->observed);
  VEC_FREE(w->reads_from);
  VEC_FREE(w->outcomes);
  VEC_FREE(w->failures);
  VEC_FREE(w->racy);
}
