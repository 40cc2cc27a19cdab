// A second process is refused by name.
// expect refused fork is not supported
#include <unistd.h>

int main(void) {
  return fork() < 0;
}
