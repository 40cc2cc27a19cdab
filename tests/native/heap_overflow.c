// One element too far.
// expect error memory
// expect message 12 bytes into a block of 12 bytes
#include <stdlib.h>

int main(void) {
  volatile int *array = malloc(3 * sizeof *array);
  for (int i = 0; i <= 3; i++)
    array[i] = i; // expect memory here
}
