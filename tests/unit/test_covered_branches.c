/* Planned branches of a node where planned steps may fall asleep. */
#include "model_steps.h"

#include "explore/context/covered_branches.h"

static struct scene s;
static struct sleep sleepers;
static struct sleep_node root;
static struct wakeup_pool pool;
static uint32_t tree;

/* p's store sleeps at the root. */
static int setup(void **state) {
  (void)state;
  scene_begin(&s, "var x = 0\nmutex m\np: x = 1\nq: lock m; unlock m\n"
                  "r: lock m; unlock m\n");
  wakeup_init(&pool);
  sleep_root(&sleepers, &root);
  scene_step(&s, 0);
  sleep_add(&sleepers, &root, &s.x.trace, &s.x.trace.events.at[0]);
  scene_undo(&s, 0);
  tree = 0;
  return 0;
}

static int teardown(void **state) {
  (void)state;
  wakeup_drop(&pool, tree);
  wakeup_free(&pool);
  sleep_free(&sleepers);
  scene_end(&s);
  return 0;
}

static void plan(uint32_t proc) {
  struct option o = {proc, 1, 0, 0, NULL};
  wakeup_append(&pool, &tree, 0, &o);
}

/* The branch of the sleeper is dropped, the next one stays. */
static void test_asleep(void **state) {
  (void)state;
  plan(0);
  plan(1);
  covered_branches_drop(&pool, &tree, &sleepers, &root, &s.x, true);
  assert_int_equal(wakeup_first(&pool, tree).proc, 1);
}

/* q holds the mutex: where the system is at the node, a branch that begins
 * with r is dropped; from elsewhere that cannot be told. */
static void test_blocked(void **state) {
  (void)state;
  struct sleep_node child;
  scene_step(&s, 1);
  sleep_child(&sleepers, &root, &s.x.trace, &child);
  plan(2);
  covered_branches_drop(&pool, &tree, &sleepers, &child, &s.x, false);
  assert_int_equal(wakeup_first(&pool, tree).proc, 2);
  covered_branches_drop(&pool, &tree, &sleepers, &child, &s.x, true);
  assert_int_equal(tree, 0);
}

/* All enabled processes but the sleeper's. */
static void test_all(void **state) {
  (void)state;
  covered_branches_add_all(&pool, &tree, &sleepers, &root, &s.x, 0);
  assert_int_equal(wakeup_first(&pool, tree).proc, 1);
  uint32_t second = wakeup_next(&pool, tree);
  assert_int_equal(wakeup_option(&pool, second).proc, 2);
  assert_int_equal(wakeup_next(&pool, second), 0);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_asleep), TEST(test_blocked),
                                     TEST(test_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
