/* An internal error is said once and ends the process, also if saying more
 * about it fails again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "util/ensure.h"

static void fail_again(void) {
  ensure(!"the second");
}

/* The exit status of a process that fails; what it said. */
static int run(char *said, size_t size) {
  int ends[2], status;
  ensure(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    ensure_context = fail_again;
    ensure(!"the first");
  }
  close(ends[1]);
  ssize_t length = 0, part;
  while ((part = read(ends[0], said + length, size - 1 - (size_t)length)) > 0)
    length += part;
  said[length] = 0;
  ensure(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void said_once(void **state) {
  (void)state;
  char said[1000];
  assert_int_equal(run(said, sizeof said), 70);
  assert_non_null(strstr(said, "the first"));
  assert_null(strstr(said, "the second"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(said_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
