// What the runtime keeps for a thread counts as what a round has changed: the value of a
// key, whether it can be cancelled, its alternate stack.  The thread uses them without a
// step.  Counts: x is written before the first look or behind it.
// expect optimal source dpor: executions 2, blocked 0
// counts differ: naive takes the use of a key for a step, whose round is another one
// expect output "0 0 0\n"
// expect output "1 1 1\n"
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static pthread_key_t key;
static char bytes[65536];

static void *change(void *unused) {
  stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes}, now;
  int state;
  while (!x) {
    pthread_setspecific(key, &key);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sigaltstack(&stack, NULL);
  }
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
  sigaltstack(NULL, &now);
  printf("%d %d %d\n", pthread_getspecific(key) == &key,
         state == PTHREAD_CANCEL_DISABLE, now.ss_sp == bytes);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, NULL);
  pthread_create(&t, NULL, change, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
