// The access begins inside the block and ends outside.
// expect error memory
// expect message writes 8 bytes, 8 bytes into a block of 13 bytes
#include <stdlib.h>

int main(void) {
  char *block = malloc(13);
  *(volatile long *)(block + 8) = 1; // expect memory here
}
