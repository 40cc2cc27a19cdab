/* The verifying wrapper against a small system that lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/algorithms.h"
#include "core/search.h"
#include "system/check/checked_system.h"

/* ---- a system of three processes ------------------------------------------
 *
 * Each takes three steps on a variable of its own, processes 0 and 1 also one on
 * a common variable in between.  All it does is right unless it is told to lie.
 */

enum lie {
  TRUTH,
  LIE_UNDO,      /* the variable of process 1 is not restored */
  LIE_LONG_UNDO, /* the same, but only if several steps are undone */
  LIE_FOOTPRINT, /* the common variable is not in the footprint */
  LIE_ORDER,     /* a hidden variable keeps the order of 0 and 2 */
  LIE_DISABLES,  /* the first step of 2 disables process 1 */
  LIE_ENABLED,   /* asking makes a difference */
  LIE_PENDING,
  LIE_ANNOUNCED, /* a step that is not the one announced */
  LIE_EVENT,     /* a step that is another one the second time */
  LIE_ENDING,
  LIE_LEFT, /* no process touches anything any more */
};

enum { PROCESSES = 3, STEPS = 3, COMMON = PROCESSES, HIDDEN, SLOTS };

struct state {
  unsigned taken[PROCESSES];
  uint64_t slot[SLOTS];
};

struct liar {
  struct system system; /* first */
  enum lie lie;
  struct state now;
  struct state before[64]; /* each step */
  size_t depth;
  unsigned asked;
  struct access access;
  struct access pending[PROCESSES];
};

static struct liar *liar_of(struct system *s) { return (struct liar *)s; }

static bool liar_enabled(struct system *s, unsigned p) {
  struct liar *l = liar_of(s);
  if (l->lie == LIE_ENABLED && p == 1 && l->now.taken[1] == 1)
    return l->asked++ % 2;
  if (l->lie == LIE_DISABLES && p == 1 && l->now.taken[2] == 1)
    return false;
  return p < PROCESSES && l->now.taken[p] < STEPS;
}

static uint32_t slot_of(const struct liar *l, unsigned p) {
  return l->now.taken[p] == 1 && p < 2 ? COMMON : p;
}

static struct access access_of(const struct liar *l, unsigned p) {
  uint32_t slot = slot_of(l, p);
  if (l->lie == LIE_FOOTPRINT && slot == COMMON)
    slot = 10 + p;
  return (struct access){8 * slot + 8, 8, ACCESS_WRITE | ACCESS_ATOMIC};
}

static bool liar_pending(struct system *s, unsigned p, struct step *out) {
  struct liar *l = liar_of(s);
  if (p >= PROCESSES || l->now.taken[p] >= STEPS)
    return false;
  l->pending[p] = access_of(l, p);
  *out = (struct step){.op = OP_RMW,
                       .choices = 1,
                       .accesses = 1,
                       .access = &l->pending[p],
                       .pc = 16 * p + l->now.taken[p] + 1};
  if (l->lie == LIE_PENDING)
    out->pc += l->asked++ % 2;
  return true;
}

static enum step_result liar_step(struct system *s, unsigned p, unsigned choice,
                                  struct step *out) {
  struct liar *l = liar_of(s);
  (void)choice;
  liar_pending(s, p, out);
  l->access = *out->access;
  out->access = &l->access;
  if (l->lie == LIE_ANNOUNCED && p == 2)
    out->op = OP_STORE;
  if (l->lie == LIE_EVENT && p == 2 && l->asked++)
    l->access.mode |= ACCESS_SILENT;
  l->before[l->depth++] = l->now;
  l->now.slot[slot_of(l, p)] = 3 * l->now.slot[slot_of(l, p)] + p + 1;
  if (l->lie == LIE_ORDER && p != 1)
    l->now.slot[HIDDEN] = 3 * l->now.slot[HIDDEN] + p;
  l->now.taken[p]++;
  return STEP_DONE;
}

static bool liar_undo(struct system *s, size_t depth) {
  struct liar *l = liar_of(s);
  uint64_t kept = l->now.slot[1];
  size_t count = l->depth - depth;
  if (!count)
    return true;
  l->now = l->before[depth];
  l->depth = depth;
  if (l->lie == LIE_UNDO || (l->lie == LIE_LONG_UNDO && count > 2))
    l->now.slot[1] = kept;
  return true;
}

static bool liar_succeeds(struct system *s, size_t later, size_t earlier) {
  (void)s;
  (void)later;
  (void)earlier;
  return true;
}

static enum ending liar_ending(struct system *s) {
  struct liar *l = liar_of(s);
  if (l->lie == LIE_ENDING && l->asked++ % 2)
    return ENDING_ASSUMED;
  return ENDING_COMPLETE;
}

static bool liar_may_touch(struct system *s, unsigned but,
                           const struct access *access, uint32_t count) {
  (void)but, (void)access, (void)count;
  return liar_of(s)->lie != LIE_LEFT;
}

static const struct finding *liar_finding(struct system *s) {
  (void)s;
  static const struct finding none = {.message = ""};
  return &none;
}

static const char *liar_output(struct system *s, size_t *length) {
  (void)s;
  *length = 0;
  return "";
}

static void liar_fingerprint(struct system *s, bool exact,
                             struct fingerprint *out) {
  const struct liar *l = liar_of(s);
  (void)exact;
  *out = (struct fingerprint){{0}};
  for (int i = 0; i < SLOTS; i++)
    out->part[FINGERPRINT_VARIABLES] =
        31 * out->part[FINGERPRINT_VARIABLES] + l->now.slot[i];
  for (int i = 0; i < PROCESSES; i++)
    out->part[FINGERPRINT_PROCESSES] =
        31 * out->part[FINGERPRINT_PROCESSES] + l->now.taken[i];
}

static const struct system_ops liar_operations = {
    .enabled = liar_enabled,
    .pending = liar_pending,
    .step = liar_step,
    .undo = liar_undo,
    .succeeds_before = liar_succeeds,
    .may_touch = liar_may_touch,
    .ending = liar_ending,
    .finding = liar_finding,
    .output = liar_output,
    .fingerprint = liar_fingerprint,
};

/* ---- exploring it --------------------------------------------------------- */

struct heard {
  unsigned findings;
  enum finding_kind kind;
  char message[256];
};

static void hear_finding(void *context, const struct explorer *x,
                         const struct finding *f, bool warning) {
  struct heard *h = context;
  (void)x;
  (void)warning;
  if (h->findings++)
    return;
  h->kind = f->kind;
  strncpy(h->message, f->message, sizeof h->message - 1);
}

static void hear_outcome(void *context, const char *text, size_t length,
                         unsigned status) {
  (void)context;
  (void)text;
  (void)length;
  (void)status;
}

static void hear_restart(void *context) { (void)context; }

static bool never(void *context) {
  (void)context;
  return false;
}

static enum explore_result run(struct system *system, const char *algorithm,
                               struct heard *heard, struct counters *counters) {
  struct options options = {.races = RACES_OFF,
                            .keep_going = 1,
                            .max_steps = 60,
                            .preemptions = UINT64_MAX,
                            .skip = SKIP_DEFAULT,
                            .max_executions = UINT64_MAX};
  struct explorer x = {.system = system,
                       .algorithm = algorithm_find(algorithm, false),
                       .options = &options,
                       .counters = counters,
                       .listener = {heard, hear_finding, hear_outcome,
                                    hear_restart, never}};
  return explore(&x);
}

static struct liar liar(enum lie lie) {
  return (struct liar){.system = {&liar_operations, PROCESSES}, .lie = lie};
}

static enum explore_result verify(enum lie lie, const char *algorithm,
                                  struct heard *heard) {
  struct liar l = liar(lie);
  struct counters counters = {0};
  struct check *check = check_new(&l.system, true);
  *heard = (struct heard){0};
  enum explore_result result =
      run(check_system(check), algorithm, heard, &counters);
  assert_int_equal(!!check_violation(check), !!heard->findings);
  check_free(check);
  return result;
}

/* ---- the truth ------------------------------------------------------------ */

static void same_counts(const char *algorithm) {
  struct liar plain = liar(TRUTH), wrapped = liar(TRUTH);
  struct counters a = {0}, b = {0};
  struct heard heard = {0};
  struct check *check = check_new(&wrapped.system, true);
  assert_int_equal(run(&plain.system, algorithm, &heard, &a), EXPLORE_COMPLETE);
  assert_int_equal(run(check_system(check), algorithm, &heard, &b),
                   EXPLORE_COMPLETE);
  assert_memory_equal(&a, &b, sizeof a);
  struct check_totals totals = check_totals(check);
  assert_int_equal(totals.steps, a.steps);
  assert_true(totals.retaken && totals.replayed && totals.reordered);
  assert_null(check_violation(check));
  assert_int_equal(heard.findings, 0);
  check_free(check);
}

static void test_truth(void **state) {
  (void)state;
  same_counts("naive");
  same_counts("source");
  same_counts("optimal");
}

/* ---- what is reported as a finding ---------------------------------------- */

static void assert_found(enum lie lie, const char *message) {
  struct heard heard;
  static const char *const algorithms[] = {"naive", "source", "optimal"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(verify(lie, algorithms[i], &heard), EXPLORE_STOPPED);
    assert_int_equal(heard.kind, FINDING_NONDETERMINISM);
    assert_non_null(strstr(heard.message, message));
  }
}

static void test_undo(void **state) {
  (void)state;
  assert_found(LIE_UNDO,
               "steps back did not restore the state: the variables changed");
  assert_found(LIE_LONG_UNDO,
               "steps back did not restore the state: the variables changed");
}

static void test_event(void **state) {
  (void)state;
  assert_found(LIE_EVENT, "the same schedule does not lead to the same state");
}

/* ---- what ends the process ------------------------------------------------ */

static void run_lie(const void *lie) {
  struct heard heard;
  verify(*(const enum lie *)lie, "optimal", &heard);
}

static void ask_about(const void *access) {
  struct liar l = liar(LIE_LEFT);
  struct system *s = check_system(check_new(&l.system, true));
  s->ops->may_touch(s, 0, access, 1);
}

/* In a child: what it says on its way out. */
static void assert_mistake_in(void (*act)(const void *), const void *argument,
                              const char *message) {
  int ends[2], status;
  char said[1024] = "";
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    dup2(ends[1], 2);
    act(argument);
    _exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t got;
  while ((got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
    length += (size_t)got;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 70);
  assert_non_null(strstr(said, message));
  assert_non_null(strstr(said, "schedule so far:"));
}

static void assert_mistake(enum lie lie, const char *message) {
  assert_mistake_in(run_lie, &lie, message);
}

static void test_independence(void **state) {
  (void)state;
  assert_mistake(LIE_FOOTPRINT, "C5: the last step, of T");
  assert_mistake(LIE_FOOTPRINT, "makes a difference to the variables");
  assert_mistake(LIE_ORDER, "makes a difference to the variables");
  assert_mistake(LIE_DISABLES, "disables T1");
}

static void test_questions(void **state) {
  (void)state;
  assert_mistake(LIE_ENABLED, "C1: asked twice whether T1 is enabled");
  assert_mistake(LIE_PENDING, "C1: asked twice what T0 will do");
  assert_mistake(LIE_ENDING, "C6: asked twice how the program ended");
}

static void test_announced(void **state) {
  (void)state;
  assert_mistake(LIE_ANNOUNCED, "C2: T2 was about to do: rmw, but did: store");
}

/* From the start, 0 and 1 will both touch what they have in common. */
static void test_left(void **state) {
  struct access common = {8 * COMMON + 8, 8, ACCESS_WRITE};
  struct access own = {8, 8, ACCESS_WRITE};
  struct liar l = liar(LIE_LEFT);
  struct check *check = check_new(&l.system, true);
  struct system *s = check_system(check);
  (void)state;
  assert_false(s->ops->may_touch(s, 0, &own, 1));
  assert_int_equal(check_totals(check).left_be, 1);
  assert_int_equal(l.depth, 0);
  check_free(check);
  assert_mistake_in(ask_about, &common,
                    "C8: may_touch() says that only T0 can touch this, but T1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_truth),        cmocka_unit_test(test_undo),
      cmocka_unit_test(test_event),        cmocka_unit_test(test_independence),
      cmocka_unit_test(test_questions),    cmocka_unit_test(test_announced),
      cmocka_unit_test(test_left),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
