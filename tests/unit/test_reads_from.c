/* Which write every read of an execution observes. */
#include "reads_from_steps.h"

#include "core/cone.h"

/* The event that wrote what the k-th item of an event observes, or NOWHERE. */
static uint32_t observed(const struct fixture *f, uint32_t event, uint32_t k) {
  uint32_t from = f->run.items.at[f->run.events.at[event].first_item + k].from;
  return from ? f->run.items.at[from - 1].event : NOWHERE;
}

/* Two halves, of which one is overwritten. */
static void test_halves(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 8);
  stores(&f->t, 1, X, 4);
  push(&f->t, 2, X, 8, 0);
  make(f, 3);
  assert_int_equal(f->run.events.at[2].items, 2);
  assert_int_equal(observed(f, 2, 0), 1);
  assert_int_equal(observed(f, 2, 1), 0);
}

/* What is observed has the same number, however the bytes are cut. */
static void test_same_pair(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 8);
  push(&f->t, 1, X, 8, 0);
  make(f, 3);
  uint32_t pair = f->run.events.at[1].pair;
  push(&f->t, 2, X + 2, 1, 0);
  make(f, 3);
  assert_int_equal(f->run.events.at[1].items, 3);
  assert_int_equal(f->run.events.at[1].pair, pair);
}

/* A read before a write is not what the write follows from. */
static void test_cone(void **state) {
  struct fixture *f = *state;
  reads(&f->t, 0, X);
  stores(&f->t, 1, X, 4);
  assert_false(cone_has(&f->t, (uint32_t[]){0}, 1));
  reads(&f->t, 2, X);
  assert_true(cone_has(&f->t, (uint32_t[]){1}, 1));
  assert_false(cone_has(&f->t, (uint32_t[]){0}, 1));
}

/* What a run has in common with the one before is not made anew, but is as if
 * it were. */
static void test_again(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  reads(&f->t, 1, X);
  stores(&f->t, 1, X, 4);
  reads(&f->t, 0, X);
  make(f, 2);
  rf_check(&f->run);
  assert_int_equal(observed(f, 3, 0), 2);
  trace_truncate(&f->t, 2);
  reads(&f->t, 0, X);
  stores(&f->t, 1, X, 4);
  make(f, 2);
  assert_int_equal(observed(f, 1, 0), 0);
  assert_int_equal(observed(f, 2, 0), 0);
  assert_int_equal(f->run.items.size, 4);
  assert_int_equal(f->run.items.at[1].next, 3);
  assert_int_equal(f->run.items.at[2].next, 4);
  assert_int_equal(f->run.writes.size, 2);
  assert_int_equal(f->run.writes.at[1].event, 3);
  assert_int_equal(rf_event(&f->run, 0, 2), 2);
  assert_int_equal(rf_cone(&f->run, 2)[1], 0);
  trace_truncate(&f->t, 1); /* and a place that cuts an atom */
  push(&f->t, 1, X + 2, 2, 0);
  make(f, 2);
  assert_int_equal(f->run.items.size, 3);
  assert_int_equal(observed(f, 1, 0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_halves, setup, teardown),
      cmocka_unit_test_setup_teardown(test_same_pair, setup, teardown),
      cmocka_unit_test_setup_teardown(test_cone, setup, teardown),
      cmocka_unit_test_setup_teardown(test_again, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
