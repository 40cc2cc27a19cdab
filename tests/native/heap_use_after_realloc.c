// realloc always moves the block, so that a use of the old pointer is found.
// expect error memory
// expect message use after free
#include <stdlib.h>

int main(void) {
  volatile int *old = malloc(16);
  old[0] = 1;
  volatile int *grown = realloc((void *)old, 20);
  grown[4] = old[0]; // expect memory here
}
