/* What the second event of a race touches when it comes first. */
#include "model_steps.h"

#include "explore/dpor/reordered_footprint.h"

#define X 0x1000

static void compares(struct trace *t, uint32_t proc) {
  struct access a = {X, 8, ACCESS_ATOMIC};
  struct step s = {.op = OP_CAS,
                   .flags = STEP_CONDITIONAL,
                   .choices = 1,
                   .accesses = 1,
                   .access = &a};
  trace_push(t, proc, &s);
}

/* Whether a compare-and-swap of 8 bytes writes is known without running it if
 * the first event wrote all of them, or none; not if it wrote 4. */
static void test_must_run(void **state) {
  (void)state;
  struct trace t;
  trace_init(&t, (struct order_rules){.races = true});
  push(&t, 0, X, 8, ACCESS_WRITE);
  push(&t, 1, X, 4, ACCESS_WRITE);
  push(&t, 2, X, 8, 0);
  compares(&t, 3);
  assert_false(reordered_must_run(&t, 0, 3));
  assert_true(reordered_must_run(&t, 1, 3));
  assert_false(reordered_must_run(&t, 2, 3));
  struct access a = {X, 8, 0};
  struct step block = {.op = OP_BLOCK,
                       .flags = STEP_BLOCK,
                       .choices = 1,
                       .accesses = 1,
                       .access = &a};
  trace_push(&t, 4, &block);
  assert_true(reordered_must_run(&t, 0, 4));
  trace_free(&t);
}

/* x is 0.  p writes 1, then q's cas(x, 1, 0) succeeds and writes.  Before p it
 * fails, and only reads. */
static void test_conditional(void **state) {
  (void)state;
  struct scene s;
  struct reversal v = {0};
  struct reordered_footprint footprint = {0};
  scene_begin(&s, "var x = 0\np: x = 1\nq: cas(x, 1, 0)\n");
  scene_step(&s, 0);
  scene_step(&s, 1);
  assert_true(event_access(&s.x.trace, &s.x.trace.events.at[1])->mode &
              ACCESS_WRITE);
  reversal_of_race(&v, &s.x.trace, 0, 1);
  reordered_conditional(&s.x, &v, 0, 1, &footprint);
  assert_false(v.last.access->mode & ACCESS_WRITE);
  VEC_FREE(footprint.list);
  reversal_free(&v);
  scene_end(&s);
}

/* The block reads x only if it finds 1 in y.  After p it does; before p it
 * touches y alone. */
static void test_run(void **state) {
  (void)state;
  struct scene s;
  struct reversal v = {0};
  struct reordered_footprint footprint = {0};
  scene_begin(&s, "var y = 0, x = 0\np: y = 1\n"
                  "r: atomic { a = y; if (a) { b = x } }\n");
  scene_step(&s, 0);
  scene_step(&s, 1);
  assert_int_equal(s.x.trace.events.at[1].accesses, 2);
  reversal_of_race(&v, &s.x.trace, 0, 1);
  explorer_undo(&s.x, 0);
  reordered_run(&s.x, &v, &footprint);
  assert_int_equal(v.last.accesses, 1);
  assert_int_equal(v.last_order, LAST_BY_FOOTPRINT);
  VEC_FREE(footprint.list);
  reversal_free(&v);
  scene_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_must_run),
      cmocka_unit_test(test_conditional),
      cmocka_unit_test(test_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
