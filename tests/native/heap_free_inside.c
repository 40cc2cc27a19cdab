// expect error memory
// expect message invalid free
// expect message 4 bytes into a block of 12 bytes
#include <stdlib.h>

int main(void) {
  char *block = malloc(12);
  free(block + 4); // expect memory here
}
