/* trace_check() accepts traces as they grow and are cut off, and finds damage:
 * each test breaks one invariant of trace.h. */
#include "core_steps.h"

#include <sys/wait.h>
#include <unistd.h>

#define X 0x1000
#define Y 0x2000
#define M 0x3000

/* Two critical sections and a race on Y. */
static void fill(struct trace *t) {
  trace_init(t, (struct order_rules){.races = true});
  locks(t, 0, M);
  writes(t, 0, X);
  unlocks(t, 0, M);
  writes(t, 1, Y);
  locks(t, 1, M);
  reads(t, 1, X);
  unlocks(t, 1, M);
  writes(t, 0, Y);
}

static void test_sound(void **state) {
  (void)state;
  struct trace t;
  fill(&t);
  trace_check(&t);
  for (size_t length = trace_length(&t); length-- > 0;) {
    trace_truncate(&t, length);
    trace_check(&t);
  }
  trace_free(&t);
}

/* Our own bugs end the process with code 70: util/ensure.h. */
static int code_of_check(const struct trace *t) {
  int status = 0;
  pid_t child = fork();
  if (!child) {
    close(2);
    trace_check(t);
    _exit(0);
  }
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_index(void **state) { /* T1 */
  (void)state;
  struct trace t;
  fill(&t);
  t.events.at[1].index = 3;
  assert_int_equal(code_of_check(&t), 70);
  trace_free(&t);
}

static void test_clock(void **state) { /* T2: the second lock knows nothing */
  (void)state;
  struct trace t;
  fill(&t);
  t.events.at[4].clock = 0;
  assert_int_equal(code_of_check(&t), 70);
  trace_free(&t);
}

static void test_chain(void **state) { /* T3 */
  (void)state;
  struct trace t;
  fill(&t);
  t.touches.at[t.touches.size - 1].older = 0; /* another granule's */
  assert_int_equal(code_of_check(&t), 70);
  trace_free(&t);
}

static void test_live(void **state) { /* T4 */
  (void)state;
  struct trace t;
  fill(&t);
  t.touches.at[t.touches.size - 1].live = 0;
  assert_int_equal(code_of_check(&t), 70);
  trace_free(&t);
}

static void test_race(void **state) { /* T5: one process does not race */
  (void)state;
  struct trace t;
  fill(&t);
  assert_true(t.races.size > 0);
  t.races.at[0].first = 0;
  t.races.at[0].second = 1;
  assert_int_equal(code_of_check(&t), 70);
  trace_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sound), cmocka_unit_test(test_index),
      cmocka_unit_test(test_clock), cmocka_unit_test(test_chain),
      cmocka_unit_test(test_live),  cmocka_unit_test(test_race),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
