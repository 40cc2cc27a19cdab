// What is logged is no output, and a race on what it reads is seen.
// options --races=error
// expect error race
#include <pthread.h>
#include <syslog.h>

static char name[8] = "one";

static void *change(void *unused) {
  name[0] = 'O';
  return unused;
}

int main(void) {
  pthread_t t;
  openlog("test", LOG_PID, LOG_USER);
  pthread_create(&t, 0, change, 0);
  syslog(LOG_INFO, "hello %s %d", name, 7); // expect race here
  pthread_join(t, 0);
  closelog();
}
