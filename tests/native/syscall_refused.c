// A system call that the runtime does not know is refused by its number and name.
// expect refused syscall(165), which is mount, is not supported
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  long number = 165; /* of SYS_mount on x86-64 */
  return (int)syscall(SYS_mount == number ? number : SYS_mount, "a", "b", "c", 0, 0);
}
