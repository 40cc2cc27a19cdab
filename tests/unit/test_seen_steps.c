/* Steps that may come yet. */
#include "model_steps.h"

#include "explore/context/seen_steps.h"

static struct scene s;
static struct commute_cache cache;
static struct seen_steps seen;

static int setup(void **state) {
  (void)state;
  scene_begin(&s, "var x = 0, y = 0\np: x = 1\nq: y = 1\nr: a = x\n");
  commute_init(&cache, &s.x);
  seen_init(&seen, &cache, &s.x.trace);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  seen_free(&seen);
  commute_free(&cache);
  scene_end(&s);
  return 0;
}

static void step(uint32_t proc) {
  scene_step(&s, proc);
  seen_add(&seen);
  seen_check(&seen);
}

/* May a step seen since then, after `length` events, conflict with the event
 * at this position, taken as a step? */
static bool conflicts(uint64_t since, uint32_t length, uint32_t position) {
  struct option o = event_option(&s.x.trace, &s.x.trace.events.at[position]);
  return seen_conflicts(&seen, since, length, &o, false, 0);
}

/* r's read of x conflicts with p's store, q's store with nothing. */
static void test_conflicts(void **state) {
  (void)state;
  step(0);
  step(1);
  step(2);
  assert_true(conflicts(0, 0, 2));
  assert_false(conflicts(0, 0, 1));
  /* After the first event, p's store has come. */
  assert_false(conflicts(0, 1, 2));
}

/* A step that was seen only before `since` does not count, until it is seen
 * again. */
static void test_since(void **state) {
  (void)state;
  step(0);
  step(2);
  seen.now++;
  assert_false(conflicts(1, 0, 1));
  scene_undo(&s, 0);
  step(0);
  step(2);
  assert_true(conflicts(1, 0, 1));
  assert_int_equal(seen.steps.size, 2);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_conflicts), TEST(test_since)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
