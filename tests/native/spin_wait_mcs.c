// A queue of waiting threads (Mellor-Crummey and Scott), whose entries lie on
// the threads' stacks: what another thread writes there is no local state of
// the loop.  The loop at the end looks at two places.
// expect safe
// algorithms source optimal observers dc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct entry {
  struct entry *_Atomic next;
  atomic_int waits;
};

static struct entry *_Atomic last;
static int inside;

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

static void *run(void *unused) {
  (void)unused;
  struct entry me = {NULL, 0};
  enter(&me);
  inside++;
  assert(inside == 1);
  inside--;
  leave(&me);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
