/* util/text: strings that grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/text.h"
#include "util/vec.h"

static void pieces(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, "", 0);
  assert_int_equal(t.size, 0);
  text_add(&t, "a\0b", 3);
  text_print(&t, "%s-%d", "", 7);
  VEC_PUSH(t, 'c');
  assert_int_equal(t.size, 6);
  assert_memory_equal(t.at, "a\0b-7c", 6);
  VEC_FREE(t);
}

/* Whatever room is left: none, too little, just enough. */
static void every_length(void **state) {
  (void)state;
  for (int length = 0; length < 100; length++) {
    struct text t = {0};
    for (int i = 0; i < 20; i++)
      text_print(&t, "%*d", length, 1);
    size_t one = length ? (size_t)length : 1;
    assert_int_equal(t.size, 20 * one);
    for (size_t i = 0; i < t.size; i++)
      assert_int_equal(t.at[i], (i + 1) % one ? ' ' : '1');
    VEC_FREE(t);
  }
}

static void strings(void **state) {
  (void)state;
  struct text t = {0};
  assert_string_equal(text_string(&t), "");
  for (int i = 0; i < 1000; i++) {
    text_add(&t, "x", 1);
    assert_int_equal(strlen(text_string(&t)), i + 1);
  }
  char *taken = text_take(&t);
  assert_int_equal(strlen(taken), 1000);
  assert_int_equal(t.size, 0);
  assert_null(t.at);
  free(taken);
  char *made = text_format("%d %s", 12, "monkeys");
  assert_string_equal(made, "12 monkeys");
  free(made);
}

static void ends(void **state) {
  (void)state;
  assert_true(starts_with("--json", "--"));
  assert_true(starts_with("", ""));
  assert_false(starts_with("-", "--"));
  assert_true(ends_with("a.model", ".model"));
  assert_true(ends_with(".c", ".c"));
  assert_false(ends_with("c", ".c"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces),
      cmocka_unit_test(every_length),
      cmocka_unit_test(strings),
      cmocka_unit_test(ends),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
