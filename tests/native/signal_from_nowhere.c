// A thread that waits for a signal that no thread sends: the report says how one
// comes from outside.
// expect error deadlock
// expect message one comes from outside with --signal
// real no: it waits for ever
#include <signal.h>
#include <unistd.h>

static void handler(int number) {
  (void)number;
}

int main(void) {
  signal(SIGTERM, handler);
  pause();
}
