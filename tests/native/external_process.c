// Another process is refused, and the message says what to do.
// expect refused call of popen is not supported: heddle checks one process
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

int main(void) {
  popen("ls", "r");
}
