// expect error memory
// expect message invalid free
#include <stdlib.h>

int main(void) {
  int local = 0, *pointer = &local;
  free(pointer); // expect memory here
}
