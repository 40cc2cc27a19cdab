// A function that writes its result before it knows whether it succeeds.  What a round in
// vain leaves in the caller's variable is written anew by the next one: the rounds are in
// vain from the first one on.  Each thread's last round reads data before or after it is
// written: 2 * 2.
// expect optimal: executions 4, blocked 0
// expect source: executions 4, blocked 0
// algorithms dpor source optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct result {
  int data, other;
};

static atomic_int data, ready;

static __attribute__((noinline)) int get(struct result *to) {
  to->data = data;
  to->other = 1;
  return ready;
}

static void *on_stack(void *unused) {
  (void)unused;
  struct result result;
  while (!get(&result))
    ;
  return result.data ? &data : NULL;
}

static void *on_heap(void *unused) {
  struct result *result = malloc(sizeof *result);
  while (!get(result))
    ;
  free(result);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, on_stack, NULL);
  pthread_create(&t[1], NULL, on_heap, NULL);
  data = 1;
  ready = 1;
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
