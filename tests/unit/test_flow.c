/* Who observes whom, and whether that can be otherwise. */
#include "core_steps.h"

#include "core/cone.h"
#include "core/realize.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct flow_maker maker;
  struct flow flow;
  struct realizer realizer;
};

static bool nobody(struct system *system, unsigned p) {
  (void)system;
  (void)p;
  return false;
}

static bool nothing(struct system *system, unsigned p, struct step *out) {
  (void)system;
  (void)p;
  (void)out;
  return false;
}

static const struct system_ops operations = {.enabled = nobody,
                                             .pending = nothing};

static int setup(void **state) {
  static struct fixture f;
  memset(&f, 0, sizeof f);
  trace_init(&f.t, true);
  flow_maker_init(&f.maker);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  realizer_free(&f->realizer);
  flow_free(&f->flow);
  flow_maker_free(&f->maker);
  trace_free(&f->t);
  return 0;
}

static void make(struct fixture *f, unsigned processes) {
  struct system system = {&operations, processes};
  assert_true(flow_make(&f->maker, &f->flow, &f->t, &system));
}

static void stores(struct trace *t, uint32_t proc, uint64_t addr,
                   uint32_t size) {
  push(t, proc, addr, size, ACCESS_WRITE | ACCESS_BLIND);
}

/* The event that wrote what the k-th item of a deed observes, or NOWHERE. */
static uint32_t observed(const struct fixture *f, uint32_t deed, uint32_t k) {
  uint32_t from =
      f->flow.items.at[f->flow.deeds.at[deed].first_item + k].from;
  return from ? f->flow.items.at[from - 1].event : NOWHERE;
}

/* Two halves, of which one is overwritten. */
static void test_halves(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 8);
  stores(&f->t, 1, X, 4);
  push(&f->t, 2, X, 8, 0);
  make(f, 3);
  assert_int_equal(f->flow.deeds.at[2].items, 2);
  assert_int_equal(observed(f, 2, 0), 1);
  assert_int_equal(observed(f, 2, 1), 0);
}

/* What is observed has the same number, however the bytes are cut. */
static void test_same_pair(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 8);
  push(&f->t, 1, X, 8, 0);
  make(f, 3);
  uint32_t pair = f->flow.deeds.at[1].pair;
  push(&f->t, 2, X + 2, 1, 0);
  make(f, 3);
  assert_int_equal(f->flow.deeds.at[1].items, 3);
  assert_int_equal(f->flow.deeds.at[1].pair, pair);
}

/* May the deed, the last one wanted of its process, observe this item? */
static bool may_observe(struct fixture *f, uint32_t deed, uint32_t from,
                        const uint32_t *wanted) {
  struct item item = f->flow.items.at[f->flow.deeds.at[deed].first_item];
  item.from = from;
  struct change change = {deed, &item, 1};
  struct start start = {f->flow.cones.at, NULL};
  return realize_begin(&f->realizer, &f->flow, start, wanted, &change) &&
         realize_end(&f->realizer, false);
}

/* p: x = 1; x = 2   q: a = x */
static void test_realize(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  stores(&f->t, 0, X, 4);
  reads(&f->t, 1, X);
  make(f, 2);
  assert_true(may_observe(f, 2, 1, (uint32_t[]){2, 1}));
  assert_int_equal(f->realizer.schedule.at[1], 2);
  assert_true(may_observe(f, 2, 0, (uint32_t[]){2, 1}));
  assert_int_equal(f->realizer.schedule.at[0], 2);
}

/* p: x = 1; y = 1   q: a = y; b = x.  Who has seen y has to see x. */
static void test_message(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  stores(&f->t, 0, Y, 4);
  reads(&f->t, 1, Y);
  reads(&f->t, 1, X);
  make(f, 2);
  assert_false(may_observe(f, 3, 0, (uint32_t[]){2, 2}));
}

/* p: x = 1   q: x = 2   r: a = x; b = x.  If a is p's and b is q's, a comes
 * before q: nobody said so, saturation does. */
static void test_saturation(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  reads(&f->t, 2, X);
  stores(&f->t, 1, X, 4);
  reads(&f->t, 2, X);
  make(f, 3);
  assert_true(may_observe(f, 3, 1, (uint32_t[]){1, 1, 2}));
  assert_false(may_observe(f, 3, 0, (uint32_t[]){1, 1, 2}));
}

/* A read before a write is not what the write follows from. */
static void test_cone(void **state) {
  struct fixture *f = *state;
  reads(&f->t, 0, X);
  stores(&f->t, 1, X, 4);
  assert_false(cone_has(&f->t, (uint32_t[]){0}, 1));
  reads(&f->t, 2, X);
  assert_true(cone_has(&f->t, (uint32_t[]){1}, 1));
  assert_false(cone_has(&f->t, (uint32_t[]){0}, 1));
}

/* What a flow has in common with the one before is not made anew, but is as if
 * it were. */
static void test_again(void **state) {
  struct fixture *f = *state;
  stores(&f->t, 0, X, 4);
  reads(&f->t, 1, X);
  stores(&f->t, 1, X, 4);
  reads(&f->t, 0, X);
  make(f, 2);
  assert_int_equal(observed(f, 3, 0), 2);
  trace_truncate(&f->t, 2);
  reads(&f->t, 0, X);
  stores(&f->t, 1, X, 4);
  make(f, 2);
  assert_int_equal(observed(f, 1, 0), 0);
  assert_int_equal(observed(f, 2, 0), 0);
  assert_int_equal(f->flow.items.size, 4);
  assert_int_equal(f->flow.items.at[1].next, 3);
  assert_int_equal(f->flow.items.at[2].next, 4);
  assert_int_equal(f->flow.writes.size, 2);
  assert_int_equal(f->flow.writes.at[1].deed, 3);
  assert_int_equal(flow_deed(&f->flow, 0, 2), 2);
  assert_int_equal(flow_cone(&f->flow, 2)[1], 0);
  trace_truncate(&f->t, 1); /* and a place that cuts an atom */
  push(&f->t, 1, X + 2, 2, 0);
  make(f, 2);
  assert_int_equal(f->flow.items.size, 3);
  assert_int_equal(observed(f, 1, 0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_halves, setup, teardown),
      cmocka_unit_test_setup_teardown(test_same_pair, setup, teardown),
      cmocka_unit_test_setup_teardown(test_realize, setup, teardown),
      cmocka_unit_test_setup_teardown(test_message, setup, teardown),
      cmocka_unit_test_setup_teardown(test_saturation, setup, teardown),
      cmocka_unit_test_setup_teardown(test_cone, setup, teardown),
      cmocka_unit_test_setup_teardown(test_again, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
