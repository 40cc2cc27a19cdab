/* Which earlier step a step of a schedule follows from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/links.h"

static struct result_finding schedule;

static void begin(void) {
  result_finding_free(&schedule);
  schedule = (struct result_finding){0};
}

static struct result_step *add(uint32_t proc, enum op op, uint64_t address,
                               uint64_t size) {
  result_add_step(&schedule, (struct result_step){.proc = proc,
                                                  .op = (uint16_t)op,
                                                  .address = address,
                                                  .size = size});
  return &VEC_TOP(schedule.steps);
}

/* The footprints follow from the operations. */
static void link_all(void) {
  for (size_t i = 0; i < schedule.steps.size; i++) {
    struct result_step *s = &schedule.steps.at[i];
    bool writes = op_table[s->op].access != OPACCESS_READS && !s->failed;
    s->first = schedule.accesses.size;
    s->accesses = s->address != 0;
    if (s->address)
      VEC_PUSH(schedule.accesses,
               ((struct access){.addr = s->address,
                                .size = (uint32_t)s->size,
                                .mode = writes ? ACCESS_WRITE : 0}));
  }
  link_steps(&schedule);
}

/* 0: it follows from none. */
static void expect(size_t step, size_t from, enum step_link link) {
  const struct result_step *s = &schedule.steps.at[step - 1];
  assert_int_equal(s->follows, from);
  if (from)
    assert_int_equal(s->link, link);
}

static void reads_follow_writes(void **state) {
  (void)state;
  begin();
  add(0, OP_WRITE, 0x1000, 4);
  add(0, OP_WRITE, 0x1004, 4); /* the other half of 8 aligned bytes */
  add(1, OP_READ, 0x1000, 4);
  add(1, OP_READ, 0x1004, 4);
  add(1, OP_READ, 0x1000, 8); /* both: the later one */
  add(1, OP_READ, 0x1008, 4);
  add(1, OP_WRITE, 0x1000, 4);
  add(0, OP_RMW, 0x1000, 4);
  link_all();
  expect(1, 0, 0);
  expect(3, 1, LINK_DATA);
  expect(4, 2, LINK_DATA);
  expect(5, 2, LINK_DATA);
  expect(6, 0, 0);
  expect(7, 0, 0); /* a store does not look */
  expect(8, 7, LINK_DATA);
}

/* A swap that fails writes nothing. */
static void failed_steps(void **state) {
  (void)state;
  begin();
  add(0, OP_STORE, 0x1000, 4);
  add(1, OP_CAS, 0x1000, 4)->failed = true;
  add(0, OP_LOAD, 0x1000, 4);
  link_all();
  expect(2, 1, LINK_DATA);
  expect(3, 1, LINK_DATA);
}

static void locks_follow_unlocks(void **state) {
  (void)state;
  begin();
  add(0, OP_LOCK, 0x2000, 40);
  add(0, OP_UNLOCK, 0x2000, 40);
  add(1, OP_LOCK, 0x2000, 40);
  add(1, OP_LOCK, 0x3000, 40);
  add(0, OP_TRYLOCK, 0x2000, 40)->failed = true;
  link_all();
  expect(1, 0, 0);
  expect(3, 2, LINK_LOCK);
  expect(4, 0, 0);
  expect(5, 0, 0);
}

static void threads_follow_their_creation(void **state) {
  (void)state;
  begin();
  add(0, OP_START, 0, 0);
  add(0, OP_CREATE, 0, 0)->target = 1;
  add(1, OP_WRITE, 0x1000, 4);
  add(1, OP_WRITE, 0x1000, 4);
  add(0, OP_JOIN, 0, 0)->target = 1;
  link_all();
  expect(3, 2, LINK_THREAD);
  expect(4, 0, 0);
  expect(5, 4, LINK_THREAD);
}

/* Of a large access the first bytes count, and nothing takes long. */
static void large_accesses(void **state) {
  (void)state;
  begin();
  add(0, OP_SET, 0x10000, (uint64_t)1 << 31);
  add(1, OP_READ, 0x10010, 8);
  add(1, OP_READ, UINT64_MAX - 2, 8);
  link_all();
  expect(2, 1, LINK_DATA);
  expect(3, 0, 0);
  begin();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_follow_writes),
      cmocka_unit_test(failed_steps),
      cmocka_unit_test(locks_follow_unlocks),
      cmocka_unit_test(threads_follow_their_creation),
      cmocka_unit_test(large_accesses),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
