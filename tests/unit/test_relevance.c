/* Which steps a short schedule shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/links.h"
#include "report/relevance.h"

enum { X = 0x1000, Y = 0x2000, M = 0x3000 };

/* A step that touches 4 bytes at the address, if that is not 0. */
static void step(struct result_finding *f, uint32_t proc, uint16_t op,
                 uint64_t address) {
  bool write = op_table[op].access != OPACCESS_READS;
  struct result_step made = {.proc = proc, .op = op, .first = f->accesses.size};
  if (address) {
    VEC_PUSH(f->accesses,
             ((struct access){address, 4, write ? ACCESS_WRITE : 0}));
    made.accesses = 1;
  }
  result_add_step(f, made);
}

static void create(struct result_finding *f, uint32_t thread) {
  step(f, 0, OP_CREATE, 0);
  VEC_TOP(f->steps).target = thread;
}

/* The shown steps as a string: "..x" is the third of three. */
static void expect_shown(const struct result_finding *f, const char *shown) {
  assert_int_equal(strlen(shown), f->steps.size);
  for (size_t i = 0; i < f->steps.size; i++)
    assert_int_equal(f->steps.at[i].shown, shown[i] == 'x');
}

/* T1 reads x, T2 writes it, T1 writes it on top of that. */
static void lost_update(void **state) {
  (void)state;
  struct result_finding f = {.kind = FINDING_ASSERTION};
  step(&f, 0, OP_WRITE, X);
  create(&f, 1);
  create(&f, 2);
  step(&f, 1, OP_READ, X);
  step(&f, 1, OP_READ, Y); /* constant */
  step(&f, 2, OP_READ, X);
  step(&f, 2, OP_WRITE, X);
  step(&f, 1, OP_WRITE, X);
  step(&f, 0, OP_READ, X);
  link_steps(&f);
  relevance_find(&f);
  expect_shown(&f, "...x..xxx");
  assert_int_equal(f.steps.at[6].overwrites, 1 + 3);
  assert_int_equal(f.steps.at[8].reads_from, 1 + 7);
  result_finding_free(&f);
}

/* What was there when a thread began connects it with no other; what it reads
 * again neither. */
static void reads_from(void **state) {
  (void)state;
  struct result_finding f = {.kind = FINDING_ASSERTION, .proc = 2};
  step(&f, 0, OP_WRITE, X);
  create(&f, 1);
  step(&f, 0, OP_WRITE, Y);
  create(&f, 2);
  step(&f, 1, OP_READ, Y); /* written after T1 began */
  step(&f, 1, OP_READ, Y);
  step(&f, 1, OP_READ, X);
  step(&f, 2, OP_READ, Y);
  step(&f, 2, OP_READ, X);
  link_steps(&f);
  relevance_find(&f);
  expect_shown(&f, "..x.x...x");
  assert_int_equal(f.steps.at[4].reads_from, 1 + 2);
  assert_int_equal(f.steps.at[7].reads_from, 0);
  result_finding_free(&f);
}

/* A lock is shown if another thread runs while it is held. */
static void locks(void **state) {
  (void)state;
  struct result_finding f = {.kind = FINDING_DEADLOCK};
  create(&f, 1);
  step(&f, 0, OP_LOCK, M);
  step(&f, 0, OP_UNLOCK, M);
  step(&f, 0, OP_LOCK, M);
  step(&f, 1, OP_LOCK, X);
  link_steps(&f);
  relevance_find(&f);
  expect_shown(&f, "...xx");
  result_finding_free(&f);
}

/* Memory that was freed; a wait that leaves the mutex; a step that is
 * critical. */
static void ends_and_signals(void **state) {
  (void)state;
  struct result_finding f = {.kind = FINDING_MEMORY, .proc = 1, .critical = 3};
  create(&f, 1);
  step(&f, 1, OP_WAIT, M);
  step(&f, 0, OP_READ, Y);
  step(&f, 0, OP_FREE, X);
  step(&f, 1, OP_WRITE, X);
  link_steps(&f);
  relevance_find(&f);
  expect_shown(&f, ".xxxx");
  assert_int_equal(f.steps.at[4].reads_from, 1 + 3);
  result_finding_free(&f);
}

/* Rounds of a loop are counted, not shown. */
static void rounds(void **state) {
  (void)state;
  struct result_finding f = {.kind = FINDING_ASSERTION};
  create(&f, 1);
  for (int i = 0; i < 3; i++) {
    step(&f, 1, OP_LOAD, X);
    VEC_TOP(f.steps).variable = "x";
    VEC_TOP(f.steps).value = "0";
    if (i == 0)
      step(&f, 0, OP_JOIN, 0);
  }
  link_steps(&f);
  relevance_find(&f);
  expect_shown(&f, ".xx.x");
  assert_int_equal(f.steps.at[1].repeats, 1);
  result_finding_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lost_update), cmocka_unit_test(reads_from),
      cmocka_unit_test(locks),       cmocka_unit_test(ends_and_signals),
      cmocka_unit_test(rounds),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
