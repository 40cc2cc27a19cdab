// The string has no end within its block.
// expect error memory
// expect message out of bounds: reads
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *block = malloc(4);
  memset(block, 'x', 4);
  return strlen(block) > 100; // expect memory here
}
