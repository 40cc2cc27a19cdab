/* What can begin a sequence in which unseen writes have no order. */
#include "core_steps.h"

#include "explore/observers/observed_sequence.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct observed_sequence v;
};

/* 0: p stores x   1: q stores x   2: r reads x */
static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = true});
  push(&f.t, 0, X, 4, ACCESS_WRITE | ACCESS_BLIND);
  push(&f.t, 1, X, 4, ACCESS_WRITE | ACCESS_BLIND);
  reads(&f.t, 2, X);
  observed_sequence_begin(&f.v, &f.t, 0);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  observed_sequence_free(&f->v);
  trace_free(&f->t);
  return 0;
}

static enum match match(struct fixture *f, uint32_t position,
                        uint32_t *rests_on) {
  struct option o = event_option(&f->t, &f->t.events.at[position]);
  return observed_sequence_match(&f->v, &o, 0, rests_on);
}

/* q, p: no event sees p's store, so p can begin as well.  That rests on all of
 * the execution. */
static void test_rivals(void **state) {
  struct fixture *f = *state;
  uint32_t rests_on = 0;
  observed_sequence_add_event(&f->v, 1);
  observed_sequence_add_event(&f->v, 0);
  assert_int_equal(match(f, 1, &rests_on), MATCH_FIRST);
  assert_int_equal(rests_on, 2);
  assert_int_equal(match(f, 0, &rests_on), MATCH_FIRST);
  assert_int_equal(rests_on, NOWHERE);
}

/* q, p, r: now r sees p's store, which has to wait for q's. */
static void test_observer(void **state) {
  struct fixture *f = *state;
  uint32_t rests_on = 0;
  observed_sequence_add_event(&f->v, 1);
  observed_sequence_add_event(&f->v, 0);
  observed_sequence_add_event(&f->v, 2);
  assert_int_equal(match(f, 1, &rests_on), MATCH_FIRST);
  assert_int_equal(match(f, 0, &rests_on), MATCH_NOT);
  struct option q = event_option(&f->t, &f->t.events.at[1]);
  observed_sequence_take(&f->v, &q);
  assert_int_equal(match(f, 0, &rests_on), MATCH_FIRST);
  assert_int_equal(match(f, 2, &rests_on), MATCH_NOT);
}

/* A step that is not in the sequence. */
static void test_absent(void **state) {
  struct fixture *f = *state;
  uint32_t rests_on = 0;
  struct access x = {X, 4, ACCESS_WRITE | ACCESS_BLIND}, read = {X, 4, 0};
  struct access y = {Y, 4, ACCESS_WRITE};
  observed_sequence_add_event(&f->v, 1);
  struct option stores_x = {3, 1, 0, 1, &x}, reads_x = {3, 1, 0, 1, &read};
  struct option writes_y = {3, 1, 0, 1, &y};
  assert_int_equal(observed_sequence_match(&f->v, &writes_y, 0, &rests_on),
                   MATCH_INDEPENDENT);
  assert_int_equal(observed_sequence_match(&f->v, &stores_x, 0, &rests_on),
                   MATCH_INDEPENDENT);
  assert_int_equal(observed_sequence_match(&f->v, &reads_x, 0, &rests_on),
                   MATCH_NOT);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_rivals), TEST(test_observer),
                                     TEST(test_absent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
