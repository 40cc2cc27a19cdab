/* Sleep sets: what wakes a sleeper, and what going back forgets. */
#include "core_steps.h"

#include "explore/dpor/sleep.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct sleep s;
  struct sleep_node root;
  struct sleep_node child;
};

static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = true});
  sleep_root(&f.s, &f.root);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  sleep_free(&f->s);
  trace_free(&f->t);
  return 0;
}

/* The branch of the root that began with the newest event is done. */
static void put_to_sleep(struct fixture *f) {
  sleep_return(&f->s, &f->root);
  sleep_add(&f->s, &f->root, &f->t, &f->t.events.at[0]);
  trace_truncate(&f->t, 0);
}

static bool sleeps_below(struct fixture *f, uint32_t proc) {
  sleep_child(&f->s, &f->root, &f->t, &f->child);
  sleep_check(&f->s, &f->child, &f->t, 1, true);
  return sleep_contains(&f->s, &f->child, proc);
}

/* p: x sleeps.  q's write of y leaves it asleep, q's read of x wakes it. */
static void test_wakes(void **state) {
  struct fixture *f = *state;
  assert_false(sleep_contains(&f->s, &f->root, 0));
  writes(&f->t, 0, X);
  put_to_sleep(f);
  assert_true(sleep_contains(&f->s, &f->root, 0));
  writes(&f->t, 1, Y);
  assert_true(sleeps_below(f, 0));
  trace_truncate(&f->t, 0);
  sleep_return(&f->s, &f->root);
  reads(&f->t, 1, X);
  assert_false(sleeps_below(f, 0));
}

/* A sleeper with two accesses is woken by what touches the second. */
static void test_second_access(void **state) {
  struct fixture *f = *state;
  struct access a[] = {{X, 4, ACCESS_WRITE}, {Y, 4, ACCESS_WRITE}};
  struct step two = {.op = OP_BLOCK,
                     .flags = STEP_BLOCK,
                     .choices = 1,
                     .accesses = 2,
                     .access = a};
  trace_push(&f->t, 0, &two);
  put_to_sleep(f);
  reads(&f->t, 1, Y);
  assert_false(sleeps_below(f, 0));
}

/* Of three alternatives those that are done sleep, one by one. */
static void test_alternatives(void **state) {
  struct fixture *f = *state;
  for (uint16_t done = 0; done < 3; done++) {
    uint32_t choice;
    assert_true(sleep_alternative(&f->s, &f->root, 0, &choice));
    assert_int_equal(choice, done);
    struct step chooses = {.op = OP_CHOOSE, .choice = done, .choices = 3};
    trace_push(&f->t, 0, &chooses);
    put_to_sleep(f);
    assert_true(sleep_has(&f->s, &f->root, 0, done));
  }
  uint32_t choice;
  assert_false(sleep_alternative(&f->s, &f->root, 0, &choice));
}

/* Back at the root, what slept only below is gone. */
static void test_return(void **state) {
  struct fixture *f = *state;
  writes(&f->t, 0, X);
  put_to_sleep(f);
  writes(&f->t, 1, Y);
  sleep_child(&f->s, &f->root, &f->t, &f->child);
  writes(&f->t, 2, Y);
  sleep_add(&f->s, &f->child, &f->t, &f->t.events.at[1]);
  assert_true(sleep_contains(&f->s, &f->child, 2));
  sleep_return(&f->s, &f->root);
  assert_int_equal(f->s.sleepers.size, 1);
  assert_false(sleep_contains(&f->s, &f->root, 2));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_wakes),
      TEST(test_second_access),
      TEST(test_alternatives),
      TEST(test_return),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
