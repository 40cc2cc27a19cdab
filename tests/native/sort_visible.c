// The comparison function asks a flag that another thread sets: every
// comparison may see it set or not.  With two elements there is one comparison:
// two orders.
// expect optimal: executions 2, blocked 0
// expect output "1 2\n"
// expect output "2 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int down;
static int array[2] = {1, 2};

static int compare(const void *a, const void *b) {
  int difference = *(const int *)a - *(const int *)b;
  return down ? -difference : difference;
}

static void *turn(void *unused) {
  (void)unused;
  down = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, turn, 0);
  qsort(array, 2, sizeof *array, compare);
  pthread_join(thread, 0);
  printf("%d %d\n", array[0], array[1]);
}
