/* Equal observations have equal numbers. */
#include "core_steps.h"

#include "explore/datacentric/annotation.h"

static int setup(void **state) {
  static struct annotation_pairs pairs;
  annotation_init(&pairs);
  *state = &pairs;
  return 0;
}

static int teardown(void **state) {
  annotation_check(*state);
  annotation_free(*state);
  return 0;
}

/* A pair is its event, what that observed, and whether it is about a choice. */
static void test_pairs(void **state) {
  struct annotation_pairs *t = *state;
  uint64_t write = write_name(1, 1);
  uint32_t a =
      annotation_pair_number(t, (struct annotation_pair){0, 1, false, write});
  assert_true(a);
  assert_int_equal(
      annotation_pair_number(t, (struct annotation_pair){0, 1, false, write}),
      a);
  assert_int_not_equal(
      annotation_pair_number(t, (struct annotation_pair){0, 2, false, write}),
      a);
  assert_int_not_equal(
      annotation_pair_number(t, (struct annotation_pair){0, 1, true, write}),
      a);
  assert_int_not_equal(
      annotation_pair_number(t, (struct annotation_pair){0, 1, false, INITIAL}),
      a);
}

/* One range is named by its write.  Two ranges are a list: the same list has
 * the same name, and no write has it. */
static void test_lists(void **state) {
  struct annotation_pairs *t = *state;
  uint64_t p = write_name(0, 1), q = write_name(1, 1);
  struct annotation_segment one[] = {{0, 8, p}};
  struct annotation_segment two[] = {{0, 4, p}, {4, 8, q}};
  struct annotation_segment swapped[] = {{0, 4, q}, {4, 8, p}};
  assert_int_equal(annotation_observed(t, one, 1), p);
  uint64_t name = annotation_observed(t, two, 2);
  assert_true(name != p && name != q && name != INITIAL);
  assert_int_equal(annotation_observed(t, two, 2), name);
  assert_int_not_equal(annotation_observed(t, swapped, 2), name);
}

static uint32_t nth(struct annotation_pairs *t, uint32_t i) {
  return annotation_pair_number(t, (struct annotation_pair){0, 1, false, i});
}

/* One event observed 5000 writes: the tables grow, and numbers stay. */
static void test_growth(void **state) {
  struct annotation_pairs *t = *state;
  for (uint32_t i = 0; i < 5000; i++)
    assert_int_equal(nth(t, i), i + 1);
  for (uint32_t i = 0; i < 5000; i++)
    assert_int_equal(nth(t, i), i + 1);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_pairs), TEST(test_lists),
                                     TEST(test_growth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
