/* What explorations of a C program say is compared as it should be. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/c/c_verdict.h"

/* Two outcomes, a failed assertion, a deadlock, a race. */
static struct c_verdict example(uint64_t executions) {
  struct c_verdict v = {.complete = true, .executions = executions};
  c_verdict_add_outcome(&v, "2\n", 2, 0);
  c_verdict_add_outcome(&v, "1\n", 2, 0);
  c_verdict_add_finding(&v, FINDING_ASSERTION, 18, 0);
  c_verdict_add_finding(&v, FINDING_ASSERTION, 18, 0);
  c_verdict_add_finding(&v, FINDING_DEADLOCK, 7, 0);
  c_verdict_add_finding(&v, FINDING_RACE, 9, 5);
  c_verdict_settle(&v);
  return v;
}

static void sets_are_settled(void **state) {
  (void)state;
  struct c_verdict v = example(3);
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
  struct c_verdict judge = example(10), same = example(3),
                   fewer = example(2), lost = example(3);
  judge.traces = 3;
  lost.outcomes.at[1][0] = '3';
  assert_true(c_verdict_agrees(&same, "optimal", &judge, &c));
  assert_false(c_verdict_agrees(&fewer, "optimal", &judge, &c));
  assert_true(c_verdict_agrees(&fewer, "dc", &judge, &c));
  assert_true(c_verdict_agrees(&judge, "dc", &judge, &c)); /* it may be finer */
  assert_false(c_verdict_agrees(&judge, "source", &judge, &c));
  assert_false(c_verdict_agrees(&lost, "dc", &judge, &c));
  assert_string_equal(c.what, "dc loses an outcome");
  judge.traces = 0; /* then nothing is known about executions */
  assert_true(c_verdict_agrees(&fewer, "optimal", &judge, &c));
  c_verdict_free(&judge), c_verdict_free(&same);
  c_verdict_free(&fewer), c_verdict_free(&lost);
}

/* One of the two places of a race is enough. */
static void races_are_known_by_a_place(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_verdict judge = example(3), other = example(3), lost = example(3);
  judge.traces = 3;
  strcpy(other.races.at[0], "5 7");
  strcpy(lost.races.at[0], "6 7");
  assert_true(c_verdict_agrees(&other, "optimal", &judge, &c));
  assert_false(c_verdict_agrees(&lost, "optimal", &judge, &c));
  assert_string_equal(c.what, "optimal loses a race");
  c_verdict_free(&judge), c_verdict_free(&other), c_verdict_free(&lost);
}

static void guarded_programs_have_no_races(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_program racy = {.racy = true}, guarded = {0};
  struct c_verdict v = example(3);
  assert_true(c_verdict_fits(&v, &racy, &c));
  assert_false(c_verdict_fits(&v, &guarded, &c));
  c_verdict_free(&v);
}

static void a_part_is_within(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_verdict judge = example(3), part = example(3);
  part.outcomes.size = 1;
  assert_true(c_verdict_within(&part, &judge, &c));
  assert_false(c_verdict_within(&judge, &part, &c));
  part.outcomes.size = 2;
  c_verdict_free(&judge), c_verdict_free(&part);
}

static bool allows(enum real_end end, unsigned code, bool asserted,
                   char *output) {
  struct c_complaint c;
  struct c_verdict v = example(3);
  struct real_result r = {
      .end = end, .code = code, .asserted = asserted, .output = output};
  bool allowed = c_verdict_allows(&v, &r, &c);
  c_verdict_free(&v);
  return allowed;
}

static void real_runs_are_among_the_outcomes(void **state) {
  (void)state;
  assert_true(allows(REAL_EXIT, 0, false, "1\n"));
  assert_false(allows(REAL_EXIT, 0, false, "3\n"));
  assert_false(allows(REAL_EXIT, 1, false, "1\n"));
  assert_true(allows(REAL_SIGNAL, SIGABRT, true, ""));
  assert_false(allows(REAL_SIGNAL, SIGABRT, false, ""));
  assert_true(allows(REAL_HANG, 0, false, ""));
  assert_false(allows(REAL_SIGNAL, SIGSEGV, false, ""));
}

/* The report of `heddle check` has kinds of errors and outcomes. */
static void reports_say_the_same(void **state) {
  (void)state;
  struct c_complaint c = {0};
  struct c_verdict v = example(3);
  struct claim outcomes[] = {{.output = "1\n"}, {.output = "2\n"}};
  struct claims claims = {.complete = true, .kinds = v.kinds};
  claims.outcomes.at = outcomes;
  claims.outcomes.size = 2;
  assert_true(c_verdict_reported(&v, &claims, &c));
  claims.outcomes.size = 1;
  assert_false(c_verdict_reported(&v, &claims, &c));
  claims.outcomes.size = 2;
  claims.kinds |= 1u << FINDING_NONDETERMINISM;
  assert_false(c_verdict_reported(&v, &claims, &c));
  c_verdict_free(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_are_settled),
      cmocka_unit_test(algorithms_keep_their_promises),
      cmocka_unit_test(races_are_known_by_a_place),
      cmocka_unit_test(guarded_programs_have_no_races),
      cmocka_unit_test(a_part_is_within),
      cmocka_unit_test(reports_say_the_same),
      cmocka_unit_test(real_runs_are_among_the_outcomes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
