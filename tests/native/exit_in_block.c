// Others would run on after half of the block.
// expect refused the program ends inside an atomic block or task
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  heddle_atomic_begin();
  exit(0);
}
