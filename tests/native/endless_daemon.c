// The process ends when main returns, whatever a daemon still does.  What the
// daemon does after many rounds is not known: the result names its loop.
// options --loop-bound=1
// expect incomplete
// expect message --loop-bound=1 stopped T1 serve in the loop at
// expect message endless_daemon.c:16
// expect output "bye\n"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int served;

static void *serve(void *unused) {
  (void)unused;
  for (;;) {
    sleep(1);
    served++;
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  sleep(2);
  puts("bye");
}
