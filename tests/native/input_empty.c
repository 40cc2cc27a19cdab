// Standard input is empty, which shows after an attempt to read it.
// expect all: executions 1
#include <assert.h>
#include <stdio.h>

int main(void) {
  int number = 5;
  char line[10];
  assert(!feof(stdin));
  assert(getchar() == EOF && getc(stdin) == EOF);
  assert(!fgets(line, sizeof line, stdin));
  assert(scanf("%d", &number) == EOF && number == 5);
  assert(feof(stdin));
  clearerr(stdin);
  assert(!feof(stdin));
}
