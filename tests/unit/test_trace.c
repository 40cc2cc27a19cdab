/* Happens-before and races of executions written by hand. */
#include "core_steps.h"

#define X 0x1000
#define Y 0x2000
#define M 0x3000

static void trace_setup(struct trace *t) { trace_init(t, (struct order_rules){.races = true}); }

static bool before(const struct trace *t, uint32_t a, uint32_t b) {
  return happens_before(t, &t->events.at[a], &t->events.at[b]);
}

static void test_program_order(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  reads(&t, 0, X);
  reads(&t, 1, X);
  reads(&t, 0, Y);
  assert_true(before(&t, 0, 2));
  assert_false(before(&t, 0, 1));
  assert_false(before(&t, 1, 2));
  assert_int_equal(t.races.size, 0);
  trace_free(&t);
}

static void test_conflicts_are_ordered(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  writes(&t, 0, X); /* 0 */
  reads(&t, 1, X);  /* 1 */
  writes(&t, 1, Y); /* 2 */
  reads(&t, 2, Y);  /* 3 */
  reads(&t, 2, X);  /* 4: ordered after 0 by way of 1, 2, 3 */
  assert_true(before(&t, 0, 1));
  assert_true(before(&t, 0, 3));
  assert_true(has_race(&t, 0, 1));
  assert_true(has_race(&t, 2, 3));
  assert_false(has_race(&t, 0, 4));
  assert_int_equal(t.races.size, 2);
  trace_free(&t);
}

/* A write races with every read since the last write, not with that write. */
static void test_write_after_reads(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  writes(&t, 0, X);
  reads(&t, 1, X);
  reads(&t, 2, X);
  writes(&t, 3, X);
  assert_true(has_race(&t, 1, 3));
  assert_true(has_race(&t, 2, 3));
  assert_false(has_race(&t, 0, 3));
  trace_free(&t);
}

/* Bytes, not words: halves of a word do not conflict, overlaps do. */
static void test_overlap(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  push(&t, 0, X, 2, ACCESS_WRITE);
  push(&t, 1, X + 2, 2, ACCESS_WRITE);
  assert_int_equal(t.races.size, 0);
  push(&t, 2, X + 1, 2, 0); /* last byte of one, first of the other */
  assert_true(has_race(&t, 0, 2));
  assert_true(has_race(&t, 1, 2));
  push(&t, 3, X + 6, 4, ACCESS_WRITE); /* crosses into the next granule */
  push(&t, 4, X + 8, 1, 0);
  assert_true(has_race(&t, 3, 4));
  trace_free(&t);
}

/* A large range meets a small access anywhere in it. */
static void test_ranges(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  push(&t, 0, X, 1000, ACCESS_WRITE);
  push(&t, 1, X + 999, 1, 0);
  push(&t, 2, X + 1000, 1, 0);
  assert_int_equal(t.races.size, 1);
  assert_true(has_race(&t, 0, 1));
  trace_free(&t);
}

/* Two acquisitions race, a release and an acquisition do not. */
static void test_mutex(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  locks(&t, 0, M);
  unlocks(&t, 0, M);
  locks(&t, 1, M);
  unlocks(&t, 1, M);
  assert_true(before(&t, 1, 2));
  assert_int_equal(t.races.size, 1);
  assert_true(has_race(&t, 0, 2));
  trace_free(&t);
}

/* A blocked process races as if its operation came at the end. */
static void test_pending(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  locks(&t, 0, M);
  struct access a = {M, 4, ACCESS_WRITE | ACCESS_ATOMIC};
  struct step s = {.op = OP_LOCK,
                   .flags = STEP_BLOCKING,
                   .wants = OFFER_ONE,
                   .choices = 1,
                   .accesses = 1,
                   .access = &a};
  struct positions found = {0};
  trace_pending_races(&t, 1, &s, &found);
  assert_int_equal(found.list.size, 1);
  assert_int_equal(found.list.at[0], 0);
  trace_pending_races(&t, 0, &s, &found); /* its own lock: no race */
  assert_int_equal(found.list.size, 0);
  VEC_FREE(found.list);
  trace_free(&t);
}

/* What made an event possible is before it, and does not race with it. */
static void test_cause(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  writes(&t, 0, X);
  struct step create = {.op = OP_CREATE, .choices = 1};
  trace_push(&t, 0, &create);
  struct access a = {X, 4, 0};
  struct step first = {.op = OP_READ,
                       .choices = 1,
                       .cause = 2,
                       .accesses = 1,
                       .access = &a};
  trace_push(&t, 1, &first);
  assert_true(before(&t, 1, 2));
  assert_int_equal(t.races.size, 0);
  trace_free(&t);
}

/* A spinning reader races with a write only if another would wake it. */
static void test_await(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  reads(&t, 1, X); /* 0: sees nothing, spins */
  writes(&t, 0, X); /* 1: wakes it */
  struct access a = {X, 4, 0};
  struct step await = {.op = OP_READ,
                       .flags = STEP_AWAIT,
                       .round = 1,
                       .choices = 1,
                       .accesses = 1,
                       .access = &a};
  trace_push(&t, 1, &await);
  assert_true(has_race(&t, 0, 1));
  assert_false(has_race(&t, 1, 2));
  trace_truncate(&t, 2);
  writes(&t, 2, X); /* 2: a second one */
  trace_push(&t, 1, &await);
  assert_true(has_race(&t, 2, 3));
  trace_free(&t);
}

/* A round that looked twice: a write between the looks wakes it, too.  One from
 * before the round does not, nor one to bytes that it did not look at. */
static void test_await_round(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  struct access a = {X, 4, 0};
  struct step await = {.op = OP_READ,
                       .flags = STEP_AWAIT,
                       .round = 2,
                       .choices = 1,
                       .accesses = 1,
                       .access = &a};
  writes(&t, 2, X); /* 0 */
  reads(&t, 1, X);  /* 1 */
  writes(&t, 2, X); /* 2: wakes it */
  reads(&t, 1, X);  /* 3 */
  writes(&t, 0, X); /* 4: does so without */
  trace_push(&t, 1, &await);
  assert_true(has_race(&t, 4, 5));
  trace_truncate(&t, 4);
  await.round = 1; /* the second look alone: nothing is left to wake it */
  writes(&t, 0, X);
  trace_push(&t, 1, &await);
  assert_false(has_race(&t, 4, 5));
  trace_free(&t);
}

static void test_choices(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  struct step choose = {.op = OP_CHOOSE, .choice = 1, .choices = 3};
  trace_push(&t, 0, &choose);
  assert_int_equal(t.races.size, 2);
  assert_int_equal(t.races.at[0].kind, RACE_CHOICE);
  assert_int_equal(t.races.at[0].second, 0);
  assert_int_equal(t.races.at[1].second, 2);
  trace_free(&t);
}

/* Cutting off and going on again gives what a fresh trace gives. */
static void test_truncate(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  for (int round = 0; round < 3; round++) {
    writes(&t, 0, X);
    reads(&t, 1, X);
    writes(&t, 2, X);
    assert_int_equal(t.races.size, 2);
    trace_truncate(&t, 1);
    assert_int_equal(t.races.size, 0);
    writes(&t, 2, X);
    reads(&t, 1, X);
    assert_true(has_race(&t, 0, 1));
    assert_true(has_race(&t, 1, 2));
    assert_int_equal(t.races.size, 2);
    trace_truncate(&t, 0);
  }
  trace_free(&t);
}

/* Private steps share one clock: no vector each. */
static void test_private_steps_are_cheap(void **state) {
  (void)state;
  struct trace t;
  trace_setup(&t);
  writes(&t, 0, X);
  reads(&t, 1, X);
  size_t clocks = t.clocks.words.size;
  for (int i = 0; i < 1000; i++)
    writes(&t, 1, Y);
  assert_int_equal(t.clocks.words.size, clocks);
  trace_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_program_order),
      cmocka_unit_test(test_conflicts_are_ordered),
      cmocka_unit_test(test_write_after_reads),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_mutex),
      cmocka_unit_test(test_pending),
      cmocka_unit_test(test_cause),
      cmocka_unit_test(test_await),
      cmocka_unit_test(test_await_round),
      cmocka_unit_test(test_choices),
      cmocka_unit_test(test_truncate),
      cmocka_unit_test(test_private_steps_are_cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
