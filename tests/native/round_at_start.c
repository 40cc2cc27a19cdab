// A thread that begins with a loop begins a round before its first step, in the
// step that creates it.  Created once more, it remembers nothing of that.
// expect safe
// algorithms optimal source
// options --verify
// waits for several places
#include <stdatomic.h>
#include <threads.h>

static atomic_int x;

static int second(void *unused) {
  int e, never = 0;
  (void)unused;
  if (never)
    do {
      e = x;
      if (e == 2)
        break;
    } while (!atomic_compare_exchange_weak(&x, &e, 1));
  do {
    e = x;
    if (e == 2)
      break;
  } while (!atomic_compare_exchange_weak(&x, &e, 4));
  do {
    e = x;
    if (e == 2)
      break;
  } while (!atomic_compare_exchange_weak(&x, &e, 2));
  return 0;
}

static int first(void *unused) {
  thrd_t t;
  int e, f = 0;
  (void)unused;
  do {
    e = x;
    f = e;
  } while (!atomic_compare_exchange_weak(&x, &e, 4));
  thrd_create(&t, second, 0);
  thrd_join(t, 0);
  return f;
}

int main(void) {
  thrd_t t;
  int e;
  thrd_create(&t, first, 0);
  do {
    e = x;
    if (e == 2)
      break;
  } while (!atomic_compare_exchange_weak(&x, &e, 2));
  e = x;
  while (!atomic_compare_exchange_weak(&x, &e, 4))
    ;
  thrd_join(t, 0);
}
