/* The list of operations: rows that contradict themselves, and the questions in
 * core/op.h.  Expected answers are the C11 and POSIX meaning of the operation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/op.h"

static bool is_one_bit(unsigned bits) { return bits && !(bits & (bits - 1)); }

/* %v or %t, at the end, at most once. */
static bool ends_with_hole(const char *words) {
  const char *hole = strchr(words, '%');
  return !hole || !strcmp(hole, "%v") || !strcmp(hole, "%t");
}

static void test_rows(void **state) {
  (void)state;
  for (enum op op = 0; op < OPS; op++) {
    const struct op_row *row = &op_table[op];
    assert_true(is_one_bit(row->class));
    assert_true(row->name[0]);
    assert_true(op == OP_NONE || row->words[0]);
    assert_true(!row->waits || ends_with_hole(row->waits));
    if (row->order != OPORDER_NEITHER) /* the others bring their own order */
      assert_int_equal(row->class, OPCLASS_OBJECT);
    if (row->offers)
      assert_int_equal(row->class, OPCLASS_OBJECT);
    for (enum op other = 0; other < op; other++)
      assert_string_not_equal(row->name, op_name(other));
  }
}

static void test_stores(void **state) {
  (void)state;
  for (enum op op = 0; op < OPS; op++)
    assert_int_equal(op_stores(op), op == OP_WRITE || op == OP_STORE);
  for (enum op op = 0; op < OPS; op++)
    assert_int_equal(op_is_rmw(op), op == OP_RMW || op == OP_CAS);
}

/* POSIX: a trylock returns; a mutex is acquired by lock, released by unlock and
 * by a wait on a condition. */
static void test_mutex(void **state) {
  (void)state;
  assert_true(op_may_wait(OP_LOCK));
  assert_false(op_may_wait(OP_TRYLOCK));
  assert_false(op_may_wait(OP_UNLOCK));
  assert_int_equal(op_table[OP_LOCK].order, OPORDER_ACQUIRES);
  assert_int_equal(op_table[OP_TRYLOCK].order, OPORDER_ACQUIRES);
  assert_int_equal(op_table[OP_UNLOCK].order, OPORDER_RELEASES);
  assert_int_equal(op_table[OP_WAIT].order, OPORDER_RELEASES);
  assert_int_equal(op_table[OP_ARRIVE].order, OPORDER_BOTH);
}

/* A store leaves nothing of what was there; an update may. */
static void test_looks(void **state) {
  (void)state;
  assert_false(op_reads_written(OP_WRITE));
  assert_false(op_reads_written(OP_BLOCK));
  assert_true(op_reads_written(OP_RMW));
  assert_true(op_reads_written(OP_LOCK));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_mutex),
      cmocka_unit_test(test_looks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
