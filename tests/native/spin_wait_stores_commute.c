// Two loops that store on their way round what they have just read.  Stores of
// the same value commute, but which of them changed something shows in when a
// loop waits.
// expect safe
// options --races=off
// algorithms source optimal observers cs optimal-cs optimal-cs-ob dc
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *set(void *unused) {
  (void)unused;
  atomic_store(&a, 1);
  atomic_store(&b, 1);
  return 0;
}

static void *wait(void *unused) {
  (void)unused;
  while (!atomic_load(&a))
    atomic_store(&b, atomic_load(&b));
  return 0;
}

int main(void) {
  pthread_t t, u;
  int end;
  pthread_create(&t, 0, set, 0);
  pthread_create(&u, 0, wait, 0);
  do {
    end = atomic_load(&a);
    atomic_store(&b, atomic_load(&b));
  } while (!end);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
