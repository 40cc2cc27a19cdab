// expect refused numbered arguments
#include <stdio.h>

int main(void) {
  printf("%2$s %1$s", "a", "b");
}
