/* An occurrence put together from the trace. */
#include "unfolding_steps.h"

/* q's write of x without p's, which it now follows: its past is empty, and x
 * has its initial value. */
static void test_without(void **state) {
  struct fixture *f = *state;
  write_to(f, 0, X);
  uint32_t after = write_to(f, 1, X);
  struct access x = {X, 4, ACCESS_WRITE};
  new_event_begin(&f->maker, 1, 0, 1);
  struct past_counts past = new_event_close(&f->maker, 1);
  new_event_access(&f->maker, &past, &x);
  assert_int_equal(unfolding_find(&f->u, &f->maker.event), 0);
  uint32_t alone = unfolding_add(&f->u, &f->maker.event);
  assert_int_not_equal(alone, after);
  const struct occurrence *o = occurrence_at(&f->u, alone);
  assert_int_equal(o->visit_count, 1);
  assert_int_equal(f->u.places.at[f->u.visits.at[o->visits].place].writer, 0);
  /* It is what the program does if q comes first. */
  cut(f, 0);
  assert_int_equal(write_to(f, 1, X), alone);
}

/* Joining an event joins all before it. */
static void test_join(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X), q = write_to(f, 1, X);
  new_event_begin(&f->maker, 2, 0, 1);
  new_event_join(&f->maker, &f->t.events.at[1]);
  new_event_close(&f->maker, 1);
  assert_int_equal(unfolding_find(&f->u, &f->maker.event), 0);
  uint32_t r = unfolding_add(&f->u, &f->maker.event);
  assert_int_equal(occurrence_past(&f->u, occurrence_at(&f->u, r), 0), p);
  assert_int_equal(occurrence_past(&f->u, occurrence_at(&f->u, r), 1), q);
}

static void test_is_like(void **state) {
  struct fixture *f = *state;
  uint32_t p = write_to(f, 0, X);
  writes(&f->t, 1, Y);
  assert_true(occurrence_is_like(&f->maker, p, &f->t.events.at[0]));
  assert_false(occurrence_is_like(&f->maker, p, &f->t.events.at[1]));
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_without), TEST(test_join),
                                     TEST(test_is_like)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
