// Far behind a block: memory that was never allocated.
// expect error memory
#include <stdlib.h>

int main(void) {
  volatile char *block = malloc(10);
  block[1000] = 1; // expect memory here
}
