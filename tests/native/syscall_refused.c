// A system call that the runtime does not know is refused by its number and name.
// expect refused , which is mount, is not supported
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  return (int)syscall(SYS_mount, "a", "b", "c", 0, 0);
}
