// What a round leaves in a variable of the thread is read behind the loop, if the loop
// ends in another way: the round matters.
// expect error assertion
// algorithms dpor source optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int data, ready;

static __attribute__((noinline)) int get(int *to) {
  int state = ready;
  if (state == 2)
    return 1;
  *to = data + 1;
  return state;
}

static void *gets(void *unused) {
  int *result = calloc(1, sizeof *result);
  while (!get(result))
    ;
  assert(*result != 1); /* only a round that is not the last finds data = 0 */
  free(result);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, gets, NULL);
  data = 4;
  ready = 2;
  pthread_join(t, NULL);
  return 0;
}
