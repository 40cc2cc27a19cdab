// A text is printed when printf returns, whichever way the process ends.
// options --exit-status=any
// expect output "printed"
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  printf("printed");
  switch (heddle_choose(3)) {
  case 0:
    _exit(0);
  case 1:
    _Exit(0);
  default:
    quick_exit(0);
  }
}
