/* The list of algorithms. */
#include "core_steps.h"

#include "explore/algorithms.h"

static void test_find(void **state) {
  (void)state;
#define ALGORITHM(id, name, help) \
  if (!strchr(name, '='))         \
    assert_ptr_equal(algorithm_find(name, false), &id##_algorithm);
#define PRINTED(id, name, help) \
  assert_ptr_equal(algorithm_find(name, true), &printed_##id##_algorithm);
#include "explore/algorithms.def"
  assert_null(algorithm_find("quasi=K", false));
  assert_null(algorithm_find("pct=D", false));
  assert_null(algorithm_find("optimum", false));
  assert_ptr_equal(algorithm_find("optimal", true), &optimal_algorithm);
}

static void test_quasi(void **state) {
  (void)state;
  const struct algorithm *two = algorithm_find("quasi=2", false);
  assert_string_equal(two->name, "quasi=2");
  assert_ptr_equal(algorithm_find("quasi=2", false), two);
  assert_ptr_not_equal(algorithm_find("quasi=3", false), two);
  assert_null(algorithm_find("quasi=0", false));
  assert_int_equal(algorithm_number(algorithm_families, "quasi=20"), 20);
  assert_int_equal(algorithm_number(algorithm_families, "quasi=2x"), 0);
  assert_int_equal(algorithm_find("pct=7", false)->parameter, 7);
}

static void test_promises(void **state) {
  (void)state;
  assert_int_equal(algorithm_promises(&optimal_algorithm),
                   EVERY_TRACE | EACH_ONCE | NEVER_BLOCKED);
  assert_int_equal(algorithm_promises(algorithm_find("quasi=2", false)),
                   EVERY_TRACE | EACH_ONCE);
  assert_int_equal(algorithm_promises(&printed_cs_algorithm), MAY_LOSE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_find),
                                     cmocka_unit_test(test_quasi),
                                     cmocka_unit_test(test_promises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
