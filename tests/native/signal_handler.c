// A handler that is never run: the result is incomplete.
// expect incomplete
// expect message the handler of signal 15 was never run
// real no: the search is never complete
#include <signal.h>

static volatile sig_atomic_t stop;

static void handler(int number) {
  stop = number;
}

int main(void) {
  signal(SIGTERM, handler);
  return stop;
}
