/* Is there an execution in which these reads observe these writes? */
#include "reads_from_steps.h"

/* May the event, the last one wanted of its process, observe this item? */
static bool may_observe(struct fixture *f, uint32_t event, uint32_t from,
                        const uint32_t *wanted) {
  struct rf_item item = f->run.items.at[f->run.events.at[event].first_item];
  item.from = from;
  struct linearize_change change = {event, &item, 1};
  struct linearize_start start = {f->run.cones.at, NULL};
  bool possible =
      linearize_begin(&f->linearizer, &f->run, start, wanted, &change) &&
      linearize_end(&f->linearizer, false);
  if (possible)
    linearize_check(&f->linearizer);
  return possible;
}

/* p: x = 1; x = 2   q: a = x */
static void test_possible(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  stores(&f->t, 0, X, 4);
  reads(&f->t, 1, X);
  make(f, 2);
  assert_true(may_observe(f, 2, 1, (uint32_t[]){2, 1}));
  assert_int_equal(f->linearizer.schedule.at[1], 2);
  assert_true(may_observe(f, 2, 0, (uint32_t[]){2, 1}));
  assert_int_equal(f->linearizer.schedule.at[0], 2);
}

/* p: x = 1; y = 1   q: a = y; b = x.  Who has seen y has to see x. */
static void test_message(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  stores(&f->t, 0, Y, 4);
  reads(&f->t, 1, Y);
  reads(&f->t, 1, X);
  make(f, 2);
  assert_false(may_observe(f, 3, 0, (uint32_t[]){2, 2}));
}

/* p: x = 1   q: x = 2   r: a = x; b = x.  If a is p's and b is q's, a comes
 * before q.  That is not given: saturation finds it. */
static void test_saturation(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  reads(&f->t, 2, X);
  stores(&f->t, 1, X, 4);
  reads(&f->t, 2, X);
  make(f, 3);
  assert_true(may_observe(f, 3, 1, (uint32_t[]){1, 1, 2}));
  assert_false(may_observe(f, 3, 0, (uint32_t[]){1, 1, 2}));
}

/* p: x = 1; y = 1   q: x = 2; y = 2   r: a = x   s: b = y.  In the run all of q
 * comes last, and r and s observe q.  r can observe p's x while s observes q's
 * y; then q's x comes before p's, or after r. */
static void test_either(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  stores(&f->t, 0, Y, 4);
  stores(&f->t, 1, X, 4);
  stores(&f->t, 1, Y, 4);
  reads(&f->t, 3, Y);
  reads(&f->t, 2, X);
  make(f, 4);
  assert_true(may_observe(f, 5, 1, (uint32_t[]){2, 2, 1, 1}));
  assert_true(may_observe(f, 5, 0, (uint32_t[]){2, 2, 1, 1}));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_possible), TEST(test_message),
                                     TEST(test_saturation), TEST(test_either)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
