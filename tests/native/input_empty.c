// Standard input is empty.
// expect all: executions 1
#include <assert.h>
#include <stdio.h>

int main(void) {
  int number = 5;
  char line[10];
  assert(getchar() == EOF && getc(stdin) == EOF);
  assert(!fgets(line, sizeof line, stdin));
  assert(scanf("%d", &number) == EOF && number == 5);
  assert(feof(stdin));
}
