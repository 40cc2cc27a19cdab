/* For tests of the data-centric search: an execution, and which write each of
 * its reads observes. */
#ifndef TESTS_UNIT_READS_FROM_STEPS_H
#define TESTS_UNIT_READS_FROM_STEPS_H

#include "core_steps.h"

#include "explore/datacentric/linearize.h"

#define X 0x1000
#define Y 0x2000

struct fixture {
  struct trace t;
  struct rf_maker maker;
  struct reads_from run;
  struct linearizer linearizer;
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
  trace_init(&f.t, (struct order_rules){.races = true});
  rf_maker_init(&f.maker);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  linearizer_free(&f->linearizer);
  rf_free(&f->run);
  rf_maker_free(&f->maker);
  trace_free(&f->t);
  return 0;
}

static void make(struct fixture *f, unsigned processes) {
  struct system system = {&operations, processes};
  assert_true(rf_make(&f->maker, &f->run, &f->t, &system));
}

static void stores(struct trace *t, uint32_t proc, uint64_t addr,
                   uint32_t size) {
  push(t, proc, addr, size, ACCESS_WRITE | ACCESS_BLIND);
}

#endif
