// The program says that it is wrong.
// expect error assertion
// expect message this must not be
#include <heddle.h>

int main(void) {
  if (heddle_choose(2))
    heddle_fail("this must not be"); // expect assertion here
}
