// Local variables that another thread uses, in frames that come and go at one
// place of the stack: between, those bytes belong to no variable.
#include <pthread.h>
#include <stddef.h>

static void *use(void *local) {
  *(int *)local += 1;
  return NULL;
}

/* Its variables stay in the thread. */
static __attribute__((noinline)) int scribble(int n) {
  volatile int private[32];
  for (int i = 0; i < 32; i++)
    private[i] = i * n;
  return private[n];
}

static __attribute__((noinline)) void lend(int n) {
  pthread_t thread;
  int local;
  pthread_create(&thread, NULL, use, &local);
  local = n;
  pthread_join(thread, NULL);
}

static __attribute__((noinline)) void lend_deeper(int n) {
  int pad = scribble(n);
  lend(pad);
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    lend(i);
    scribble(i + 5);
  }
  scribble(3);
  lend_deeper(1);
  scribble(7);
}
