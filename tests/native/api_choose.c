// All alternatives are tried; one alternative is no choice.
// expect all: executions 3
// expect output "0\n"
// expect output "1\n"
// expect output "2\n"
#include <assert.h>
#include <heddle.h>
#include <stdio.h>

int main(void) {
  assert(heddle_choose(1) == 0);
  printf("%u\n", heddle_choose(3));
}
