/* Do two dependent steps commute in the state where they meet? */
#include "model_steps.h"

#include "explore/context/commute.h"

/* The answer for p's step as a sleeper and q's step taken instead, from the
 * start of the model. */
static enum commute answer(const char *model) {
  struct scene s;
  struct commute_cache cache;
  struct sleep sleep = {0};
  struct sleep_node root;
  scene_begin(&s, model);
  commute_init(&cache, &s.x);
  sleep_root(&sleep, &root);
  scene_step(&s, 0);
  sleep_add(&sleep, &root, &s.x.trace, &s.x.trace.events.at[0]);
  scene_undo(&s, 0);
  scene_step(&s, 1);
  enum commute commute = commute_instead(&cache, &sleep.sleepers.at[0]);
  /* The system is where it was. */
  assert_false(s.x.diverged);
  assert_int_equal(trace_length(&s.x.trace), 1);
  sleep_free(&sleep);
  commute_free(&cache);
  scene_end(&s);
  return commute;
}

static void test_stores(void **state) {
  (void)state;
  assert_int_equal(answer("var x = 0\np: x = 1\nq: x = 1\n"), COMMUTE_ALWAYS);
  assert_int_equal(answer("var x = 0\np: x = 1\nq: x = 2\n"), COMMUTE_NOT);
}

/* A read finds the same before and after a store of what is there. */
static void test_state(void **state) {
  (void)state;
  assert_int_equal(answer("var x = 1\np: x = 1\nq: a = x\n"), COMMUTE_HERE);
  assert_int_equal(answer("var x = 0\np: x = 1\nq: a = x\n"), COMMUTE_NOT);
}

/* cas(x, 1, 2) fails in both orders with a store of 3 where x is 0.  It
 * succeeds in one of them where x is 1. */
static void test_conditional(void **state) {
  (void)state;
  assert_int_equal(answer("var x = 0\np: x = 3\nq: cas(x, 1, 2)\n"),
                   COMMUTE_HERE);
  assert_int_equal(answer("var x = 1\np: x = 3\nq: cas(x, 1, 2)\n"),
                   COMMUTE_NOT);
}

/* Operations on mutexes never commute. */
static void test_mutex(void **state) {
  (void)state;
  assert_int_equal(
      answer("mutex m\np: lock m; unlock m\nq: lock m; unlock m\n"),
      COMMUTE_NOT);
}

static void test_never(void **state) {
  (void)state;
  struct scene s;
  struct commute_cache cache;
  scene_begin(&s, "var x = 0\np: x = 1\nq: x = 2\nr: x = 1\nt: a = x\n");
  commute_init(&cache, &s.x);
  for (uint32_t p = 0; p < 4; p++)
    scene_step(&s, p);
  const struct event *e = s.x.trace.events.at;
  assert_true(commute_never(&cache, &e[0], &e[1]));
  assert_false(commute_never(&cache, &e[0], &e[2]));
  assert_false(commute_never(&cache, &e[0], &e[3]));
  commute_free(&cache);
  scene_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stores),      cmocka_unit_test(test_state),
      cmocka_unit_test(test_conditional), cmocka_unit_test(test_mutex),
      cmocka_unit_test(test_never),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
