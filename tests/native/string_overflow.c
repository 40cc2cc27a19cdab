// expect error memory
// expect message out of bounds
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *block = malloc(4);
  strcpy(block, "four"); // expect memory here
}
