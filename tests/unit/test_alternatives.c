/* Alternatives: what can be added so that no sleeper can follow. */
#include "unfolding_steps.h"

#define Z 0x3000

static void put_to_sleep(struct fixture *f, uint32_t x) {
  occurrence_at(&f->u, x)->asleep = true;
}

/* p's and q's writes of one variable are each other's only rivals. */
static void test_one(void **state) {
  struct fixture *f = *state;
  struct alternatives a = {0};
  uint32_t q = write_to(f, 1, X);
  cut(f, 0);
  uint32_t p = write_to(f, 0, X);
  cut(f, 0);
  put_to_sleep(f, p);
  struct rival_iterator rivals = rivals_begin(&f->u, p);
  assert_int_equal(rivals_next(&rivals), q);
  assert_int_equal(rivals_next(&rivals), 0);
  assert_true(alternatives_search(&a, &f->c, &p, 1, 1));
  assert_int_equal(configuration_size(&f->c), 1);
  assert_int_equal(configuration_at(&f->c, 1, 1), q);
  alternatives_free(&a);
}

/* The only rival sleeps, too. */
static void test_none(void **state) {
  struct fixture *f = *state;
  struct alternatives a = {0};
  uint32_t q = write_to(f, 1, X);
  cut(f, 0);
  uint32_t p = write_to(f, 0, X);
  cut(f, 0);
  put_to_sleep(f, p);
  put_to_sleep(f, q);
  assert_false(alternatives_search(&a, &f->c, &p, 1, 1));
  assert_int_equal(configuration_size(&f->c), 0);
  alternatives_free(&a);
}

static uint32_t write_two(struct fixture *f, uint32_t proc, uint64_t addr) {
  struct access a[] = {{addr, 4, ACCESS_WRITE}, {Z, 4, ACCESS_WRITE}};
  struct step both = {.op = OP_BLOCK,
                      .flags = STEP_BLOCK,
                      .choices = 1,
                      .accesses = 2,
                      .access = a};
  trace_push(&f->t, proc, &both);
  return enter(f);
}

/* p's write of x and q's of y sleep.  Their rivals are r's write of x and z and
 * s's write of y and z, which are in conflict themselves: there is no
 * alternative to both sleepers, only a partial one.  With t's write of y there
 * is: r's and t's. */
static void test_two(void **state) {
  struct fixture *f = *state;
  struct alternatives a = {0};
  uint32_t r = write_two(f, 2, X);
  cut(f, 0);
  uint32_t s = write_two(f, 3, Y);
  cut(f, 0);
  uint32_t sleepers[] = {write_to(f, 0, X), write_to(f, 1, Y)};
  cut(f, 0);
  put_to_sleep(f, sleepers[0]);
  put_to_sleep(f, sleepers[1]);
  assert_false(alternatives_search(&a, &f->c, sleepers, 2, 2));
  assert_int_equal(configuration_size(&f->c), 0);
  assert_true(alternatives_search(&a, &f->c, sleepers, 2, 1));
  assert_int_equal(configuration_size(&f->c), 1);
  configuration_truncate(&f->c, 0);
  uint32_t t = write_to(f, 4, Y);
  cut(f, 0);
  assert_true(alternatives_search(&a, &f->c, sleepers, 2, 2));
  assert_int_equal(configuration_size(&f->c), 2);
  assert_true(occurrence_at(&f->u, r)->inside);
  assert_false(occurrence_at(&f->u, s)->inside);
  assert_true(occurrence_at(&f->u, t)->inside);
  alternatives_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_one), TEST(test_none),
                                     TEST(test_two)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
