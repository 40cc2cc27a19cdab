// expect error memory
// expect message out of bounds
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *block = malloc(3);
  sprintf(block, "%d", 100); // expect memory here
}
