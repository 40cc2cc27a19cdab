// The runtime itself performs atomic operations: a bad address is still the
// program's error, at the program's line.
// expect error crash
// expect message access to address 0x1234560
#include <stdatomic.h>
#include <stdint.h>

int main(void) {
  atomic_int *wild = (atomic_int *)(uintptr_t)0x1234560;
  atomic_fetch_add(wild, 1); // expect crash here
}
