// A swap that fails brings both members, each in the other's place.  That is not
// as good as reading them again: the thread may expect the two the wrong way
// round for ever.
// expect error livelock
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};
static _Atomic struct pair shared;

static void *add(void *unused) {
  struct pair old = shared, found, new;
  for (;;) {
    new = found = old;
    new.a++;
    if (atomic_compare_exchange_strong(&shared, &found, new))
      return unused;
    old.a = found.b;
    old.b = found.a;
  }
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
}
