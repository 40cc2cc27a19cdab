// An atomic block over large memory is one step with a small footprint, and is
// undone as a whole.
// expect optimal: executions 2, blocked 0
// expect output "2 2 4\n"
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int cells[1000], copies[1000], sum;

static void *add(void *unused) {
  (void)unused;
  heddle_atomic_begin();
  for (int i = 0; i < 1000; i++)
    cells[i]++;
  memcpy(copies, cells, sizeof cells);
  sum++;
  sum++;
  heddle_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  printf("%d %d %d\n", cells[999], copies[0], sum);
}
