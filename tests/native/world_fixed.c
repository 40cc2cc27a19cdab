// Process, user and machine are the same everywhere.
// expect all: executions 1
// real no: the world changes
#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  assert(getpid() == 1000 && getppid() == 1 && getuid() == 1000);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 2 && sysconf(_SC_PAGESIZE) > 0);
  assert(!isatty(1) && getenv("PATH") && !getenv("HEDDLE_CONTROL"));
  assert(!strcmp(setlocale(LC_ALL, ""), "C") && !setlocale(LC_ALL, "xx_YY"));
}
