// The same entry is used twice.  When another thread writes to a variable on
// the stack of a thread that goes round must not decide when that thread waits:
// the write and the step of the loop are independent.
// expect safe
// algorithms source optimal observers cs dc unfold
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct entry {
  struct entry *_Atomic next;
  atomic_int waits;
};

static struct entry *_Atomic last;

static void enter(struct entry *me) {
  struct entry *before = atomic_exchange(&last, me);
  if (!before)
    return;
  atomic_store(&me->waits, 1);
  atomic_store(&before->next, me);
  while (atomic_load(&me->waits)) {
  }
}

static void leave(struct entry *me) {
  struct entry *next;
  while (!(next = atomic_load(&me->next))) {
    struct entry *expected = me;
    if (atomic_compare_exchange_strong(&last, &expected, NULL))
      return;
  }
  atomic_store(&next->waits, 0);
}

static void use(void) {
  struct entry me = {NULL, 0};
  enter(&me);
  leave(&me);
}

static void *use_twice(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++)
    use();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use_twice, 0);
  use();
  pthread_join(t, 0);
}
