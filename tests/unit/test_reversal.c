/* What reverses a race: v = notdep(e) . e', and what can begin it. */
#include "core_steps.h"

#include "explore/dpor/reversal.h"

#define X 0x1000
#define Y 0x2000
#define Z 0x3000

struct fixture {
  struct trace t;
  struct reversal v;
};

static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = true});
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  reversal_free(&f->v);
  trace_free(&f->t);
  return 0;
}

/* e = p: x   q: y   p: z (after e)   e' = r: x.  notdep(e) is q's event alone,
 * and q and r can both begin v. */
static void test_contents(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, Y);
  writes(&f->t, 0, Z);
  writes(&f->t, 2, X);
  reversal_of_race(&f->v, &f->t, 0, 3);
  assert_true(reversal_contains(&f->v, 1));
  assert_false(reversal_contains(&f->v, 2));
  assert_false(reversal_is_initial(&f->v, 0));
  assert_true(reversal_is_initial(&f->v, 1));
  assert_true(reversal_is_initial(&f->v, 2));
  assert_int_equal(reversal_beginning(&f->v).proc, 2);
}

/* e = p: x   q: y   r reads y   e' = r: x.  e' comes after r's read, which
 * comes after q's write: only q can begin v. */
static void test_needs(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, Y);
  reads(&f->t, 2, Y);
  writes(&f->t, 2, X);
  reversal_of_race(&f->v, &f->t, 0, 3);
  assert_true(reversal_is_initial(&f->v, 1));
  assert_false(reversal_is_initial(&f->v, 2));
  struct option first = reversal_beginning(&f->v);
  assert_int_equal(first.proc, 1);
  reversal_take(&f->v, &first);
  assert_false(reversal_contains(&f->v, 1));
  assert_true(reversal_contains(&f->v, 2));
}

/* Another alternative of e is another step; e itself does not begin v. */
static void test_choice(void **state) {
  struct fixture *f = *state;
  struct step chooses = {.op = OP_CHOOSE, .choice = 0, .choices = 2};
  trace_push(&f->t, 0, &chooses);
  reversal_of_choice(&f->v, &f->t, 0, 1);
  uint32_t rests_on = 0;
  struct option taken = {0, 1, 0, 0, NULL}, other = {0, 1, 1, 0, NULL};
  assert_int_equal(reversal_match(&f->v, &taken, &rests_on), MATCH_NOT);
  assert_int_equal(reversal_match(&f->v, &other, &rests_on), MATCH_FIRST);
}

/* p holds the mutex, q waits for it at the end: q is to come first. */
static void test_pending(void **state) {
  struct fixture *f = *state;
  locks(&f->t, 0, X);
  struct access a = {X, 4, ACCESS_WRITE | ACCESS_ATOMIC};
  struct step lock = {.op = OP_LOCK,
                      .flags = STEP_BLOCKING,
                      .wants = OFFER_ONE,
                      .choices = 1,
                      .accesses = 1,
                      .access = &a};
  reversal_of_pending(&f->v, &f->t, 0, 1, &lock);
  assert_true(reversal_is_initial(&f->v, 1));
  assert_false(reversal_is_initial(&f->v, 0));
  assert_int_equal(reversal_beginning(&f->v).index, 1);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_contents),
      TEST(test_needs),
      TEST(test_choice),
      TEST(test_pending),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
