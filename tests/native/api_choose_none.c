// A choice among nothing.
// expect error misuse
// expect message a choice among no alternatives
#include <heddle.h>

int main(void) {
  heddle_choose(0); // expect misuse here
}
