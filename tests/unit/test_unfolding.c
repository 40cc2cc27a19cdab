/* Occurrences: steps with their histories. */
#include "unfolding_steps.h"

/* The same step after the same past is one occurrence; after another past it is
 * another one. */
static void test_names(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X), q = write_to(f, 1, X);
  assert_int_equal(occurrence_past(&f->u, occurrence_at(&f->u, q), 0), p);
  cut(f, 0);
  uint32_t q_first = write_to(f, 1, X);
  assert_int_not_equal(q_first, q);
  assert_int_equal(occurrence_past(&f->u, occurrence_at(&f->u, q_first), 0), 0);
  cut(f, 0);
  assert_int_equal(write_to(f, 0, X), p);
  assert_int_equal(write_to(f, 1, X), q);
  assert_int_equal(f->u.counts.entered, 3);
}

/* A step that learns nothing shares its past with the one before it (U3). */
static void test_shared_past(void **state) {
  struct fixture *f = *state;
  write_to(f, 0, X);
  uint32_t learns = write_to(f, 1, X), next = write_to(f, 1, Y);
  assert_int_equal(occurrence_at(&f->u, learns)->owner, learns);
  assert_int_equal(occurrence_at(&f->u, next)->owner, learns);
}

static void test_ancestor(void **state) {
  struct fixture *f = *state;
  uint32_t x = 0;
  for (int i = 0; i < 200; i++)
    x = write_to(f, 0, X);
  for (uint32_t index = 1; index <= 200; index++)
    assert_int_equal(
        occurrence_index(&f->u, unfolding_ancestor(&f->u, x, index)), index);
}

static void test_dependent(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X), q = write_to(f, 1, Y), r = write_to(f, 2, X);
  assert_false(unfolding_dependent(&f->u, p, q));
  assert_true(unfolding_dependent(&f->u, p, r));
}

/* What is kept keeps its past; all else is dropped. */
static void test_drop(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X), q = write_to(f, 1, X);
  uint32_t next = write_to(f, 1, Y);
  cut(f, 0);
  uint32_t alone = write_to(f, 1, X);
  cut(f, 0);
  unfolding_keep(&f->u, next);
  unfolding_drop_others(&f->u);
  assert_int_equal(f->u.live, 3);
  assert_true(occurrence_at(&f->u, p)->used && occurrence_at(&f->u, q)->used);
  assert_false(occurrence_at(&f->u, alone)->used);
  assert_int_equal(write_to(f, 0, X), p);
  assert_int_equal(write_to(f, 1, X), q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_names),     TEST(test_shared_past), TEST(test_ancestor),
      TEST(test_dependent), TEST(test_drop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
