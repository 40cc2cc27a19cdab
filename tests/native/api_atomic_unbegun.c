// An atomic block ends that was not begun.
// expect error misuse
// expect message end of an atomic block that was not begun
#include <heddle.h>

int main(void) {
  heddle_atomic_begin();
  heddle_atomic_end();
  heddle_atomic_end(); // expect misuse here
}
