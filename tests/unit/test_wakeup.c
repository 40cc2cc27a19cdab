/* Insertion into wakeup trees, and the weak initials that it rests on. */
#include "core_steps.h"

#include "explore/dpor/wakeup.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct wakeup_pool pool;
  struct reversal v;
  uint32_t root;
};

static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = true});
  wakeup_init(&f.pool);
  *state = &f;
  return 0;
}

static uint32_t root_at(const void *fixture, size_t length) {
  return length ? 0 : ((const struct fixture *)fixture)->root;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  wakeup_check(&f->pool, &f->t, root_at, f);
  wakeup_drop(&f->pool, f->root);
  wakeup_free(&f->pool);
  reversal_free(&f->v);
  trace_free(&f->t);
  return 0;
}

static uint32_t branch_length(const struct fixture *f, uint32_t n) {
  uint32_t length = 0;
  for (; n; n = f->pool.nodes.at[n].child)
    length++;
  return length;
}

/* 0: p writes x; q writes y; q writes x.  Reversed: q writes y, q writes x. */
static void test_new_branch(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, Y);
  writes(&f->t, 1, X);
  reversal_of_race(&f->v, &f->t, 0, 2);
  assert_int_equal(wakeup_insert(&f->pool, &f->root, &f->v), NOWHERE);
  assert_int_equal(branch_length(f, f->root), 2);
  assert_int_equal(wakeup_option(&f->pool, f->root).proc, 1);
}

/* What is planned already is not inserted again. */
static void test_leaf(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, X);
  reversal_of_race(&f->v, &f->t, 0, 1);
  wakeup_insert(&f->pool, &f->root, &f->v);
  reversal_of_race(&f->v, &f->t, 0, 1);
  assert_int_equal(wakeup_insert(&f->pool, &f->root, &f->v), 2);
  assert_int_equal(f->pool.nodes.at[f->root].next, 0);
}

/* A sequence that needs another beginning becomes the last branch. */
static void test_sibling(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, X);
  reversal_of_race(&f->v, &f->t, 0, 1);
  wakeup_insert(&f->pool, &f->root, &f->v);
  trace_truncate(&f->t, 1);
  writes(&f->t, 2, X);
  reversal_of_race(&f->v, &f->t, 0, 1);
  wakeup_insert(&f->pool, &f->root, &f->v);
  uint32_t second = f->pool.nodes.at[f->root].next;
  assert_int_equal(wakeup_option(&f->pool, f->root).proc, 1);
  assert_int_equal(wakeup_option(&f->pool, second).proc, 2);
}

/* A step that is not in the sequence but independent of it is a weak initial;
 * one that depends on it is not. */
static void test_weak_initials(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, X);
  reversal_of_race(&f->v, &f->t, 0, 1);
  struct access x = {X, 4, 0}, y = {Y, 4, ACCESS_WRITE};
  uint32_t rests_on = 0;
  struct option reads_x = {2, 1, 0, 1, &x};
  assert_int_equal(reversal_match(&f->v, &reads_x, &rests_on), MATCH_NOT);
  struct option writes_y = {2, 1, 0, 1, &y};
  assert_int_equal(reversal_match(&f->v, &writes_y, &rests_on),
                   MATCH_INDEPENDENT);
  assert_int_equal(rests_on, NOWHERE);
}

/* An event of the sequence with a predecessor in it is no initial. */
static void test_predecessor(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X); /* e */
  writes(&f->t, 1, Y);
  reads(&f->t, 2, Y); /* after 1 */
  writes(&f->t, 3, X); /* e' */
  reversal_of_race(&f->v, &f->t, 0, 3);
  struct access y = {Y, 4, 0};
  struct option second = {2, 1, 0, 1, &y};
  uint32_t rests_on = 0;
  assert_int_equal(reversal_match(&f->v, &second, &rests_on), MATCH_NOT);
  struct access w = {Y, 4, ACCESS_WRITE};
  struct option first = {1, 1, 0, 1, &w};
  assert_int_equal(reversal_match(&f->v, &first, &rests_on), MATCH_FIRST);
  reversal_take(&f->v, &first);
  assert_int_equal(reversal_match(&f->v, &second, &rests_on), MATCH_FIRST);
}

/* Memory of dropped trees is used again. */
static void test_pool(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  writes(&f->t, 1, X);
  for (int i = 0; i < 100; i++) {
    reversal_of_race(&f->v, &f->t, 0, 1);
    wakeup_insert(&f->pool, &f->root, &f->v);
    wakeup_drop(&f->pool, f->root);
    f->root = 0;
  }
  assert_int_equal(f->pool.nodes.size, 2);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_new_branch),    TEST(test_leaf),        TEST(test_sibling),
      TEST(test_weak_initials), TEST(test_predecessor), TEST(test_pool),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
