/* What explorations of a C program say is compared as it should be. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fuzz/c_verdict.h"

static void take_error(struct c_verdict *v, const char *kind,
                       const char *line) {
  c_verdict_take(v, "errors.kind", kind);
  c_verdict_take(v, "errors.line", line);
  c_verdict_take(v, "errors", NULL);
}

static void take_race(struct c_verdict *v, const char *line,
                      const char *other) {
  c_verdict_take(v, "warnings.kind", "race");
  c_verdict_take(v, "warnings.line", line);
  c_verdict_take(v, "warnings.other.line", other);
  c_verdict_take(v, "warnings", NULL);
}

/* Two outcomes, a failed assertion, a deadlock, a race. */
static struct c_verdict example(const char *executions) {
  struct c_verdict v = {0};
  c_verdict_take(&v, "complete", "true");
  c_verdict_take(&v, "executions", executions);
  c_verdict_take(&v, "outcomes.output", "2\n");
  c_verdict_take(&v, "outcomes.output", "1\n");
  take_error(&v, "assertion", "12");
  take_error(&v, "assertion", "12");
  take_error(&v, "deadlock", "7");
  take_race(&v, "9", "5");
  c_verdict_settle(&v);
  return v;
}

static void sets_are_settled(void **state) {
  (void)state;
  struct c_verdict v = example("3");
  assert_int_equal(v.outcomes.size, 2);
  assert_string_equal(v.outcomes.at[0], "1\n");
  assert_int_equal(v.errors.size, 2);
  assert_string_equal(v.errors.at[0], "assertion 12");
  assert_string_equal(v.errors.at[1], "deadlock");
  assert_int_equal(v.races.size, 1);
  assert_string_equal(v.races.at[0], "5 9");
  c_verdict_free(&v);
}

static void algorithms_keep_their_promises(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_verdict judge = example("10"), same = example("3"),
                   fewer = example("2"), lost = example("3");
  judge.traces = 3;
  lost.outcomes.at[1][0] = '3';
  assert_true(c_verdict_agrees(&same, "optimal", &judge, &c));
  assert_false(c_verdict_agrees(&fewer, "optimal", &judge, &c));
  assert_true(c_verdict_agrees(&fewer, "dc", &judge, &c));
  assert_false(c_verdict_agrees(&judge, "dc", &judge, &c));
  assert_false(c_verdict_agrees(&lost, "dc", &judge, &c));
  assert_string_equal(c.what, "dc loses an outcome");
  judge.traces = 0; /* then nothing is known about executions */
  assert_true(c_verdict_agrees(&fewer, "optimal", &judge, &c));
  c_verdict_free(&judge), c_verdict_free(&same);
  c_verdict_free(&fewer), c_verdict_free(&lost);
}

static void guarded_programs_have_no_races(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_program racy = {.racy = true}, guarded = {0};
  struct c_verdict v = example("3");
  assert_true(c_verdict_fits(&v, &racy, &c));
  assert_false(c_verdict_fits(&v, &guarded, &c));
  c_verdict_free(&v);
}

static void real_runs_are_among_the_outcomes(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_verdict v = example("3");
  assert_true(c_verdict_allows(&v, "1\n", 0, &c));
  assert_false(c_verdict_allows(&v, "3\n", 0, &c));
  assert_true(c_verdict_allows(&v, "a\n12", 9, &c));
  assert_false(c_verdict_allows(&v, "a\n13", 9, &c));
  assert_true(c_verdict_allows(&v, "", 128 + SIGALRM, &c));
  assert_false(c_verdict_allows(&v, "", 128 + SIGSEGV, &c));
  c_verdict_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_are_settled),
      cmocka_unit_test(algorithms_keep_their_promises),
      cmocka_unit_test(guarded_programs_have_no_races),
      cmocka_unit_test(real_runs_are_among_the_outcomes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
