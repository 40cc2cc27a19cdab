// realloc moves the block always, so that who keeps the old pointer is found.
// expect error memory
// expect message use after free
#include <stdlib.h>

int main(void) {
  volatile int *old = malloc(16);
  old[0] = 1;
  volatile int *grown = realloc((void *)old, 20);
  grown[4] = old[0]; // expect memory here
}
