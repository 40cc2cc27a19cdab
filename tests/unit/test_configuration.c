/* Sets of occurrences that can happen in one execution. */
#include "unfolding_steps.h"

/* q's write of x after p's brings p's along. */
static void test_past(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X), q = write_to(f, 1, X);
  cut(f, 0);
  assert_true(configuration_extend(&f->c, q));
  assert_int_equal(configuration_size(&f->c), 2);
  assert_int_equal(configuration_at(&f->c, 0, 1), p);
  assert_int_equal(configuration_at(&f->c, 1, 1), q);
}

/* p's write and q's write that does not follow it are in conflict. */
static void test_conflict(void **state) {
  struct fixture *f = *state;
  uint32_t q = write_to(f, 1, X);
  cut(f, 0);
  write_to(f, 0, X);
  assert_false(configuration_extend(&f->c, q));
  assert_int_equal(configuration_size(&f->c), 1);
}

/* Nothing that sleeps is added, nor what follows it. */
static void test_asleep(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X), q = write_to(f, 1, X);
  cut(f, 0);
  occurrence_at(&f->u, p)->asleep = true;
  assert_false(configuration_extend(&f->c, q));
  assert_int_equal(configuration_size(&f->c), 0);
}

/* The newest member is p's write of x.  r's write of y is independent of it,
 * q's write of x after it leads there, q's write of x without it is in
 * conflict. */
static void test_still_allows(void **state) {
  struct fixture *f = *state;
  uint32_t alone = write_to(f, 1, X);
  cut(f, 0);
  uint32_t apart = write_to(f, 2, Y);
  cut(f, 0);
  write_to(f, 0, X);
  uint32_t after = write_to(f, 1, X);
  cut(f, 1);
  assert_int_equal(configuration_still_allows(&f->c, alone),
                   CONFIGURATION_FORBIDS);
  assert_int_equal(configuration_still_allows(&f->c, apart),
                   CONFIGURATION_ALLOWS);
  assert_int_equal(configuration_still_allows(&f->c, after),
                   CONFIGURATION_LEADS_THERE);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_past), TEST(test_conflict),
                                     TEST(test_asleep),
                                     TEST(test_still_allows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
