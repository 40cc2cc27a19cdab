// ISO C wants a flush between writing and reading; glibc does it itself.
// expect refused call fflush before
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  FILE *file = fdopen(ends[0], "r+");
  fputs("x", file);
  getc(file);
}
