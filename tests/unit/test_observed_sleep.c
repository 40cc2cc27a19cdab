/* Sleepers where two blind writes may stay unordered. */
#include "core_steps.h"

#include "explore/observers/observed_sleep.h"

#define X 0x1000

struct fixture {
  struct trace t;
  struct observed_sleep s;
  struct observed_sleep_node root;
};

static void stores(struct trace *t, uint32_t proc) {
  push(t, proc, X, 4, ACCESS_WRITE | ACCESS_BLIND);
}

/* p's store sleeps at the root. */
static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = false});
  stores(&f.t, 0);
  observed_sleep_add(&f.s, &f.root, &f.t, 0);
  trace_truncate(&f.t, 0);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  observed_sleep_free(&f->s);
  trace_free(&f->t);
  return 0;
}

static bool sleeps_after(struct fixture *f,
                         const struct observed_sleep_node *node,
                         struct observed_sleep_node *child) {
  struct option o;
  uint32_t from;
  observed_sleep_child(&f->s, node, &f->t, child);
  observed_sleep_check(&f->s, child, &f->t, (uint32_t)trace_length(&f->t));
  return observed_sleep_get(&f->s, child, 0, &o, &from);
}

/* q's store leaves it asleep: perhaps no event ever sees the order. */
static void test_rival(void **state) {
  struct fixture *f = *state;
  struct observed_sleep_node child;
  stores(&f->t, 1);
  assert_true(sleeps_after(f, &f->root, &child));
}

/* q's read does not: it sees x without p's store. */
static void test_read(void **state) {
  struct fixture *f = *state;
  struct observed_sleep_node child;
  reads(&f->t, 1, X);
  assert_false(sleeps_after(f, &f->root, &child));
}

/* q stores, p stores: still redundant.  Then r reads, so that p's store is seen
 * after q's, and p could not have come first. */
static void test_taken(void **state) {
  struct fixture *f = *state;
  struct observed_sleep_node first, second, third;
  stores(&f->t, 1);
  assert_true(sleeps_after(f, &f->root, &first));
  stores(&f->t, 0);
  assert_true(sleeps_after(f, &first, &second));
  reads(&f->t, 2, X);
  assert_false(sleeps_after(f, &second, &third));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_rival), TEST(test_read),
                                     TEST(test_taken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
