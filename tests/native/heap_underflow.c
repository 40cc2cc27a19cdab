// Before the second block lies nothing but the first one's red zone.
// expect error memory
// expect message 4 bytes before a block of 64 bytes
#include <stdlib.h>

int main(void) {
  volatile int *first = malloc(64), *second = malloc(64);
  first[0] = 1;
  second[-1] = 1; // expect memory here
}
