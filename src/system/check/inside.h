/* The inside of the verifying wrapper, shared by its files. */
#ifndef CHECK_INSIDE_H
#define CHECK_INSIDE_H

#include "checked_system.h"
#include "util/vec.h"

/* keep: a step that was taken. */
struct taken {
  uint32_t proc;
  uint32_t choice;
  enum step_result result;
  struct step step; /* `access` is not valid: its accesses begin at `first` */
  uint32_t first;
  uint64_t prefix; /* hash of the moves up to this one */
  bool printed;    /* `exact` is known: of the state after it */
  struct fingerprint exact;
};

/* keep: steps in a row, as they were the first time. */
struct sequence {
  VEC(struct taken) steps;
  VEC(struct access) accesses; /* of each: its footprint, then its data */
};

/* keep: the pending step of a process before the step at hand. */
struct view {
  bool enabled;
  bool pending; /* `step` and the accesses from `first` on are valid */
  struct step step;
  uint32_t first;
};

/* keep: the moves with this hash gave a step with this digest. */
struct memory {
  uint64_t prefix;
  uint64_t digest;
};

struct check {
  struct system system; /* first: a struct system * is a struct check * */
  struct system *inner;
  struct system_ops ops; /* without those that the inner system lacks */
  struct sequence path;  /* the execution at hand */
  struct sequence trial; /* steps of an experiment */
  VEC(struct view) views;
  VEC(struct access) view_accesses;
  VEC(struct access) scratch;
  struct memory *memory; /* a cache: of entries with one place the newest */
  struct fingerprint initial;
  struct check_totals totals;
  uint64_t replayed_steps;
  bool thorough; /* compare states (C3), reorder steps (C5) */
  bool violated;
  struct finding finding; /* if so */
  char message[512];
};

/* ---- same_steps.c -------------------------------------------------------- */

void sequence_push(struct sequence *, uint32_t proc, uint32_t choice,
                   enum step_result, const struct step *);
void sequence_truncate(struct sequence *, size_t length);
void sequence_free(struct sequence *);

static inline const struct access *taken_access(const struct sequence *s,
                                                const struct taken *t) {
  return s->accesses.at + t->first;
}

/* Another order: the step `first` (1 + position) now comes after the `count`
 * steps that followed it.  This changes the causes of steps. */
struct reorder {
  uint32_t first;
  uint32_t count;
};
#define SAME_ORDER ((struct reorder){0, 0})

/* The difference of two steps, in words; NULL: they are the same. */
const char *step_difference(const struct sequence *, const struct taken *,
                            enum step_result, const struct step *,
                            struct reorder);
uint64_t step_digest(enum step_result, const struct step *);

/* The first part that differs, in words; NULL: none. */
const char *fingerprint_difference(const struct fingerprint *,
                                   const struct fingerprint *);

bool same_pending(const struct step *, const struct step *);

/* Records a violation: the same moves gave different results. */
void violate(struct check *, uint32_t proc, uint64_t pc, const char *format,
             ...) __attribute__((format(printf, 4, 5)));
/* Our own mistake: prints it, with the schedule, and ends the process. */
_Noreturn void mistake(const struct check *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- the inner system ---------------------------------------------------- */

/* Asks twice (C1). */
static inline bool inner_enabled(const struct check *c, unsigned p) {
  bool enabled = c->inner->ops->enabled(c->inner, p);
  if (c->inner->ops->enabled(c->inner, p) != enabled)
    mistake(c, "C1: asked twice whether T%u is enabled, there are two answers",
            p);
  return enabled;
}

static inline bool inner_pending(const struct check *c, unsigned p,
                                 struct step *out) {
  return c->inner->ops->pending(c->inner, p, out);
}

static inline enum step_result inner_step(const struct check *c, unsigned p,
                                          unsigned choice, struct step *out) {
  return c->inner->ops->step(c->inner, p, choice, out);
}

/* The inner system's steps were too coarse: the search is about to begin
 * anew. */
static inline bool inner_stale(const struct check *c) {
  return c->inner->ops->stale && c->inner->ops->stale(c->inner);
}

/* checked_system.c: false if the inner system could not; a violation is
 * recorded. */
bool inner_undo(struct check *, size_t depth);

/* All zero if the inner system has none or states are not compared. */
static inline struct fingerprint inner_fingerprint(const struct check *c,
                                                   bool exact) {
  struct fingerprint f = {{0}};
  if (c->thorough && c->inner->ops->fingerprint)
    c->inner->ops->fingerprint(c->inner, exact, &f);
  return f;
}

/* checked_system.c: takes a step of a sequence again.  NULL if it is the same,
 * otherwise the difference. */
const char *take_again(const struct check *, const struct sequence *,
                       const struct taken *, struct reorder, struct step *out);

/* checked_system.c: a violation if the state is not the one before (C3). */
void check_restored(struct check *, const struct fingerprint *before);

/* ---- both_orders.c ------------------------------------------------------- */

/* Checks the last step of the path against the other processes (C5).  The views
 * and the fingerprint are of the state before it.  *out becomes the step as
 * last taken. */
void commute(struct check *, const struct fingerprint *before,
             struct step *out);

/* ---- declare.c ----------------------------------------------------------- */

/* Before a step whose accesses are to be checked. */
void witness(const struct check *);
/* After the step: it changed only what it declares (C9). */
void check_writes(const struct check *, uint32_t proc, const struct step *);
/* A step of an experiment, with both of these. */
enum step_result witnessed_step(const struct check *, uint32_t proc,
                                struct step *out);
/* The last step of the path depends only on what it declares (C10).  *out
 * becomes the step as last taken. */
void check_reads(struct check *, struct step *out);

/* ---- left.c -------------------------------------------------------------- */

/* may_touch() said that only the process `but` can still touch these bytes:
 * checks that (C8).  False: it could not be tried. */
bool leaves_be(struct check *, unsigned but, const struct access *,
               uint32_t count);

/* ---- meet.c -------------------------------------------------------------- */

/* Takes the last step of the path and the next step of q in both orders (C7).
 * Begins in the state after it and leaves another one; the caller goes back. */
void meet(struct check *, uint32_t q, const struct fingerprint *before);

#endif
