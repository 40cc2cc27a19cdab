/* What reverses a race of two stores of which the later one is seen. */
#include "core_steps.h"

#include "explore/observers/observed_order.h"
#include "explore/observers/reversal_with_observers.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct observed_order o;
  struct reversal_with_observers r;
};

static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, (struct order_rules){.races = false});
  observed_order_init(&f.o);
  reversal_with_observers_init(&f.r, &f.o.order);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  reversal_with_observers_free(&f->r);
  observed_order_free(&f->o);
  trace_free(&f->t);
  return 0;
}

static void stores(struct trace *t, uint32_t proc, uint64_t addr) {
  push(t, proc, addr, 4, ACCESS_WRITE | ACCESS_BLIND);
}

static void assert_items(const struct fixture *f, const uint32_t *positions,
                         size_t count) {
  assert_int_equal(f->r.v.items.size, count);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(f->r.v.items.at[i].position, positions[i]);
}

/* e = p: x   e' = q: x   o = r reads x.  Reversed, r sees e: e', e, o. */
static void test_observer(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X);
  stores(&f->t, 1, X);
  reads(&f->t, 2, X);
  observed_order_find(&f->o, &f->t, 0, false);
  reversal_with_observers_of_race(&f->r, 0, 1);
  assert_true(reversal_with_observers_is_observed(&f->r));
  assert_items(f, (uint32_t[]){1, 0, 2}, 3);
  assert_int_equal(f->r.known, 3);
}

/* What the observer needs comes before it: p stores y after e, and r reads it
 * first. */
static void test_middle(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X); /* e */
  stores(&f->t, 1, X); /* e' */
  stores(&f->t, 0, Y);
  reads(&f->t, 2, Y);
  reads(&f->t, 2, X); /* o */
  observed_order_find(&f->o, &f->t, 0, false);
  reversal_with_observers_of_race(&f->r, 0, 1);
  assert_items(f, (uint32_t[]){1, 0, 2, 3, 4}, 5);
}

/* A store and a read are ordered in any case: e' alone. */
static void test_read(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X);
  reads(&f->t, 1, X);
  observed_order_find(&f->o, &f->t, 0, false);
  reversal_with_observers_of_race(&f->r, 0, 1);
  assert_false(reversal_with_observers_is_observed(&f->r));
  assert_items(f, (uint32_t[]){1}, 1);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_observer), TEST(test_middle),
                                     TEST(test_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
