// An initialisation that runs once, by hand, N threads.
#include "common.h"

#ifndef N
#define N 5
#endif
enum { FRESH, RUNNING, DONE };
static atomic_int state;
static int value;

static void initialise(void) {
  int fresh = FRESH;
  if (state == DONE)
    return;
  if (atomic_compare_exchange_strong(&state, &fresh, RUNNING)) {
    value++;
    state = DONE;
  } else {
    while (state != DONE)
      ;
  }
}

static void *use(void *unused) {
  initialise();
  assert(value == 1);
  return unused;
}

int main(void) {
  run_threads(N, use);
}
