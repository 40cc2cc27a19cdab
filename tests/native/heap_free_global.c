// expect error memory
// expect message invalid free
#include <stdlib.h>

static int global;

int main(void) {
  int *pointer = &global;
  free(pointer); // expect memory here
}
