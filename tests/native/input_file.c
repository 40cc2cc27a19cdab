// Standard input, variables of the environment and files that are shown, by
// options.
// real no: the options are those of heddle check
// options --stdin=tests/native/input_file.c --env=COLOUR=red --env=EMPTY= --show-file=/tmp/heddle-test-shown --show-file=/nowhere
// expect all: executions 1
// expect output "// Standard input, variables\n--- /tmp/heddle-test-shown\nred\n--- /nowhere: no such file\n"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char words[29] = "";
  assert(!feof(stdin) && getchar() == '/' && ungetc('/', stdin) == '/');
  assert(fread(words, 1, 28, stdin) == 28 && puts(words) >= 0);
  while (fread(words, 1, 28, stdin) == 28)
    ;
  assert(getchar() == EOF && feof(stdin) && !strcmp(getenv("COLOUR"), "red"));
  assert(!*getenv("EMPTY") && !getenv("HOME"));
  fputs(getenv("COLOUR"), fopen("/tmp/heddle-test-shown", "w"));
}
