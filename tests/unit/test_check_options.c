/* The command line of heddle check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/check_options.h"
#include "supervise/settings.h"

#define PARSE(o, ...) parse(o, (char *[]){"check", __VA_ARGS__, 0})

static bool parse(struct check_options *o, char **argv) {
  return check_options_parse(o, argv);
}

static void defaults(void **state) {
  (void)state;
  struct check_options o;
  assert_true(PARSE(&o, "a.c"));
  assert_int_equal(o.explore.races, RACES_WARN);
  assert_int_equal(o.explore.rollback, ROLLBACK_UNDO);
  assert_int_equal(o.explore.max_steps, 1000000);
  assert_true(o.explore.time_limit == UINT64_MAX);
  assert_false(o.explore.keep_going);
  assert_string_equal(o.algorithm, "optimal");
  assert_null(o.json);
  assert_null(o.arguments[0]);
  check_options_free(&o);
}

static void both_spellings(void **state) {
  (void)state;
  struct check_options o;
  assert_true(PARSE(&o, "--max-steps", "7", "a.c", "--races=error",
                    "--time-limit=18446744073709551615", "--algo", "naive",
                    "--keep-going", "--json", "-", "--seed=0"));
  assert_int_equal(o.explore.max_steps, 7);
  assert_int_equal(o.explore.races, RACES_ERROR);
  assert_true(o.explore.time_limit == UINT64_MAX);
  assert_true(o.explore.keep_going);
  assert_string_equal(o.algorithm, "naive");
  assert_string_equal(o.json, "-");
  assert_int_equal(o.files.size, 1);
  check_options_free(&o);
}

static void compiler_words(void **state) {
  (void)state;
  struct check_options o;
  assert_true(PARSE(&o, "-D", "N=2", "a.c", "-I.", "-include", "b.h", "c.c",
                    "-lm", "--", "-x", "--quiet"));
  assert_int_equal(o.build.size, 8);
  assert_int_equal(o.files.size, 2);
  assert_string_equal(o.files.at[0], "a.c");
  assert_string_equal(o.files.at[1], "c.c");
  assert_string_equal(o.build.at[7], "-lm");
  assert_string_equal(o.arguments[0], "-x");
  assert_string_equal(o.arguments[1], "--quiet");
  assert_false(o.quiet);
  check_options_free(&o);
}

static void bad_words(void **state) {
  (void)state;
  static char *const bad[] = {
      "--max-steps=0",
      "--max-steps=-1",
      "--max-steps=+1",
      "--max-steps= 1",
      "--max-steps=1x",
      "--max-steps=",
      "--max-steps",
      "--max-steps=18446744073709551616",
      "--skip=0",
      "--skip=-1",
      "--skip=four",
      "--races=",
      "--races=of",
      "--races=off|warn",
      "--keep-going=1",
      "--quiet=1",
      "--algo=",
      "--algo=unfold=2",
      "--algo=quasi",
      "--algo=quasi=0",
      "--algo=quasi=02",
      "--algo=quasi=2x",
      "--algo=quasi=99999999999",
      "--algo=optimal=2",
      "--json=",
      "--nonsense",
      "--allow-external=a b",
      "-o",
      "-oa",
      "-c",
      "-E",
      "-",
      "-include",
      "--keep-goin",
      "-MM",
      "--a-very-long-option-that-is-longer-than-any-option-ever-could-be-here",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct check_options o;
    char *argv[] = {"check", "a.c", bad[i], 0};
    if (check_options_parse(&o, argv))
      fail_msg("accepted: %s", bad[i]);
    check_options_free(&o);
  }
}

static void no_file(void **state) {
  (void)state;
  struct check_options o;
  char *nothing[] = {"check", 0};
  assert_false(check_options_parse(&o, nothing));
  check_options_free(&o);
  assert_false(PARSE(&o, "--", "a.c"));
  check_options_free(&o);
}

static void help_needs_no_file(void **state) {
  (void)state;
  struct check_options o;
  assert_true(PARSE(&o, "--help"));
  assert_true(o.help);
  check_options_free(&o);
}

/* Names of functions follow each other, with an empty one at the end. */
static void externals(void **state) {
  (void)state;
  struct check_options o;
  assert_true(PARSE(&o, "a.c", "--allow-external=f", "--allow-external", "gh"));
  assert_memory_equal(o.externals, "f\0gh\0", 6);
  assert_int_equal(o.externals_length, 5);
  check_options_free(&o);
}

/* Does a command line with so many long names fit? */
static bool fit(int count) {
  static char name[] = "--allow-external="
                       "x123456789x123456789x123456789x123456789x123456789"
                       "x123456789x123456789x123456789x123456789x12345678";
  char *argv[100] = {"check", "a.c"};
  struct check_options o;
  for (int i = 0; i < count; i++)
    argv[2 + i] = name;
  bool good = check_options_parse(&o, argv);
  assert_true(o.externals_length < sizeof o.externals);
  check_options_free(&o);
  return good;
}

/* 40 names of 99 letters, each with its 0, leave room for the last 0 in 4096
 * bytes; 41 do not. */
static void too_many_externals(void **state) {
  (void)state;
  assert_true(fit(40));
  assert_false(fit(41));
}

static void set_each(void *copy, const char *name, const char *value) {
  assert_true(explore_settings_set(copy, name, value));
}

/* What explore_settings_each prints, explore_settings_set takes. */
static void print_and_read(void **state) {
  (void)state;
  struct check_options o;
  struct options copy;
  assert_true(PARSE(&o, "a.c", "--races=off", "--rollback=replay", "--seed=5",
                    "--outcomes"));
  explore_settings_default(&copy);
  explore_settings_each(&o.explore, set_each, &copy);
  assert_int_equal(copy.races, RACES_OFF);
  assert_int_equal(copy.rollback, ROLLBACK_REPLAY);
  assert_int_equal(copy.seed, 5);
  assert_int_equal(copy.outcomes, 1);
  assert_true(copy.max_executions == UINT64_MAX);
  assert_false(explore_settings_set(&copy, "outcomes", "2"));
  assert_false(explore_settings_set(&copy, "no-such", "1"));
  check_options_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults),       cmocka_unit_test(both_spellings),
      cmocka_unit_test(compiler_words), cmocka_unit_test(bad_words),
      cmocka_unit_test(no_file),        cmocka_unit_test(help_needs_no_file),
      cmocka_unit_test(externals),      cmocka_unit_test(too_many_externals),
      cmocka_unit_test(print_and_read),
  };
  return cmocka_run_group_tests(tests, 0, 0);
}
