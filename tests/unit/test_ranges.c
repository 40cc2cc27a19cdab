/* util/ranges: numbers as people list them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/ranges.h"

static void good(const char *text, uint64_t size) {
  struct ranges r;
  char again[RANGES_TEXT];
  assert_true(ranges_parse(&r, text));
  assert_int_equal(ranges_size(&r), size);
  ranges_print(&r, again);
  assert_string_equal(again, text);
}

static void lists(void **state) {
  (void)state;
  good("0", 1);
  good("-1", 1);
  good("0,1,5..9", 7);
  good("5..9,-3..-1,0", 9);
  good("-9223372036854775808,9223372036854775807", 2);
  good("0..9223372036854775807", UINT64_C(1) << 63);
  good("-9223372036854775808..9223372036854775807", UINT64_MAX);
  good("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", 16);
}

static void no_lists(void **state) {
  (void)state;
  static const char *const bad[] = {
      "",
      ",",
      "1,",
      ",1",
      "1..",
      "..1",
      "x",
      "1x",
      "2..1",
      "1,1",
      "1..3,2",
      "--1",
      "1 ,2",
      "1...3",
      "9223372036854775808",
      "+1",
      "-",
      "0x1",
      "1..2..3",
      "-9223372036854775809",
      "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
  };
  struct ranges r;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (ranges_parse(&r, bad[i]))
      fail_msg("\"%s\" is taken for a list", bad[i]);
}

static void positions(void **state) {
  (void)state;
  struct ranges r;
  static const int64_t all[] = {5, 6, 7, -2, -1, 100};
  assert_true(ranges_parse(&r, "5..7,-2..-1,100"));
  for (uint64_t i = 0; i < 6; i++)
    assert_int_equal(ranges_nth(&r, i), all[i]);
  ranges_clip(&r, -1, 6);
  assert_int_equal(ranges_size(&r), 3);
  assert_int_equal(ranges_nth(&r, 0), 5);
  assert_int_equal(ranges_nth(&r, 1), 6);
  assert_int_equal(ranges_nth(&r, 2), -1);
  ranges_clip(&r, 7, 9);
  assert_int_equal(ranges_size(&r), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists),
      cmocka_unit_test(no_lists),
      cmocka_unit_test(positions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
