// A thread hands out the address of a local variable and ends by pthread_exit in
// a function that its start routine called.  The receiver may write before
// that, or after it, when the variable is gone; or comes too early and gets nothing: 3
// executions (theory).
// expect error memory
// expect message use after return
// expect optimal: executions 3, blocked 0
// expect source: executions 3
// options --races=off --keep-going
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic handed;

static void hand_out(int *local) {
  handed = local;
  pthread_exit(NULL);
}

static void *owner(void *unused) {
  int local = 0;
  hand_out(&local);
  return unused;
}

static void *user(void *unused) {
  int *got = handed;
  if (got)
    *got = 42; // expect memory here
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
