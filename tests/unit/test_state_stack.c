/* explore/stateful/state_stack: the newest state with a digest is found, and
 * after shortening the one before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/stateful/state_stack.h"

static struct digest128 digest(uint64_t n) {
  return (struct digest128){{n % 3, n}}; /* most share a chain */
}

static void last_in_first_out(void **unused) {
  (void)unused;
  struct state_stack s = {0};
  for (uint64_t n = 0; n < 1000; n++) {
    assert_int_equal(state_stack_find(&s, digest(n)), NOWHERE);
    state_stack_push(&s, digest(n));
    assert_int_equal(state_stack_find(&s, digest(n / 2)), n / 2);
  }
  state_stack_truncate(&s, 500);
  for (uint64_t n = 0; n < 1000; n++)
    assert_int_equal(state_stack_find(&s, digest(n)), n < 500 ? n : NOWHERE);
  state_stack_push(&s, digest(7));
  assert_int_equal(state_stack_find(&s, digest(7)), 500);
  state_stack_truncate(&s, 500);
  assert_int_equal(state_stack_find(&s, digest(7)), 7);
  state_stack_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(last_in_first_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
