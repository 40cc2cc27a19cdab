// A store of the same value ends the release sequence: the state comes again, but
// who acquires from it knows less.  Another cycle was met before.
// algorithms stateful
// modes undo
// expect stateful: executions 0
// real no: it never ends
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag, other;

static void *publish(void *unused) {
  data = 1; // expect race with line 30
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void *repeat(void *unused) {
  for (;;) {
    atomic_fetch_xor(&other, 1);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
      atomic_store_explicit(&flag, 1, memory_order_relaxed);
  }
  return unused;
}

static void *look(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire))
    return data ? unused : 0;
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, repeat, 0);
  pthread_create(&t[1], 0, publish, 0);
  pthread_create(&t[2], 0, look, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
