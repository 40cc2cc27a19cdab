// A daemon that does nothing, for ever: nothing is left out.
// expect all: executions 1
// expect output "bye\n"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *beat(void *unused) {
  (void)unused;
  for (;;)
    sleep(1);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, beat, 0);
  pthread_detach(thread);
  puts("bye");
}
