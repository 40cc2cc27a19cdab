// A round in vain ends with a plain read that races, although the last round is ordered
// behind the write: no such read is left out.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;
static int data;

static void *looks(void *unused) {
  int done, value;
  do {
    done = flag;
    value = data;
  } while (!done);
  printf("%d\n", value);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, looks, NULL);
  data = 1; // expect race with line 14
  flag = 1;
  pthread_join(thread, NULL);
}
