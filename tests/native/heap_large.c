// Blocks of all sizes; a gigabyte is no more than an address.
// expect all: executions 1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  for (unsigned shift = 0; shift < 30; shift++) {
    size_t size = ((size_t)1 << shift) + 1;
    volatile char *block = malloc(size);
    block[0] = 1;
    block[size - 1] = 2;
    if (shift < 20) // freeing writes every byte: that takes its time
      free((void *)block);
  }
}
