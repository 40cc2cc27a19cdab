// More alternatives than heddle tries.
// expect refused a choice among 65537 alternatives; the limit is 65536
#include <heddle.h>

int main(void) {
  heddle_choose(HEDDLE_CHOICES + 1);
}
