// The numbers of a device are computed by functions of the C library.
// expect all: executions 1
#include <assert.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

int main(void) {
  dev_t device = makedev(3, 7);
  assert(major(device) == 3 && minor(device) == 7);
}
