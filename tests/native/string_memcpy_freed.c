// expect error memory
// expect message use after free
#include <stdlib.h>
#include <string.h>

static char to[16];

int main(void) {
  char *block = malloc(16);
  free(block);
  memcpy(to, block, 16); // expect memory here
}
