// setenv, unsetenv, putenv and clearenv.
// expect output "1 - 2 0 - -\n"
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *of(const char *name) {
  const char *value = getenv(name);
  return value ? value : "-";
}

int main(void) {
  static char own[] = "HEDDLE_TEST_B=2";
  setenv("HEDDLE_TEST_A", "1", 0);
  printf("%s ", of("HEDDLE_TEST_A"));
  unsetenv("HEDDLE_TEST_A");
  printf("%s ", of("HEDDLE_TEST_A"));
  putenv(own);
  printf("%s ", of("HEDDLE_TEST_B"));
  printf("%d ", setenv("a=b", "", 1) == -1 && errno == EINVAL ? 0 : 1);
  clearenv();
  printf("%s %s\n", of("PATH"), of("HEDDLE_TEST_B"));
}
