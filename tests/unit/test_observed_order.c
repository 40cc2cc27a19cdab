/* Happens-before in which two blind writes are ordered only if the later one is
 * seen. */
#include "core_steps.h"

#include "explore/observers/observed_order.h"

#define X 0x1000

struct fixture {
  struct trace t;
  struct observed_order o;
};

static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = false});
  observed_order_init(&f.o);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  observed_order_free(&f->o);
  trace_free(&f->t);
  return 0;
}

static void stores(struct trace *t, uint32_t proc) {
  push(t, proc, X, 4, ACCESS_WRITE | ACCESS_BLIND);
}

static void find(struct fixture *f, size_t same, bool cut) {
  observed_order_find(&f->o, &f->t, same, cut);
  observed_order_check(&f->o, &f->t);
}

static bool ordered(const struct fixture *f, uint32_t i, uint32_t j) {
  const struct event *e = f->o.order.events.at;
  return happens_before(&f->o.order, &e[i], &e[j]);
}

/* No event reads x: two stores are unordered.  If the execution was cut, an
 * event may read it yet. */
static void test_unseen(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0);
  stores(&f->t, 1);
  find(f, 0, false);
  assert_false(ordered(f, 0, 1));
  find(f, 2, true);
  assert_true(ordered(f, 0, 1));
}

/* A reader sees the second store, so the stores are ordered. */
static void test_seen(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0);
  stores(&f->t, 1);
  reads(&f->t, 2, X);
  find(f, 0, false);
  assert_true(ordered(f, 0, 1));
  assert_true(ordered(f, 1, 2));
}

/* A third store hides the second from the reader: the first two are
 * unordered, the third comes after both. */
static void test_hidden(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0);
  stores(&f->t, 1);
  stores(&f->t, 2);
  reads(&f->t, 3, X);
  find(f, 0, false);
  assert_false(ordered(f, 0, 1));
  assert_true(ordered(f, 0, 2));
  assert_true(ordered(f, 1, 2));
}

/* A write of some of the bytes is no rival: it sees what is left. */
static void test_part(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0);
  push(&f->t, 1, X, 2, ACCESS_WRITE | ACCESS_BLIND);
  find(f, 0, false);
  assert_true(ordered(f, 0, 1));
}

/* The order is that of the execution at hand, whatever was entered before. */
static void test_again(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0);
  stores(&f->t, 1);
  reads(&f->t, 2, X);
  find(f, 0, false);
  trace_truncate(&f->t, 2);
  stores(&f->t, 2);
  find(f, 2, false);
  assert_false(ordered(f, 0, 1));
  assert_false(ordered(f, 1, 2));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_unseen), TEST(test_seen),  TEST(test_hidden),
      TEST(test_part),   TEST(test_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
